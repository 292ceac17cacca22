import { maskMeasure, maskName } from '../access/mask-measures.ts'
import type { MeasureMember } from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import type { Mask, Measure } from '../shapes/model.ts'
import type { Condition, Expression } from '../shapes/plan.ts'
import { rowRuleCondition, ruleLeafCondition } from './expand.ts'
import type { Expander } from './expander.ts'
import type { JoinPath } from './join-paths.ts'
import { alikeTypes, literalMask } from './literal-masks.ts'
import { seesWays } from './mask-ways.ts'
import { asMeasure, type Rows, rowValue } from './measures.ts'
import { type RuleLeaf, ruleCondition, ruleMembers } from './rule-members.ts'

/** What of a query tells whether a policy's filter holds for all rows of a group. */
export interface Visibility {
  /** Dimensions that rows are grouped by as they are, as `cube.member`, with their position in the grain. */
  readonly grouped: ReadonlyMap<string, number>
  /** Filters that all rows of the query meet. */
  readonly guaranteed: readonly RuleLeaf[]
  /** Whether the query joins tables as these paths say. */
  readonly sees: (ways: readonly JoinPath[]) => boolean
}

export const nothingVisible: Visibility = { grouped: new Map(), guaranteed: [], sees: () => false }

/** How a masked measure is shown in groups: always as it is, never, or where the condition on the group holds. */
type Shown =
  | { readonly kind: 'value' }
  | { readonly kind: 'mask' }
  | { readonly kind: 'either'; readonly rule: RowRule }

function shownIn({ definition }: MeasureMember, { grouped, guaranteed, sees }: Visibility): Shown {
  const except = definition.masking?.except
  if (!definition.masking) return { kind: 'value' }
  if (!except || !sees(definition.masking.ways.except)) return { kind: 'mask' }
  if (isImplied(except, guaranteed)) return { kind: 'value' }
  const isKnown = ruleMembers(except).every(({ cube, member }) => grouped.has(`${cube}.${member}`))
  return isKnown ? { kind: 'either', rule: except } : { kind: 'mask' }
}

/** The measures that have to be aggregated to show this one. */
export function aggregatedFor(member: MeasureMember, visibility: Visibility): Measure[] {
  const { definition } = member
  if (!definition.masking) return [definition]
  const shown = shownIn(member, visibility)
  if (shown.kind === 'value') return [definition]
  const mask = isAggregated(definition, visibility) ? [maskMeasure(definition)] : []
  return shown.kind === 'either' ? [definition, ...mask] : mask
}

/** Whether what is shown of a masked measure is SQL: of rows that the query joins in another way it would tell of others. */
const isAggregated = ({ masking }: Measure, { sees }: Pick<Visibility, 'sees'>): boolean =>
  masking?.mask?.kind === 'sql' && sees(masking.ways.mask)

/**
 * A measure's value in a group, or its mask.
 *
 * @param value of a measure that is aggregated
 * @param group the value of a grain's column, by position, which is the same in all rows of a group
 * @param isAggregated whether what this gives stands where rows are being aggregated
 */
export function shownMeasure(
  expander: Expander,
  member: MeasureMember,
  visibility: Visibility,
  value: (cube: string, name: string) => Expression,
  group: { readonly column: (position: number) => Expression; readonly isAggregated: boolean },
): Expression {
  const { cube, definition } = member
  if (!definition.masking) return value(cube.name, definition.name)
  const shown = shownIn(member, visibility)
  if (shown.kind === 'value') return value(cube.name, definition.name)
  const mask = (isAlone: boolean) =>
    isAggregated(definition, visibility)
      ? value(cube.name, maskName(definition.name))
      : literalGroupMask(definition, isAlone)
  if (shown.kind === 'mask') return mask(group.isAggregated)
  const condition = ruleCondition(shown.rule, leaf => {
    const position = visibility.grouped.get(`${leaf.cube}.${leaf.member}`) ?? 0
    return ruleLeafCondition(expander, leaf, group.column(position))
  })
  const result = value(cube.name, definition.name)
  const [shownValue, hidden] = alikeTypes(definition, result, mask(false))
  return {
    kind: 'case',
    when: [{ condition: group.isAggregated ? holdsForGroup(condition) : condition, result: shownValue }],
    otherwise: hidden,
  }
}

function literalGroupMask({ type, masking }: Measure, isAlone: boolean): Expression {
  const constant = literalMask(masking?.mask ?? null, type)
  if (!isAlone) return constant
  // What aggregates nothing would be a value for each row.
  const count: Expression = { kind: 'aggregate', function: 'count', input: null }
  const always: Condition = { kind: 'sql', expression: { kind: 'sql', parts: [count, ' >= 0'] } }
  return { kind: 'case', when: [{ condition: always, result: constant }], otherwise: null }
}

/** A condition that has one answer in a group, written so that every database sees that it has. */
function holdsForGroup(condition: Condition): Condition {
  const flag: Expression = {
    kind: 'case',
    when: [{ condition, result: { kind: 'one' } }],
    otherwise: { kind: 'sql', parts: ['0'] },
  }
  const smallest: Expression = { kind: 'aggregate', function: 'min', input: flag }
  return { kind: 'sql', expression: { kind: 'sql', parts: [smallest, ' = 1'] } }
}

/** A measure's value for one row, or its mask. SQL of a mask aggregates, so that a row shows none of it. */
export function shownRowValue(rows: Rows, { cube, definition }: MeasureMember): Expression {
  const { masking, ...plain } = definition
  if (!masking) return rowValue(rows, cube.name, plain)
  const { expander } = rows
  const mask: Mask | null = masking.mask?.kind === 'sql' ? null : masking.mask
  const hidden = literalMask(mask, definition.type)
  const { index, tree } = expander
  if (!masking.except || (tree && !seesWays(index, tree, masking.ways.except))) return hidden
  const value = rowValue(rows, cube.name, asMeasure(expander.index, cube.name, definition.name))
  const [shown, otherwise] = alikeTypes(definition, value, hidden)
  return {
    kind: 'case',
    when: [{ condition: rowRuleCondition(expander, masking.except), result: shown }],
    otherwise,
  }
}

/** Whether a rule holds wherever all of the filters hold; `false` where that can't be told. */
function isImplied(rule: RowRule, guaranteed: readonly RuleLeaf[]): boolean {
  if (rule.kind !== 'member') {
    const isMet = (inner: RowRule) => isImplied(inner, guaranteed)
    return rule.kind === 'and' ? rule.rules.every(isMet) : rule.rules.some(isMet)
  }
  const { cube, member, operator, values } = rule
  return guaranteed.some(leaf => {
    if (leaf.cube !== cube || leaf.member !== member) return false
    const isSubset = leaf.values.every(value => values.includes(value))
    const isEqual = isSubset && values.every(value => leaf.values.includes(value))
    if (leaf.operator === operator && isEqual) return true
    const isListing = (name: string) => name === 'equals' || name === 'in'
    return isListing(leaf.operator) && isListing(operator) && leaf.values.length > 0 && isSubset
  })
}
