import { queryError } from '../messages/query-messages.ts'
import type { MemberFilter } from '../shapes/query.ts'

/**
 * Whether a text that is known while planning meets a filter, as a text in a column would.
 *
 * @throws {QueryError} for an operator that is not for text
 */
export function meetsFilter({ member, operator, values }: MemberFilter, value: string): boolean {
  const present = values.filter(given => given !== null)
  if (operator === 'set') return true
  if (operator === 'notSet') return false
  const isNegated = /^not[A-Z]/.test(operator)
  const holds = operatorsOfText[operator.replace(/^not(?=[A-Z])/, '').toLowerCase()]
  if (!holds) throw queryError('switch_filter', { dimension: member })
  return holds(value, present) !== isNegated
}

type Holds = (value: string, given: readonly string[]) => boolean

const ignoringCase =
  (holds: (value: string, part: string) => boolean): Holds =>
  (value, given) =>
    given.some(part => holds(value.toLowerCase(), part.toLowerCase()))

const operatorsOfText: Readonly<Record<string, Holds | undefined>> = {
  equals: (value, given) => given.includes(value),
  in: (value, given) => given.includes(value),
  contains: ignoringCase((value, part) => value.includes(part)),
  startswith: ignoringCase((value, part) => value.startsWith(part)),
  endswith: ignoringCase((value, part) => value.endsWith(part)),
}
