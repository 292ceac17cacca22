import { QueryError } from '../messages/query-messages.ts'
import { checkFilter } from '../operators/check-filter.ts'
import type { DefaultFilter, ViewMember } from '../shapes/model.ts'
import type { MemberPath, ViewSpec } from '../shapes/tree.ts'
import type { FilterOperator } from '../shapes/vocabulary.ts'
import { normalizeDates } from '../time/filter-dates.ts'
import type { Names } from './names.ts'
import { mayBeUnreadable } from './unreadable-members.ts'

/** Binds the filters that a view puts on every query. */
export function resolveDefaultFilters(spec: ViewSpec, members: readonly ViewMember[], names: Names): DefaultFilter[] {
  const view = spec.name.value
  const known = members.map(({ name }) => name)
  const find = (path: MemberPath): ViewMember | null => {
    const found = findViewMember(path.value, view, members)
    if (!found && !mayBeUnreadable(spec, path.value.at(-1) ?? '', names)) {
      names.log.report(path.at, 'default_filter_member', { member: path.value.join('.'), view, known })
    }
    return found
  }
  return spec.defaultFilters.flatMap(filter => {
    const member = find(filter.member)
    const unless = filter.unless.flatMap(path => find(path)?.name ?? [])
    if (!member || names.isIncomplete(member.cube, member.member)) return []
    const target = names.membersOf(member.cube)?.get(member.member)
    if (target?.kind !== 'dimension') {
      names.log.report(filter.member.at, 'default_filter_dimension', { member: member.name, view })
      return []
    }
    const values = filter.values ?? []
    const checked = checkFilter({ operator: filter.operator.value, values, kind: 'dimension', type: target.spec.type })
    if ('reason' in checked) {
      names.log.report(filter.operator.at, 'default_filter_values', checked)
      return []
    }
    const undated = target.spec.type === 'time' ? undatedReason(checked.operator, values) : null
    if (undated !== null) {
      names.log.report(filter.operator.at, 'default_filter_values', { reason: undated })
      return []
    }
    return [{ member: member.name, operator: checked.operator, values, unless }]
  })
}

/** Why values can't be read as dates. Which day it is makes no difference to that. */
function undatedReason(operator: FilterOperator, values: readonly (string | null)[]): string | null {
  try {
    normalizeDates(operator, values, { now: Date.UTC(2000, 0, 1), timezone: 'UTC' })
    return null
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
}

/** The view's own name of a member, or the path of the cube's member that it stands for. */
function findViewMember(path: readonly string[], view: string, members: readonly ViewMember[]): ViewMember | null {
  const name = path.at(-1)
  const owner = path.at(-2)
  return (
    members.find(member =>
      owner === undefined || owner === view || owner === 'CUBE'
        ? member.name === name
        : member.cube === owner && member.member === name,
    ) ?? null
  )
}
