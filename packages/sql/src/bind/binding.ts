import type { ListedSource, ListedSources } from '@hedron/semantic'
import type { Bound, BoundQuery, BoundSortKey } from '../shapes/bound.ts'
import type { Expression, Query, SortKey } from '../shapes/tree.ts'
import type { CommonTables, Scope } from './scope.ts'

/** What a statement may refer to, and by whom and when it is asked. */
export interface Surroundings {
  readonly sources: ListedSources
  /** Texts that functions of no argument give, by name: `current_user`, `version`. */
  readonly constants: ReadonlyMap<string, string>
  /** The local time of the session, `YYYY-MM-DDTHH:mm:ss.SSS`. */
  readonly now: string
  /** Values of `$1`, `$2`, … as text; null: not known yet, when only the types are asked for. */
  readonly parameters: readonly (string | null)[] | null
  /** Numbers of the parameters that a client sends as moments with a zone. */
  readonly zonedParameters?: ReadonlySet<number>
}

/** Names in which a statement is bound to what it refers to. */
export interface Binding extends Surroundings {
  /** A name that nothing else in the statement has. */
  unique(prefix: string): string
  readonly query: (query: Query, parent: Scope | null, common: CommonTables) => BoundQuery
  readonly expression: (expression: Expression, scope: Scope) => Bound
}

export const sortKeys = (binding: Binding, keys: readonly SortKey[], scope: Scope): BoundSortKey[] =>
  keys.map(({ value, descending, nullsFirst }) => ({ value: binding.expression(value, scope), descending, nullsFirst }))

/** The cube or view of that name; names that were not quoted came in lower case. */
export function findSource({ sources }: Surroundings, name: string): ListedSource | null {
  const found = sources.find(name)
  if (found) return found
  const alike = sources.names().filter(candidate => candidate.toLowerCase() === name.toLowerCase())
  const [only] = alike
  return only !== undefined && alike.length === 1 ? sources.find(only) : null
}
