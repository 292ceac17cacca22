import { type ArrayText, readArrayText, typeByOid } from '@hedron/sql'
import { PgError } from '../protocol/pg-error.ts'
import { encodeNumeric } from './numeric.ts'

/** A value as queries give it. */
export type Cell = string | boolean | null

/** Writes the cells of one column for the wire. Made once a column, called once a cell. */
export type CellEncoder = (cell: Cell) => string | Buffer | null

/** @param oid of the column's type. @throws {PgError} 0A000 where the type has no binary form here. */
export function cellEncoder(oid: number, format: 0 | 1): CellEncoder {
  if (format === 0) return textEncoder(oid)
  const text = textEncoder(oid)
  const binary = binaryEncoder(oid)
  return cell => {
    const value = text(cell)
    return value === null ? null : binary(value)
  }
}

const timestamps = new Set([1114, 1184])
const date = 1082

function textEncoder(oid: number): (cell: Cell) => string | null {
  const boolean = (cell: Cell) => (typeof cell === 'boolean' ? (cell ? 't' : 'f') : cell)
  if (timestamps.has(oid)) return cell => momentText(boolean(cell), oid === 1184)
  if (oid === date) return cell => boolean(cell)?.slice(0, 10) ?? null
  if (oid === 16) return cell => ({ true: 't', false: 'f', '1': 't', '0': 'f' })[String(cell)] ?? boolean(cell)
  return boolean
}

/** `2024-01-02T03:04:05.600` as PostgreSQL writes it: a space, no zeros at the end of a fraction. */
function momentText(text: string | null, zoned: boolean): string | null {
  if (text === null) return null
  const plain = text
    .replace('T', ' ')
    .replace(/Z$/, '+00')
    .replace(/(\.\d*?)0+(?=$|[+-])/, '$1')
    .replace(/\.(?=$|[+-])/, '')
  const full = plain.length === 10 ? `${plain} 00:00:00` : plain
  return zoned && !/[+-]\d\d(:?\d\d)?$/.test(full.slice(19)) ? `${full}+00` : full
}

const fixed = (size: number, write: (buffer: Buffer, text: string) => void) => (text: string) => {
  const buffer = Buffer.alloc(size)
  write(buffer, text)
  return buffer
}

type Binary = (text: string) => Buffer
const int4: Binary = fixed(4, (buffer, text) => buffer.writeInt32BE(Number(text)))
const uint4: Binary = fixed(4, (buffer, text) => buffer.writeUInt32BE(Number(text)))
const plain: Binary = text => Buffer.from(text)
const encoders: Readonly<Record<string, Binary>> = {
  bool: text => Buffer.from([text === 't' ? 1 : 0]),
  int2: fixed(2, (buffer, text) => buffer.writeInt16BE(Number(text))),
  int4,
  int8: fixed(8, (buffer, text) => buffer.writeBigInt64BE(BigInt(text))),
  oid: uint4,
  xid: uint4,
  float4: fixed(4, (buffer, text) => buffer.writeFloatBE(readFloat(text))),
  float8: fixed(8, (buffer, text) => buffer.writeDoubleBE(readFloat(text))),
  numeric: encodeNumeric,
  timestamp: fixed(8, (buffer, text) => buffer.writeBigInt64BE(microseconds(text))),
  timestamptz: fixed(8, (buffer, text) => buffer.writeBigInt64BE(microseconds(text))),
  date: fixed(4, (buffer, text) =>
    buffer.writeInt32BE(Math.round(Date.parse(`${text}T00:00:00Z`) / 86_400_000) - 10_957),
  ),
  text: plain,
  name: plain,
  varchar: plain,
  bpchar: plain,
  char: plain,
  json: plain,
  unknown: plain,
  jsonb: text => Buffer.concat([Buffer.from([1]), Buffer.from(text)]),
  uuid: text => Buffer.from(text.replaceAll('-', ''), 'hex'),
  bytea: text => (text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex') : Buffer.from(text)),
  void: () => Buffer.alloc(0),
  time: fixed(8, (buffer, text) => buffer.writeBigInt64BE(microseconds(`2000-01-01 ${text}`))),
}

function binaryEncoder(oid: number): Binary {
  const type = typeByOid(oid)
  const known = type && encoders[type.name]
  if (known) return known
  if (type?.element !== undefined && (type.category === 'A' || type.name.endsWith('vector'))) {
    return arrayEncoder(type.element, type.name.endsWith('vector'))
  }
  throw new PgError('0A000', `no binary output function available for type ${type?.name ?? oid}`, {
    hint: 'Ask for this column in text format.',
  })
}

function arrayEncoder(element: string, isVector: boolean): Binary {
  const encode = encoders[element]
  const elementOid = typeOidOf(element)
  if (!encode) throw new PgError('0A000', `no binary output function available for type ${element}[]`)
  return text => {
    const items: ArrayText = isVector ? text.split(' ').filter(item => item !== '') : readArrayText(text)
    if (items.some(item => item !== null && typeof item !== 'string')) {
      throw new PgError('0A000', 'arrays of more than one dimension have no binary form here')
    }
    const head = Buffer.alloc(items.length === 0 ? 12 : 20)
    head.writeInt32BE(items.length === 0 ? 0 : 1, 0)
    head.writeInt32BE(items.includes(null) ? 1 : 0, 4)
    head.writeUInt32BE(elementOid, 8)
    if (items.length > 0) {
      head.writeInt32BE(items.length, 12)
      head.writeInt32BE(isVector ? 0 : 1, 16)
    }
    const parts = items.map(item => {
      if (typeof item !== 'string') return int4('-1')
      const value = encode(item)
      return Buffer.concat([int4(String(value.length)), value])
    })
    return Buffer.concat([head, ...parts])
  }
}

const elementOids: Readonly<Record<string, number>> = {
  bool: 16,
  char: 18,
  name: 19,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  float4: 700,
  float8: 701,
  varchar: 1043,
  numeric: 1700,
  timestamp: 1114,
  timestamptz: 1184,
  date: 1082,
}
const typeOidOf = (name: string): number => elementOids[name] ?? 25

const readFloat = (text: string): number =>
  text === 'Infinity' ? Number.POSITIVE_INFINITY : text === '-Infinity' ? Number.NEGATIVE_INFINITY : Number(text)

/** Since 2000-01-01, as PostgreSQL counts. */
function microseconds(text: string): bigint {
  const [, day = '', clock = '00:00:00', fraction = '', zone = 'Z'] =
    /^(\d{4,6}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?([+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? []
  const offset = zone === 'Z' ? 'Z' : zone.length === 3 ? `${zone}:00` : zone
  const milliseconds = Date.parse(`${day}T${clock}${offset}`)
  if (Number.isNaN(milliseconds)) throw new PgError('22007', `this moment has no binary form: ${text}`)
  return BigInt(milliseconds - 946_684_800_000) * 1000n + BigInt(fraction.padEnd(6, '0'))
}
