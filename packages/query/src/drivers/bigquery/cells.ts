import type { Cell, Column, ColumnType } from '../../shapes/query.ts'
import { doubleCell, momentCell } from '../network/text-cells.ts'

/** A column or a part of one, as BigQuery's REST interface describes it (TableFieldSchema). */
export interface BigQueryField {
  readonly name?: string
  readonly type?: string
  readonly mode?: string
  readonly fields?: readonly BigQueryField[]
}

const types: Readonly<Record<string, ColumnType>> = {
  INTEGER: 'integer',
  INT64: 'integer',
  FLOAT: 'double',
  FLOAT64: 'double',
  NUMERIC: 'decimal',
  BIGNUMERIC: 'decimal',
  BOOLEAN: 'boolean',
  BOOL: 'boolean',
  TIMESTAMP: 'timestamp',
  DATETIME: 'timestamp',
  DATE: 'date',
  TIME: 'time',
  INTERVAL: 'interval',
  BYTES: 'binary',
  JSON: 'json',
  RECORD: 'json',
  STRUCT: 'json',
}

const typeOf = ({ type = 'STRING' }: BigQueryField): ColumnType => types[type.toUpperCase()] ?? 'string'

export function columnOf(field: BigQueryField): Column {
  const { name = '', type = 'STRING', mode } = field
  if (mode === 'REPEATED') return { name, type: 'json', databaseType: `ARRAY<${type}>` }
  return { name, type: typeOf(field), databaseType: type }
}

/** Writes cells from the text that BigQuery sends for all values. Made once a column, called once a cell. */
export function createCellWriter(field: BigQueryField): (value: unknown) => Cell {
  const write = field.mode === 'REPEATED' ? listWriter(field) : writerOf(field)
  return value => (value === null || value === undefined ? null : write(value))
}

function writerOf(field: BigQueryField): (value: unknown) => Cell {
  if (field.fields) return recordWriter(field.fields)
  switch (field.type?.toUpperCase()) {
    case 'BOOLEAN':
    case 'BOOL':
      return value => String(value) === 'true'
    case 'FLOAT':
    case 'FLOAT64':
      return doubleCell
    case 'TIMESTAMP':
      return microsecondsCell
    case 'DATE':
    case 'DATETIME':
      return momentCell
    case 'BYTES':
      return value => `0x${Buffer.from(String(value), 'base64').toString('hex')}`
    default:
      return String
  }
}

/** Since 1970, in UTC. Years that JavaScript's dates don't write with four digits are none that BigQuery has. */
function microsecondsCell(value: unknown): Cell {
  const microseconds = BigInt(String(value))
  const rest = ((microseconds % 1_000n) + 1_000n) % 1_000n
  return new Date(Number((microseconds - rest) / 1_000n)).toISOString().slice(0, -1)
}

const contentOf = (part: unknown): unknown => (typeof part === 'object' && part !== null && 'v' in part ? part.v : null)

export const partsOf = (record: unknown): readonly unknown[] => {
  const parts: unknown = typeof record === 'object' && record !== null && 'f' in record ? record.f : []
  return Array.isArray(parts) ? parts.map(contentOf) : []
}

function listWriter({ mode: _, ...element }: BigQueryField): (value: unknown) => string {
  const write = jsonWriter(element)
  return value => `[${(Array.isArray(value) ? value : []).map(part => write(contentOf(part))).join(',')}]`
}

function recordWriter(fields: readonly BigQueryField[]): (value: unknown) => string {
  const writers = fields.map(jsonWriter)
  return value => {
    const entries = partsOf(value).map((part, index) => {
      return `${JSON.stringify(fields[index]?.name ?? '')}:${writers[index]?.(part) ?? 'null'}`
    })
    return `{${entries.join(',')}}`
  }
}

/** Numbers with all their digits. */
function jsonWriter(field: BigQueryField): (value: unknown) => string {
  const write = createCellWriter(field)
  const { type } = columnOf(field)
  const isWritten = ['integer', 'decimal', 'double', 'boolean', 'json'].includes(type)
  return value => {
    const cell = write(value)
    return isWritten || cell === null ? String(cell) : JSON.stringify(cell)
  }
}
