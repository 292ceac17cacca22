import type { Cell, Column, Result } from './result.ts'

/** The columns of `/v1/cubesql` and of the chat's SQL tool. */
export interface SqlColumn {
  readonly name: string
  readonly column_type: string
}

/** The rows of a statement. `totalRows` where the answer holds only the first of them. */
export function resultOfSql(
  schema: readonly SqlColumn[],
  data: readonly (readonly Cell[])[],
  totalRows?: number,
): Result {
  const columns = schema.map(
    ({ name, column_type }): Column => ({ name, title: titleOf(name), type: typeOf(column_type) }),
  )
  return { columns, rows: data, ...(totalRows === undefined || totalRows <= data.length ? {} : { totalRows }) }
}

/** Titles as the model makes them of names: `order_count` is "Order Count". Names with capitals or spaces are somebody's own words. */
function titleOf(name: string): string {
  if (/[A-Z\s]/.test(name)) return name
  return name
    .split(/[_.]+/)
    .filter(part => part !== '')
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')
}

function typeOf(type: string): Column['type'] {
  if (/^(?:u?int|float|double|decimal|numeric|real|bigint|smallint|number)/i.test(type)) return 'number'
  if (/^(?:timestamp|date|time\b)/i.test(type)) return 'time'
  return /^bool/i.test(type) ? 'boolean' : 'string'
}
