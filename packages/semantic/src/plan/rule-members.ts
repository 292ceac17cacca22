import { queryError } from '../messages/query-messages.ts'
import type { RowRule } from '../shapes/access.ts'
import type { Condition } from '../shapes/plan.ts'
import type { QueryContext } from '../shapes/query.ts'
import { normalizeDates } from '../time/filter-dates.ts'
import { localNow } from '../time/local-time.ts'

/** One filter of a policy. */
export type RuleLeaf = Extract<RowRule, { kind: 'member' }>

/** The filters that a rule is made of. */
export const ruleMembers = (rule: RowRule): readonly RuleLeaf[] =>
  rule.kind === 'member' ? [rule] : rule.rules.flatMap(ruleMembers)

/** A rule as a condition, each of its filters as `leaf` writes it. */
export function ruleCondition(rule: RowRule, leaf: (leaf: RuleLeaf) => Condition): Condition {
  if (rule.kind === 'member') return leaf(rule)
  return { kind: rule.kind, conditions: rule.rules.map(inner => ruleCondition(inner, leaf)) }
}

/** The local times that a policy's values stand for in a query's zone. */
export const ruleDates = ({ member, operator, values }: RuleLeaf, context: QueryContext, timezone: string) =>
  normalizeDates(operator, values, new RuleClock(member, context, timezone))

/** Tells the time to those values alone that depend on it. A class: see `LazySource`. */
class RuleClock {
  readonly timezone: string
  readonly #member: string
  readonly #context: QueryContext

  constructor(member: string, context: QueryContext, timezone: string) {
    this.#member = member
    this.#context = context
    this.timezone = timezone
  }

  get now() {
    if (this.#context.now) return localNow(this.#context.now, this.timezone)
    throw queryError('policy_value', { member: this.#member, reason: 'It is about a time that depends on today.' })
  }
}
