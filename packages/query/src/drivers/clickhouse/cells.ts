import type { Cell, Column, ColumnType } from '../../shapes/query.ts'
import { doubleCell, floatCell, momentCell } from '../network/text-cells.ts'
import { readType } from '../network/type-text.ts'

export function columnOf(name: string, databaseType: string): Column {
  return { name, type: columnTypeOf(databaseType), databaseType }
}

/** The type itself, of one that may be null or is stored by a dictionary. */
function bare(type: string): string {
  const { name, inner } = readType(type)
  return (name === 'Nullable' || name === 'LowCardinality') && inner[0] !== undefined ? bare(inner[0]) : type
}

function columnTypeOf(type: string): ColumnType {
  const { name } = readType(bare(type))
  if (name === 'Bool') return 'boolean'
  if (/^U?Int\d+$/.test(name)) return 'integer'
  if (/^B?Float\d+$/.test(name)) return 'double'
  if (/^Decimal\d*$/.test(name)) return 'decimal'
  if (/^Date(32)?$/.test(name)) return 'date'
  if (/^DateTime(64)?$/.test(name)) return 'timestamp'
  if (/^Time(64)?$/.test(name)) return 'time'
  if (name.startsWith('Interval')) return 'interval'
  return /^(Array|Tuple|Map|Nested|JSON|Object|Variant|Dynamic)$/.test(name) ? 'json' : 'string'
}

/**
 * Writes cells from ClickHouse's JSON, in which the settings of the driver have numbers of 64 bits and more, and decimals, as
 * text and times in UTC. Made once a column, called once a cell.
 */
export function createCellWriter(type: string): (value: unknown) => Cell {
  const write = writerOf(type)
  return value => (value === null || value === undefined ? null : write(value))
}

function writerOf(type: string): (value: unknown) => Cell {
  switch (columnTypeOf(type)) {
    case 'boolean':
      return value => value === true
    case 'double':
      return readType(bare(type)).name === 'Float64' ? doubleCell : floatCell
    case 'date':
    case 'timestamp':
      return momentCell
    case 'json':
      return jsonWriter(type)
    default:
      return String
  }
}

/** JSON text in which numbers are numbers again, with all their digits. */
function jsonWriter(type: string): (value: unknown) => string {
  const { name, inner } = readType(bare(type))
  if (name === 'Array') {
    const write = partWriter(inner[0] ?? 'String')
    return value => `[${(Array.isArray(value) ? value : []).map(write).join(',')}]`
  }
  if (name === 'Map') return objectWriter(() => partWriter(inner[1] ?? 'String'))
  if (name === 'Tuple') {
    const parts = inner.map(part => /^(?:`((?:[^`\\]|\\.)*)`|(\w+)) (.+)$/s.exec(part))
    const writers = inner.map((part, index) => partWriter(parts[index]?.[3] ?? part))
    const byName = new Map(parts.map((part, index) => [part?.[1] ?? part?.[2] ?? '', writers[index] ?? JSON.stringify]))
    const asObject = objectWriter(key => byName.get(key) ?? JSON.stringify)
    return value =>
      Array.isArray(value)
        ? `[${value.map((item, index) => (writers[index] ?? JSON.stringify)(item)).join(',')}]`
        : asObject(value)
  }
  return value => JSON.stringify(value)
}

function objectWriter(writerOfKey: (key: string) => (value: unknown) => string): (value: unknown) => string {
  return value =>
    `{${Object.entries(value ?? {})
      .map(([key, entry]) => `${JSON.stringify(key)}:${writerOfKey(key)(entry)}`)
      .join(',')}}`
}

function partWriter(type: string): (value: unknown) => string {
  const columnType = columnTypeOf(type)
  const write = createCellWriter(type)
  const isWritten = ['integer', 'decimal', 'double', 'json', 'boolean'].includes(columnType)
  return value => {
    const cell = write(value)
    return isWritten || cell === null ? String(cell) : JSON.stringify(cell)
  }
}
