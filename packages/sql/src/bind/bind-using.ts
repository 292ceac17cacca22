import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import type { FromItem } from '../shapes/tree.ts'
import { alike } from './coerce.ts'
import { type FoundColumn, isMerged, lookUp, type MergedColumn, type Scope, type ScopeRelation } from './scope.ts'

type Join = Extract<FromItem, { kind: 'join' }>

/** The condition of `JOIN … USING (a, b)`, each name of which is one column from then on. */
export function bindUsing(
  scope: Scope,
  { using, type, at }: Pick<Join, 'using' | 'type' | 'at'>,
  [left, right]: readonly [readonly ScopeRelation[], readonly ScopeRelation[]],
): Bound {
  const [first] = left
  if (!first) throw new Error('a join has tables')
  const on: Bound[] = []
  const made: MergedColumn[] = []
  for (const name of using) {
    const sides = [only(scope, left, name, at), only(scope, right, name, at)] as const
    const { values } = alike([sides[0].value, sides[1].value], 'JOIN/USING')
    on.push({ kind: 'call', call: 'operator =', arguments: values, type: 'bool', at })
    made.push({ name, value: mergedValue(type, sides), of: sides.flatMap(({ of }) => of), first: first.id })
  }
  const isKept = ({ of }: MergedColumn) => !of.some(({ relation, name }) => isMerged(made, relation, name))
  scope.merged = [...made, ...scope.merged.filter(isKept)]
  // A natural join of what shares no name joins every row with every row.
  if (on.length === 0) return { kind: 'constant', value: 'true', type: 'bool', at }
  return { kind: 'logical', operator: 'and', operands: on, type: 'bool', at }
}

/**
 * The names by which `NATURAL JOIN` joins, as the left side has them in order. Cubes and views share names that mean different things
 * (`id`, `count`), and are joined as the model says.
 *
 * @throws {SqlError} 0A000 where a side has a cube or view
 */
export function namesOfBoth(
  { merged }: Pick<Scope, 'merged'>,
  [left, right]: readonly [readonly ScopeRelation[], readonly ScopeRelation[]],
  at: number,
): string[] {
  if ([...left, ...right].some(({ isModel }) => isModel)) {
    const hint = 'Join cubes by CROSS JOIN or __cubeJoinField, or name the columns: USING (...)'
    throw unsupported('NATURAL JOIN of cubes and views', at, hint)
  }
  const namesOf = (side: readonly ScopeRelation[]) => [
    ...merged.filter(({ first }) => side.some(({ id }) => id === first)).map(({ name }) => name),
    ...side.flatMap(({ columns }) => columns.filter(({ isHidden }) => !isHidden).map(({ name }) => name)),
  ]
  const others = new Set(namesOf(right))
  return [...new Set(namesOf(left))].filter(name => others.has(name))
}

function only(scope: Scope, side: readonly ScopeRelation[], name: string, at: number): FoundColumn {
  const [found, more] = lookUp(scope, side, undefined, name, at)
  if (!found) throw new SqlError('42703', `column "${name}" specified in USING clause does not exist`, at)
  if (more) throw new SqlError('42702', `common column name "${name}" appears more than once in a table`, at)
  return found
}

/** Of an outer join the side that keeps all of its rows; of a full one whichever has a value. */
function mergedValue(type: Join['type'], [left, right]: readonly [FoundColumn, FoundColumn]): Bound {
  if (type === 'right') return right.value
  if (type !== 'full') return left.value
  const { values, type: common } = alike([left.value, right.value], 'JOIN/USING')
  return { kind: 'call', call: 'coalesce', arguments: values, type: common, at: left.value.at }
}
