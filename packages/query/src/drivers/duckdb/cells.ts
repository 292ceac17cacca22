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

/** Writes the cells of a column. Chosen once a column, called once a cell. */
export function cellWriterOf(type: DuckDBType): (value: DuckDBValue) => Cell {
  switch (columnTypeOf(type)) {
    case 'json':
      return value => (value === null ? null : jsonText(value))
    case 'double':
      return type.typeId === DuckDBTypeId.FLOAT ? floatCell : scalarCell
    default:
      return scalarCell
  }
}

/** NaN and the infinities, of numbers as of times, have no place in JSON or in a chart: they become null. */
function scalarCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  const milliseconds = millisecondsOf(value)
  if (milliseconds === undefined) return value.toString()
  return milliseconds === null ? null : (isoText(milliseconds) ?? value.toString())
}

/** The shortest decimal that gives the same 32-bit number; as a double it would show digits that nobody stored. */
function floatCell(value: DuckDBValue): Cell {
  if (typeof value !== 'number') return scalarCell(value)
  for (const digits of [6, 7, 8]) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return scalarCell(shorter)
  }
  return scalarCell(Number(value.toPrecision(9)))
}

/** Since 1970 in UTC; null for an infinite moment, undefined for what is no moment. */
function millisecondsOf(value: DuckDBValue): number | null | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return value.isFinite ? floorDivide(value.micros, 1_000n) : null
  }
  if (value instanceof DuckDBDateValue) return value.isFinite ? value.days * 86_400_000 : null
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.isFinite ? Number(value.millis) : null
  if (value instanceof DuckDBTimestampSecondsValue) return value.isFinite ? Number(value.seconds) * 1_000 : null
  if (value instanceof DuckDBTimestampNanosecondsValue)
    return value.isFinite ? floorDivide(value.nanos, 1_000_000n) : null
  return undefined
}

const floorDivide = (value: bigint, by: bigint) => Number((value - (((value % by) + by) % by)) / by)

/** `YYYY-MM-DDTHH:mm:ss.SSS`; undefined beyond the year 275760, which a JavaScript date cannot hold. */
function isoText(milliseconds: number): string | undefined {
  if (Math.abs(milliseconds) > 8.64e15) return undefined
  return new Date(milliseconds).toISOString().slice(0, -1)
}

/** JSON in which numbers keep all their digits, so a reader that needs them can parse them losslessly. */
function jsonText(value: DuckDBValue): string {
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return `[${value.items.map(jsonText).join(',')}]`
  if (value instanceof DuckDBStructValue) {
    return jsonObject(Object.entries(value.entries).map(([name, entry]) => [name, entry]))
  }
  if (value instanceof DuckDBMapValue) {
    return jsonObject(value.entries.map(({ key, value }) => [String(scalarCell(key)), value]))
  }
  if (value instanceof DuckDBUnionValue || value instanceof DuckDBVariantValue) return jsonText(value.value)
  const cell = scalarCell(value)
  const isNumber = typeof value === 'bigint' || typeof value === 'number' || value instanceof DuckDBDecimalValue
  return isNumber ? String(cell) : JSON.stringify(cell)
}

const jsonObject = (entries: readonly (readonly [string, DuckDBValue])[]) =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`).join(',')}}`
