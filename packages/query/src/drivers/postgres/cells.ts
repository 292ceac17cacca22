import { parse as parseArray } from 'postgres-array'
import type { Cell, Column, ColumnType } from '../../shapes/query.ts'

interface PostgresType {
  readonly name: string
  readonly type: ColumnType
}

/** Types that every PostgreSQL has, by their fixed object ids; all others are text. */
const types: ReadonlyMap<number, PostgresType> = new Map([
  [16, { name: 'boolean', type: 'boolean' }],
  [17, { name: 'bytea', type: 'binary' }],
  [18, { name: '"char"', type: 'string' }],
  [19, { name: 'name', type: 'string' }],
  [20, { name: 'bigint', type: 'integer' }],
  [21, { name: 'smallint', type: 'integer' }],
  [23, { name: 'integer', type: 'integer' }],
  [25, { name: 'text', type: 'string' }],
  [26, { name: 'oid', type: 'integer' }],
  [114, { name: 'json', type: 'json' }],
  [700, { name: 'real', type: 'double' }],
  [701, { name: 'double precision', type: 'double' }],
  [1042, { name: 'character', type: 'string' }],
  [1043, { name: 'character varying', type: 'string' }],
  [1082, { name: 'date', type: 'date' }],
  [1083, { name: 'time', type: 'time' }],
  [1114, { name: 'timestamp', type: 'timestamp' }],
  [1184, { name: 'timestamp with time zone', type: 'timestamp' }],
  [1186, { name: 'interval', type: 'interval' }],
  [1266, { name: 'time with time zone', type: 'time' }],
  [1560, { name: 'bit', type: 'binary' }],
  [1562, { name: 'bit varying', type: 'binary' }],
  [1700, { name: 'numeric', type: 'decimal' }],
  [2950, { name: 'uuid', type: 'string' }],
  [3802, { name: 'jsonb', type: 'json' }],
  // Of Redshift.
  [4000, { name: 'super', type: 'json' }],
  [6551, { name: 'varbyte', type: 'binary' }],
])

/** Array types by the type of what they hold. */
const arrays: ReadonlyMap<number, number> = new Map([
  [1000, 16],
  [1005, 21],
  [1007, 23],
  [1016, 20],
  [1009, 25],
  [1015, 1043],
  [1014, 1042],
  [1021, 700],
  [1022, 701],
  [1231, 1700],
  [1182, 1082],
  [1115, 1114],
  [1185, 1184],
  [2951, 2950],
  [199, 114],
  [3807, 3802],
])

export function columnOf(name: string, typeId: number): Column {
  const element = arrays.get(typeId)
  if (element !== undefined) return { name, type: 'json', databaseType: `${types.get(element)?.name ?? 'text'}[]` }
  const known = types.get(typeId)
  return { name, type: known?.type ?? 'string', databaseType: known?.name ?? `type ${typeId}` }
}

/** Writes the cells of a column from the text that PostgreSQL sends. Made once a column, called once a cell. */
export function createCellWriter(typeId: number): (text: string) => Cell {
  const element = arrays.get(typeId)
  if (element !== undefined) return arrayWriter(element)
  switch (types.get(typeId)?.type) {
    case 'boolean':
      return text => text === 't'
    case 'double':
      return doubleCell
    case 'decimal':
      return text => (isFiniteNumber(text) ? text : null)
    case 'date':
      return dateCell
    case 'timestamp':
      return timestampCell
    default:
      return text => text
  }
}

/** NaN and the infinities, of numbers as of times, have no place in JSON or in a chart: they become null. */
const isFiniteNumber = (text: string) => text !== 'NaN' && !text.endsWith('Infinity')
const isInfiniteMoment = (text: string) => text.endsWith('infinity')

const doubleCell = (text: string): Cell => (isFiniteNumber(text) ? String(Number(text)) : null)

function dateCell(text: string): Cell {
  if (isInfiniteMoment(text)) return null
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00.000` : text
}

/** `2024-01-31 10:00:00.5+00`: the session's zone is UTC, so the offset says nothing. */
function timestampCell(text: string): Cell {
  if (isInfiniteMoment(text)) return null
  const [, date, time, fraction = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00)?$/.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

/** A list as JSON, in which numbers keep all their digits. */
function arrayWriter(element: number): (text: string) => Cell {
  const write = createCellWriter(element)
  const { type = 'string' } = types.get(element) ?? {}
  const isWritten = type === 'integer' || type === 'decimal' || type === 'double' || type === 'json'
  const item = (text: string) => {
    const cell = write(text)
    return isWritten || cell === null ? String(cell) : JSON.stringify(cell)
  }
  const list = (items: readonly unknown[]): string =>
    `[${items.map(value => (Array.isArray(value) ? list(value) : value === null ? 'null' : String(value))).join(',')}]`
  return text => list(parseArray(text, item))
}
