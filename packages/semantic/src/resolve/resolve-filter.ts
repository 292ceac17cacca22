import { QueryError } from '../messages/query-messages.ts'
import { checkFilter } from '../operators/check-filter.ts'
import type { ModelFilter, StageFilter } from '../shapes/model.ts'
import type { MemberPath, ModelFilterSpec, StageFilterSpec } from '../shapes/tree.ts'
import { normalizeDates } from '../time/filter-dates.ts'
import { findMember, type Scope } from './resolve-member.ts'

/** Binds what a multi-stage member does to the filters of its inner measures. */
export function resolveStageFilter(spec: StageFilterSpec, of: string, scope: Scope): StageFilter {
  const ids = (paths: readonly MemberPath[]) => paths.flatMap(path => filterableId(path, of, scope) ?? [])
  return {
    isFixed: spec.isFixed,
    keepOnly: spec.keepOnly && ids(spec.keepOnly),
    exclude: ids(spec.exclude),
    include: spec.include.flatMap(filter => resolveModelFilter(filter, of, scope) ?? []),
  }
}

function filterableId(path: MemberPath, of: string, { cube, names }: Scope): string | null {
  const found = findMember(path, cube, names)
  if (!found) return null
  if (found.kind !== 'hierarchy') return found.id
  const words = { of, member: path.value.join('.'), kind: found.kind, allowed: 'dimensions, segments or measures' }
  names.log.report(path.at, 'stage_member', words)
  return null
}

/** Checks a filter as that of a query is checked, and binds its member. */
function resolveModelFilter(spec: ModelFilterSpec, of: string, scope: Scope): ModelFilter | null {
  const { cube, names } = scope
  const all = (filters: readonly ModelFilterSpec[]) =>
    filters.flatMap(filter => resolveModelFilter(filter, of, scope) ?? [])
  if ('and' in spec) return { and: all(spec.and) }
  if ('or' in spec) return { or: all(spec.or) }
  const found = findMember(spec.member, cube, names)
  if (!found) return null
  const [owner = '', name = ''] = found.id.split('.')
  if (names.isIncomplete(owner, name)) return null
  const member = names.membersOf(owner)?.get(name)
  if (member?.kind !== 'dimension' && member?.kind !== 'measure') {
    const words = { of, member: spec.member.value.join('.'), kind: found.kind, allowed: 'dimensions or measures' }
    names.log.report(spec.member.at, 'stage_member', words)
    return null
  }
  const { values } = spec
  const { type } = member.spec
  const checked = checkFilter({ operator: spec.operator.value, values, kind: member.kind, type })
  const reason = 'reason' in checked ? checked.reason : type === 'time' ? undated(checked.operator, values) : null
  if ('reason' in checked || reason !== null) {
    names.log.report(spec.operator.at, 'stage_filter', { of, reason: reason ?? '' })
    return null
  }
  return { member: found.id, operator: checked.operator, values }
}

/** Why values can't be read as dates that are the same on every day; null when they can. */
function undated(operator: Parameters<typeof normalizeDates>[0], values: readonly (string | null)[]): string | null {
  const datesOn = (now: number) => normalizeDates(operator, values, { now, timezone: 'UTC' }).join()
  try {
    const isFixed = datesOn(Date.UTC(2000, 0, 1)) === datesOn(Date.UTC(2020, 5, 15, 12))
    return isFixed ? null : `'${values.join()}' is another date every day. Write a date such as 2024-03-31.`
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
}
