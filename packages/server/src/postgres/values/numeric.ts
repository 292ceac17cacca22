import { PgError } from '../protocol/pg-error.ts'

const signs = { positive: 0x0000, negative: 0x4000, notANumber: 0xc000 } as const

/** A decimal as PostgreSQL sends it: digits to the base 10,000 with the power of the first. */
export function encodeNumeric(text: string): Buffer {
  if (text === 'NaN') return header(0, 0, signs.notANumber, 0)
  const plain = plainDecimal(text)
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(plain)
  if (!match) throw new PgError('22P02', `no decimal: ${text.slice(0, 100)}`)
  const [, sign = '', whole = '', fraction = ''] = match
  const left = whole.replace(/^0+/, '')
  const padded =
    left.padStart(Math.ceil(left.length / 4) * 4, '0') + fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0')
  const digits = (padded.match(/.{4}/g) ?? []).map(Number)
  let weight = Math.ceil(left.length / 4) - 1
  while (digits[0] === 0) {
    digits.shift()
    weight -= 1
  }
  while (digits.at(-1) === 0) digits.pop()
  const head = header(
    digits.length,
    digits.length === 0 ? 0 : weight,
    sign === '-' && digits.length > 0 ? signs.negative : signs.positive,
    fraction.length,
  )
  const body = Buffer.alloc(digits.length * 2)
  digits.forEach((digit, index) => {
    body.writeInt16BE(digit, index * 2)
  })
  return Buffer.concat([head, body])
}

function header(count: number, weight: number, sign: number, scale: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeInt16BE(count, 0)
  buffer.writeInt16BE(weight, 2)
  buffer.writeUInt16BE(sign, 4)
  buffer.writeInt16BE(scale, 6)
  return buffer
}

/** Without an exponent. */
function plainDecimal(text: string): string {
  const match = /^([+-]?)(\d*)\.?(\d*)e([+-]?\d+)$/i.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  if (Math.abs(Number(exponent)) > 1000) throw new PgError('22003', 'value out of range for type numeric')
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`
}

/** The text of a decimal that a client sent. @throws {PgError} 22P03 */
export function decodeNumeric(bytes: Buffer): string {
  const wrong = () => new PgError('22P03', 'incorrect binary data format for numeric')
  if (bytes.length < 8) throw wrong()
  const [count, weight, sign, scale] = [
    bytes.readInt16BE(0),
    bytes.readInt16BE(2),
    bytes.readUInt16BE(4),
    bytes.readInt16BE(6),
  ]
  if (sign === signs.notANumber) return 'NaN'
  if (count < 0 || scale < 0 || bytes.length !== 8 + count * 2 || Math.abs(weight) > 1000) throw wrong()
  const digitAt = (power: number) => {
    const index = weight - power
    return index >= 0 && index < count ? bytes.readInt16BE(8 + index * 2) : 0
  }
  let whole = ''
  for (let power = Math.max(weight, 0); power >= 0; power -= 1) whole += String(digitAt(power)).padStart(4, '0')
  let fraction = ''
  for (let power = -1; fraction.length < scale; power -= 1) fraction += String(digitAt(power)).padStart(4, '0')
  const text = `${whole.replace(/^0+(?=\d)/, '')}${scale > 0 ? `.${fraction.slice(0, scale)}` : ''}`
  return sign === signs.negative ? `-${text}` : text
}
