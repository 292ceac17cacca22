import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue,
} from '@duckdb/node-api'
import type { Cell, Column, ColumnType } from '../../shapes/query.ts'
import { createMomentText } from './moment-text.ts'

const columnTypes: Partial<Record<DuckDBTypeId, ColumnType>> = {
  [DuckDBTypeId.BOOLEAN]: 'boolean',
  [DuckDBTypeId.TINYINT]: 'integer',
  [DuckDBTypeId.SMALLINT]: 'integer',
  [DuckDBTypeId.INTEGER]: 'integer',
  [DuckDBTypeId.BIGINT]: 'integer',
  [DuckDBTypeId.HUGEINT]: 'integer',
  [DuckDBTypeId.UTINYINT]: 'integer',
  [DuckDBTypeId.USMALLINT]: 'integer',
  [DuckDBTypeId.UINTEGER]: 'integer',
  [DuckDBTypeId.UBIGINT]: 'integer',
  [DuckDBTypeId.UHUGEINT]: 'integer',
  [DuckDBTypeId.BIGNUM]: 'integer',
  [DuckDBTypeId.DECIMAL]: 'decimal',
  [DuckDBTypeId.FLOAT]: 'double',
  [DuckDBTypeId.DOUBLE]: 'double',
  [DuckDBTypeId.DATE]: 'date',
  [DuckDBTypeId.TIMESTAMP]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_S]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_MS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_NS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'timestamp',
  [DuckDBTypeId.TIME]: 'time',
  [DuckDBTypeId.TIME_NS]: 'time',
  [DuckDBTypeId.TIME_TZ]: 'time',
  [DuckDBTypeId.INTERVAL]: 'interval',
  [DuckDBTypeId.BLOB]: 'binary',
  [DuckDBTypeId.BIT]: 'binary',
  [DuckDBTypeId.LIST]: 'json',
  [DuckDBTypeId.ARRAY]: 'json',
  [DuckDBTypeId.STRUCT]: 'json',
  [DuckDBTypeId.MAP]: 'json',
  [DuckDBTypeId.UNION]: 'json',
  [DuckDBTypeId.VARIANT]: 'json',
}

export function columnOf(name: string, type: DuckDBType): Column {
  const { alias } = type
  return { name, type: alias === 'JSON' ? 'json' : columnTypeOf(type), databaseType: alias ?? type.toString() }
}

const columnTypeOf = (type: DuckDBType): ColumnType => columnTypes[type.typeId] ?? 'string'

/** Writes the cells of a column. Made once a column, called once a cell. */
export function createCellWriter(type: DuckDBType): (value: DuckDBValue) => Cell {
  const momentText = createMomentText()
  switch (columnTypeOf(type)) {
    case 'json':
      return value => (value === null ? null : jsonText(value, momentText))
    case 'double':
      return type.typeId === DuckDBTypeId.FLOAT ? floatCell : value => scalarCell(value, momentText)
    default:
      return value => scalarCell(value, momentText)
  }
}

type MomentText = ReturnType<typeof createMomentText>

/** NaN and the infinities, of numbers as of times, have no place in JSON or in a chart: they become null. */
function scalarCell(value: DuckDBValue, momentText: MomentText): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return numberCell(value)
  const milliseconds = millisecondsOf(value)
  if (milliseconds === undefined) return value.toString()
  return milliseconds === null ? null : (momentText(milliseconds) ?? value.toString())
}

const numberCell = (value: number) => (Number.isFinite(value) ? String(value) : null)

/** The shortest decimal that gives the same 32-bit number; as a double it would show digits that nobody stored. */
function floatCell(value: DuckDBValue): Cell {
  if (typeof value !== 'number') return null
  const digits = [6, 7, 8].find(count => Math.fround(Number(value.toPrecision(count))) === value) ?? 9
  return numberCell(Number(value.toPrecision(digits)))
}

/**
 * Since 1970 in UTC; null for an infinite moment, undefined for what is no moment.
 *
 * (Not by `isFinite`, a call into the library for each cell that costs more than all the rest.)
 */
function millisecondsOf(value: DuckDBValue): number | null | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return isInfinite(value.micros) ? null : floorDivide(value.micros, 1_000)
  }
  if (value instanceof DuckDBDateValue) return Math.abs(value.days) === infiniteDays ? null : value.days * dayMs
  if (value instanceof DuckDBTimestampMillisecondsValue) return isInfinite(value.millis) ? null : Number(value.millis)
  if (value instanceof DuckDBTimestampSecondsValue) {
    return isInfinite(value.seconds) ? null : Number(value.seconds) * 1_000
  }
  if (value instanceof DuckDBTimestampNanosecondsValue) {
    return isInfinite(value.nanos) ? null : floorDivide(value.nanos, 1_000_000)
  }
  return undefined
}

const dayMs = 86_400_000
const infiniteDays = DuckDBDateValue.PosInf.days
/** Of every unit: the largest 64-bit number and its negative. */
const infinite = DuckDBTimestampValue.PosInf.micros
const isInfinite = (value: bigint) => value === infinite || value === -infinite

function floorDivide(value: bigint, by: number): number {
  const approximate = Number(value)
  if (Number.isSafeInteger(approximate)) return Math.floor(approximate / by)
  const rest = ((value % BigInt(by)) + BigInt(by)) % BigInt(by)
  return Number((value - rest) / BigInt(by))
}

/** JSON in which numbers keep all their digits, so a reader that needs them can parse them losslessly. */
function jsonText(value: DuckDBValue, momentText: MomentText): string {
  const entryText = ([name, entry]: readonly [string, DuckDBValue]) =>
    `${JSON.stringify(name)}:${jsonText(entry, momentText)}`
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return `[${value.items.map(item => jsonText(item, momentText)).join(',')}]`
  }
  if (value instanceof DuckDBStructValue) return `{${Object.entries(value.entries).map(entryText).join(',')}}`
  if (value instanceof DuckDBMapValue) {
    const entries = value.entries.map(({ key, value: entry }) => [String(scalarCell(key, momentText)), entry] as const)
    return `{${entries.map(entryText).join(',')}}`
  }
  if (value instanceof DuckDBUnionValue || value instanceof DuckDBVariantValue) return jsonText(value.value, momentText)
  const cell = scalarCell(value, momentText)
  const isNumber = typeof value === 'bigint' || typeof value === 'number' || value instanceof DuckDBDecimalValue
  return isNumber ? String(cell) : JSON.stringify(cell)
}
