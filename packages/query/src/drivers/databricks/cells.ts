import type { Cell, Column, ColumnType } from '../../shapes/query.ts'
import { doubleCell, floatCell, offsetMomentCell } from '../network/text-cells.ts'
import type { DatabricksField } from './protocol.ts'

/** By the API's words; what has none of its own is told by the words of SQL. */
const types: Readonly<Record<string, ColumnType>> = {
  BYTE: 'integer',
  SHORT: 'integer',
  INT: 'integer',
  LONG: 'integer',
  DECIMAL: 'decimal',
  FLOAT: 'double',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_NTZ: 'timestamp',
  INTERVAL: 'interval',
  BINARY: 'binary',
  ARRAY: 'json',
  MAP: 'json',
  STRUCT: 'json',
  VARIANT: 'json',
}

export function columnOf({ name, type, text }: DatabricksField): Column {
  return { name, type: types[type] ?? types[text.toUpperCase()] ?? 'string', databaseType: text }
}

/** Writes cells from the API's text, in which numbers have all their digits. Made once a column, called once a cell. */
export function createCellWriter(field: DatabricksField): (value: unknown) => Cell {
  const write = writerOf(columnOf(field).type, field.type)
  return value => (value === null || value === undefined ? null : write(value))
}

function writerOf(type: ColumnType, databaseType: string): (value: unknown) => Cell {
  switch (type) {
    case 'boolean':
      return value => value === 'true' || value === true
    case 'double':
      return databaseType === 'FLOAT' ? floatCell : doubleCell
    case 'date':
    case 'timestamp':
      return offsetMomentCell
    default:
      return value => (typeof value === 'string' ? value : JSON.stringify(value))
  }
}
