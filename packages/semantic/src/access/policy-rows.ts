import { queryError } from '../messages/query-messages.ts'
import { checkFilter, takesNoValues } from '../operators/check-filter.ts'
import type { Member, Source } from '../resolve/model-index.ts'
import type { PolicyFilter, PolicyValue, RowRule } from '../shapes/access.ts'
import type { QueryContext } from '../shapes/query.ts'
import { evaluateExpression } from './evaluate-expression.ts'

export const noRows: RowRule = { kind: 'or', rules: [] }

/** Whether no row can meet it. */
export function isNever(rule: RowRule): boolean {
  if (rule.kind === 'member') return false
  return rule.kind === 'or' ? rule.rules.every(isNever) : rule.rules.some(isNever)
}

/** A policy's filter for one caller. A filter on something that the caller's context doesn't have lets no row pass. */
export function rowRule(filter: PolicyFilter, source: Source, context: QueryContext): RowRule {
  if (filter.kind !== 'member') {
    const rules = filter.filters.map(inner => rowRule(inner, source, context))
    const [only] = rules
    return rules.length === 1 && only ? only : { kind: filter.kind, rules }
  }
  const { operator } = filter
  const member = source.members.get(filter.member)
  if (!member) throw new Error(`A policy of '${source.name}' filters '${filter.member}', which it doesn't have`)
  const at = {
    kind: 'member',
    cube: member.cube.name,
    member: member.definition.name,
    joinPath: member.joinPath,
  } as const
  if (takesNoValues(operator)) return { ...at, operator, values: [] }
  const lists = filter.values.map(value => valuesOf(value, member, context))
  const values = lists.flatMap(list => list ?? [])
  if (values.length === 0 || lists.includes(null)) return noRows
  checkValues(member, operator, values)
  return { ...at, operator, values }
}

/** Null: the caller's context doesn't have it. */
function valuesOf(value: PolicyValue, member: Member, context: QueryContext): readonly (string | null)[] | null {
  if (value.kind === 'literal') return [value.value]
  const parts = value.parts.map(part => (typeof part === 'string' ? part : evaluateExpression(part, context)))
  const [only] = parts
  if (parts.length === 1 && Array.isArray(only)) return only.map(item => textOf(item, member))
  const texts = parts.map(part => (part === undefined || part === null ? null : textOf(part, member)))
  return texts.includes(null) ? null : [texts.join('')]
}

function textOf(value: unknown, member: Member): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw queryError('policy_value', { member: member.id, reason: 'An expression gives neither text nor a number.' })
}

function checkValues({ id, definition }: Member, operator: string, values: readonly (string | null)[]): void {
  if (definition.kind === 'segment') throw new Error(`A policy filters the segment '${id}'`)
  const checked = checkFilter({ operator, values, kind: definition.kind, type: definition.type })
  if ('reason' in checked) throw queryError('policy_value', { member: id, reason: checked.reason })
}
