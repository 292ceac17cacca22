import type { Cell, Column, ColumnType } from '../../shapes/query.ts'
import { doubleCell, momentCell, offsetMomentCell } from '../network/text-cells.ts'

/** What Snowflake says of a column. */
export interface SnowflakeField {
  readonly name: string
  readonly type: string
  readonly precision?: number | undefined
  readonly scale?: number | undefined
}

const types: Readonly<Record<string, ColumnType>> = {
  real: 'double',
  boolean: 'boolean',
  date: 'date',
  timestamp_ntz: 'timestamp',
  timestamp_ltz: 'timestamp',
  timestamp_tz: 'timestamp',
  time: 'time',
  binary: 'binary',
  variant: 'json',
  object: 'json',
  array: 'json',
  map: 'json',
}

/** The session writes times in these forms, which `createCellWriter` reads. */
export const sessionFormats: Readonly<Record<string, string>> = {
  TIMEZONE: 'UTC',
  DATE_OUTPUT_FORMAT: 'YYYY-MM-DD',
  TIME_OUTPUT_FORMAT: 'HH24:MI:SS.FF3',
  TIMESTAMP_NTZ_OUTPUT_FORMAT: 'YYYY-MM-DD HH24:MI:SS.FF3',
  TIMESTAMP_LTZ_OUTPUT_FORMAT: 'YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM',
  TIMESTAMP_TZ_OUTPUT_FORMAT: 'YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM',
  BINARY_OUTPUT_FORMAT: 'HEX',
}

export function columnOf({ name, type, precision, scale = 0 }: SnowflakeField): Column {
  if (type !== 'fixed') return { name, type: types[type] ?? 'string', databaseType: type.toUpperCase() }
  const databaseType = precision === undefined ? 'NUMBER' : `NUMBER(${precision},${scale})`
  return { name, type: scale === 0 ? 'integer' : 'decimal', databaseType }
}

/** Writes cells from the client's text. Made once a column, called once a cell. */
export function createCellWriter({ type }: SnowflakeField): (value: unknown) => Cell {
  const write = writerOf(type)
  return value => (value === null || value === undefined ? null : write(value))
}

function writerOf(type: string): (value: unknown) => Cell {
  switch (type) {
    case 'boolean':
      return value => value === true || value === 'true' || value === '1'
    case 'real':
      return doubleCell
    case 'date':
    case 'timestamp_ntz':
      return momentCell
    case 'timestamp_ltz':
    case 'timestamp_tz':
      return offsetMomentCell
    case 'binary':
      return value => `0x${String(value).toLowerCase()}`
    default:
      return String
  }
}
