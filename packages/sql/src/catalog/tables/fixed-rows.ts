import access from '../generated/pg_am.json' with { type: 'json' }
import collations from '../generated/pg_collation.json' with { type: 'json' }
import languages from '../generated/pg_language.json' with { type: 'json' }
import procedures from '../generated/pg_proc.json' with { type: 'json' }
import ranges from '../generated/pg_range.json' with { type: 'json' }
import tablespaces from '../generated/pg_tablespace.json' with { type: 'json' }
import types from '../generated/pg_type.json' with { type: 'json' }
import { isVector } from '../values/types.ts'
import type { Value } from '../values/value.ts'
import type { NamedRow } from './named-rows.ts'

type Cells = readonly (readonly (string | number | boolean | null)[])[]

const vectors = new Set(['proargtypes'])

function named([header = [], ...rows]: Cells): readonly NamedRow[] {
  return rows.map(row =>
    Object.fromEntries(
      header.map((name, index): [string, Value] => {
        const cell = row[index] ?? null
        const isList = vectors.has(String(name)) || isVector(String(name))
        return [
          String(name),
          isList && typeof cell === 'string'
            ? cell
                .split(' ')
                .filter(part => part !== '')
                .map(Number)
            : cell,
        ]
      }),
    ),
  )
}

/** Rows that are the same in every PostgreSQL 15, as `scripts/read-reference.ts` reads them. */
export const fixedRows: ReadonlyMap<string, readonly NamedRow[]> = new Map(
  Object.entries({
    pg_type: types,
    pg_proc: procedures,
    pg_range: ranges,
    pg_am: access,
    pg_language: languages,
    pg_collation: collations,
    pg_tablespace: tablespaces,
  }).map(([name, cells]) => [name, named(cells)]),
)

/** Name and oid of each function that a type is read and written with. */
export const procedureNames: ReadonlyMap<number, string> = new Map(
  procedures.slice(1).map(row => [Number(row[0]), String(row[1])]),
)
export const procedureOids: ReadonlyMap<string, number> = new Map([...procedureNames].map(([oid, name]) => [name, oid]))
