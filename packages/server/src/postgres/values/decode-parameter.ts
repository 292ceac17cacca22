import { typeByOid, writeArrayText } from '@hedron/sql'
import { readUtf8 } from '../protocol/body-reader.ts'
import { PgError } from '../protocol/pg-error.ts'
import { decodeNumeric } from './numeric.ts'

/** The text of a parameter that a client sent. @throws {PgError} 22P03, 0A000 */
export function decodeParameter(oid: number, format: 0 | 1, bytes: Buffer): string {
  if (format === 0) return readUtf8(bytes)
  const type = typeByOid(oid)
  const decode = type && decoders[type.name]
  if (decode) return decode(bytes)
  if (type?.element !== undefined && type.category === 'A') return decodeArray(type.element, bytes)
  throw new PgError('0A000', `no binary input function available for type ${type?.name ?? oid}`)
}

const wrong = (type: string) => new PgError('22P03', `incorrect binary data format for ${type}`)
const sized = (type: string, size: number, read: (bytes: Buffer) => string) => (bytes: Buffer) => {
  if (bytes.length !== size) throw wrong(type)
  return read(bytes)
}
const moment = (bytes: Buffer): string => {
  const microseconds = bytes.readBigInt64BE()
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n
  const milliseconds = Number((microseconds - fraction) / 1000n) + 946_684_800_000
  if (Math.abs(milliseconds) > 8.64e15) throw wrong('timestamp')
  const seconds = new Date(milliseconds).toISOString().slice(0, -5).replace('T', ' ')
  return fraction === 0n ? seconds : `${seconds}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`
}

const decoders: Readonly<Record<string, (bytes: Buffer) => string>> = {
  bool: sized('bool', 1, bytes => (bytes[0] === 0 ? 'f' : 't')),
  int2: sized('int2', 2, bytes => String(bytes.readInt16BE())),
  int4: sized('int4', 4, bytes => String(bytes.readInt32BE())),
  int8: sized('int8', 8, bytes => String(bytes.readBigInt64BE())),
  oid: sized('oid', 4, bytes => String(bytes.readUInt32BE())),
  float4: sized('float4', 4, bytes => String(bytes.readFloatBE())),
  float8: sized('float8', 8, bytes => String(bytes.readDoubleBE())),
  numeric: decodeNumeric,
  text: readUtf8,
  name: readUtf8,
  varchar: readUtf8,
  bpchar: readUtf8,
  char: readUtf8,
  unknown: readUtf8,
  json: readUtf8,
  jsonb: bytes => readUtf8(bytes.subarray(1)),
  timestamp: sized('timestamp', 8, moment),
  timestamptz: sized('timestamptz', 8, bytes => `${moment(bytes)}+00`),
  date: sized('date', 4, bytes => {
    const milliseconds = (bytes.readInt32BE() + 10_957) * 86_400_000
    if (Math.abs(milliseconds) > 8.64e15) throw wrong('date')
    return new Date(milliseconds).toISOString().slice(0, 10)
  }),
  uuid: sized('uuid', 16, bytes => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')),
  bytea: bytes => `\\x${bytes.toString('hex')}`,
}

function decodeArray(element: string, bytes: Buffer): string {
  const decode = decoders[element]
  if (!decode) throw new PgError('0A000', `no binary input function available for type ${element}[]`)
  if (bytes.length < 12) throw wrong('array')
  const dimensions = bytes.readInt32BE(0)
  if (dimensions === 0) return '{}'
  if (dimensions !== 1 || bytes.length < 20)
    throw new PgError('0A000', 'arrays of more than one dimension are not supported')
  const items: (string | null)[] = []
  let at = 20
  for (let left = bytes.readInt32BE(12); left > 0; left -= 1) {
    if (at + 4 > bytes.length) throw wrong('array')
    const length = bytes.readInt32BE(at)
    at += 4
    if (length > bytes.length - at) throw wrong('array')
    items.push(length < 0 ? null : decode(bytes.subarray(at, at + length)))
    at += Math.max(0, length)
  }
  return writeArrayText(items)
}
