import type { Cell, Column, ColumnType } from '../../shapes/query.ts'
import { numberText } from '../network/exact-json.ts'
import { doubleCell, floatCell, momentCell, offsetMomentCell } from '../network/text-cells.ts'
import { readType } from '../network/type-text.ts'
import { zonedMomentCell } from '../network/zoned-moment.ts'

const types: Readonly<Record<string, ColumnType>> = {
  boolean: 'boolean',
  tinyint: 'integer',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  decimal: 'decimal',
  real: 'double',
  double: 'double',
  date: 'date',
  timestamp: 'timestamp',
  'timestamp with time zone': 'timestamp',
  time: 'time',
  'time with time zone': 'time',
  'interval day to second': 'interval',
  'interval year to month': 'interval',
  varbinary: 'binary',
  json: 'json',
  array: 'json',
  map: 'json',
  row: 'json',
}

export function columnOf(name: string, databaseType: string): Column {
  return { name, type: types[readType(databaseType).name] ?? 'string', databaseType }
}

/** Writes cells from Trino's JSON. Made once a column, called once a cell. */
export function createCellWriter(type: string): (value: unknown) => Cell {
  const write = writerOf(readType(type).name)
  return value => (value === null || value === undefined ? null : write(value))
}

function writerOf(name: string): (value: unknown) => Cell {
  switch (name) {
    case 'boolean':
      return value => value === true
    case 'real':
      return floatCell
    case 'double':
      return value => doubleCell(numberText(value))
    case 'date':
    case 'timestamp':
      return momentCell
    case 'timestamp with time zone':
      // `2024-07-01 12:00:00.000 Europe/Berlin`, or an offset in its place.
      return value => (/[A-Za-z]/.test(String(value)) ? zonedMomentCell(value) : offsetMomentCell(value))
    case 'array':
    case 'map':
    case 'row':
      return value => JSON.stringify(value)
    default:
      return numberText
  }
}
