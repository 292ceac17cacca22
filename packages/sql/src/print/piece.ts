import type { SqlType } from '../shapes/types.ts'

/** Text made here, a column to be named by whoever puts the pieces together, or a value to be bound. */
export type Piece =
  | string
  | { readonly kind: 'column'; readonly relation: string; readonly name: string }
  | { readonly kind: 'value'; readonly value: string; readonly type: SqlType }

/** Dialects in which values and queries can be written. */
export type PrintDialect = 'duckdb' | 'postgres'

/** What is asked for cannot be written for this database, so that it is computed elsewhere. */
export class Unprintable extends Error {
  readonly what: string
  readonly at: number

  constructor(what: string, at: number) {
    super(what)
    this.name = 'Unprintable'
    this.what = what
    this.at = at
  }
}

const names: Readonly<Record<PrintDialect, Partial<Record<SqlType, string>>>> = {
  duckdb: {
    bool: 'BOOLEAN',
    int4: 'INTEGER',
    int8: 'BIGINT',
    numeric: 'DECIMAL(38,12)',
    float8: 'DOUBLE',
    text: 'VARCHAR',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'TIMESTAMP',
    timestamptz: 'TIMESTAMP',
    interval: 'INTERVAL',
  },
  postgres: {
    bool: 'boolean',
    int4: 'integer',
    int8: 'bigint',
    numeric: 'numeric',
    float8: 'double precision',
    text: 'text',
    date: 'date',
    time: 'time',
    timestamp: 'timestamp',
    timestamptz: 'timestamp',
    interval: 'interval',
  },
}

/** A type as the dialect writes it. Moments with a zone are the session's local times here. */
export function typeName(dialect: PrintDialect, type: SqlType, at: number): string {
  const name = names[dialect][type]
  if (name === undefined) throw new Unprintable(`A value of type ${type}`, at)
  return name
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The pieces of a list with text between its items. */
export const joined = (items: readonly (readonly Piece[])[], between: string): Piece[] =>
  items.flatMap((item, position) => (position === 0 ? item : [between, ...item]))

/** Puts arguments into a template. */
export function filled(template: string, values: readonly (readonly Piece[])[]): Piece[] {
  return template.split(/(\$\d|\$\*)/).flatMap((part): readonly Piece[] => {
    if (part === '$*') return joined(values, ', ')
    if (!/^\$\d$/.test(part)) return part === '' ? [] : [part]
    return values[Number(part.slice(1)) - 1] ?? []
  })
}
