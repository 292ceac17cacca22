import mysql, { type FieldPacket } from 'mysql2'
import type { Cell, Column, ColumnType } from '../../shapes/query.ts'

interface MySqlType {
  readonly name: string
  readonly type: ColumnType
}

const types: ReadonlyMap<number, MySqlType> = new Map<number, MySqlType>([
  [mysql.Types.TINY, { name: 'tinyint', type: 'integer' }],
  [mysql.Types.SHORT, { name: 'smallint', type: 'integer' }],
  [mysql.Types.INT24, { name: 'mediumint', type: 'integer' }],
  [mysql.Types.LONG, { name: 'int', type: 'integer' }],
  [mysql.Types.LONGLONG, { name: 'bigint', type: 'integer' }],
  [mysql.Types.YEAR, { name: 'year', type: 'integer' }],
  [mysql.Types.DECIMAL, { name: 'decimal', type: 'decimal' }],
  [mysql.Types.NEWDECIMAL, { name: 'decimal', type: 'decimal' }],
  [mysql.Types.FLOAT, { name: 'float', type: 'double' }],
  [mysql.Types.DOUBLE, { name: 'double', type: 'double' }],
  [mysql.Types.DATE, { name: 'date', type: 'date' }],
  [mysql.Types.NEWDATE, { name: 'date', type: 'date' }],
  [mysql.Types.DATETIME, { name: 'datetime', type: 'timestamp' }],
  [mysql.Types.TIMESTAMP, { name: 'timestamp', type: 'timestamp' }],
  [mysql.Types.TIME, { name: 'time', type: 'time' }],
  [mysql.Types.BIT, { name: 'bit', type: 'binary' }],
  [mysql.Types.JSON, { name: 'json', type: 'json' }],
])

/** The character set number of bytes that are no text. */
const binaryCharacters = 63
const textTypes: readonly number[] = [
  mysql.Types.VARCHAR,
  mysql.Types.VAR_STRING,
  mysql.Types.STRING,
  mysql.Types.TINY_BLOB,
  mysql.Types.MEDIUM_BLOB,
  mysql.Types.LONG_BLOB,
  mysql.Types.BLOB,
]

const typeOf = (field: FieldPacket): number => field.columnType ?? field.type ?? mysql.Types.VAR_STRING

export function columnOf(field: FieldPacket): Column {
  const number = typeOf(field)
  const known = types.get(number)
  if (known) return { name: field.name, type: known.type, databaseType: known.name }
  const isBinary = !textTypes.includes(number) || field.characterSet === binaryCharacters
  return { name: field.name, type: isBinary ? 'binary' : 'string', databaseType: isBinary ? 'binary' : 'text' }
}

/** Writes a cell from what the client gives: text for what JavaScript's numbers and dates would change. */
export function createCellWriter(field: FieldPacket): (value: unknown) => Cell {
  const { type } = columnOf(field)
  const isSingle = typeOf(field) === mysql.Types.FLOAT
  return value => {
    if (value === null || value === undefined) return null
    if (typeof value === 'number') return String(isSingle ? shortest(value) : value)
    if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
    const text = typeof value === 'string' ? value : typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    if (type === 'date' || type === 'timestamp') return moment(text)
    return text
  }
}

/** The shortest decimal that gives the same 32-bit number; as a double it would show digits that nobody stored. */
function shortest(value: number): number {
  const digits = [6, 7, 8].find(count => Math.fround(Number(value.toPrecision(count))) === value) ?? 9
  return Number(value.toPrecision(digits))
}

/** `2024-01-31` or `2024-01-31 10:00:00.5`, in UTC as the session is. MySQL's zero date is no date. */
function moment(text: string): Cell {
  const [, date, time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)(?:\.(\d+))?)?$/.exec(text) ?? []
  if (date === undefined) return text
  if (/-00(-|$)/.test(date)) return null
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}`
}
