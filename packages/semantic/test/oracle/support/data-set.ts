/** Rows for all engines, from one definition. Types are words that PostgreSQL and DuckDB both have. */
export interface DataSet {
  readonly name: string
  readonly tables: Readonly<Record<string, Table>>
}

export type ColumnType =
  | 'integer'
  | 'bigint'
  | 'decimal(12, 2)'
  | 'double precision'
  | 'varchar'
  | 'boolean'
  | 'timestamp'
  | 'date'
export type Cell = string | number | boolean | null

export interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly rows: readonly (readonly Cell[])[]
}

/** Statements that make the data set in a schema of its own. */
export function createStatements({ name, tables }: DataSet): string[] {
  return [
    `CREATE SCHEMA ${name}`,
    ...Object.entries(tables).flatMap(([table, { columns, rows }]) => {
      const types = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
      const create = `CREATE TABLE ${name}.${table} (${types.join(', ')})`
      if (rows.length === 0) return [create]
      return [
        create,
        `INSERT INTO ${name}.${table} VALUES ${rows.map(row => `(${row.map(literal).join(', ')})`).join(', ')}`,
      ]
    }),
  ]
}

const literal = (cell: Cell) => (typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell))

/** Numbers that look random and are the same in every run (a linear congruential generator). */
export function createNumbers(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return {
    /** A whole number from 0, below `limit`. */
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(values: readonly [T, ...T[]]): T => values[Math.floor(next() * values.length)] ?? values[0],
  }
}
