import { queryError } from '../messages/query-messages.ts'
import type { BoundSql, Switch } from '../shapes/model.ts'
import type { Condition, Expression } from '../shapes/plan.ts'
import type { DimensionType } from '../shapes/vocabulary.ts'
import { filterCondition } from './conditions.ts'

/** What no branch says. */
export const absent: Expression = { kind: 'sql', parts: ['NULL'] }

/**
 * The branch of a switch's value; null where there is none.
 *
 * @throws {QueryError} when no value was chosen
 */
export function chosenBranch(
  { cube, dimension, when, otherwise }: Switch,
  value: string | undefined,
  member: string,
): BoundSql | null {
  if (value === undefined) throw queryError('switch_undecided', { member, dimension: `${cube}.${dimension}` })
  return when.find(branch => branch.value === value)?.sql ?? otherwise
}

/** The branch of a value that is known for each row or group. */
export function choiceCase(
  { when, otherwise }: Switch,
  type: DimensionType,
  on: Expression,
  expand: (sql: BoundSql) => Expression,
): Expression {
  const is = (value: string): Condition =>
    filterCondition(
      { member: '', operator: 'equals', values: [value] },
      { kind: 'dimension', type, expression: on },
      'UTC',
    )
  const otherwiseValue = otherwise && expand(otherwise)
  if (when.length === 0) return otherwiseValue ?? absent
  return {
    kind: 'case',
    when: when.map(({ value, sql }) => ({ condition: is(value), result: expand(sql) })),
    otherwise: otherwiseValue,
  }
}
