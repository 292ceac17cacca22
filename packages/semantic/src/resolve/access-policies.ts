import { QueryError } from '../messages/query-messages.ts'
import { checkFilter } from '../operators/check-filter.ts'
import type { AccessPolicy, MemberList, PolicyFilter, PolicyValue } from '../shapes/access.ts'
import type { ViewMember } from '../shapes/model.ts'
import type { Position } from '../shapes/source.ts'
import type { AccessPolicySpec, CubeSpec, Located, MemberListSpec, PolicyFilterSpec, ViewSpec } from '../shapes/tree.ts'
import type { DimensionType, MeasureType } from '../shapes/vocabulary.ts'
import { normalizeDates } from '../time/filter-dates.ts'
import type { MemberSpec, Names } from './names.ts'
import { mayBeUnreadable } from './unreadable-members.ts'

/** The cube or view whose policies are bound. */
interface Owner {
  readonly name: string
  readonly names: Names
  /** `undefined` when there is no such member. */
  find(member: string): MemberSpec | undefined
  /** Names that members may be meant to have, hierarchies included. */
  readonly known: readonly string[]
  mayBeUnreadable(member: string): boolean
}

export function resolveCubePolicies(spec: CubeSpec, names: Names): AccessPolicy[] {
  if (spec.accessPolicy.length === 0) return []
  const name = spec.name.value
  const members = names.membersOf(name)
  return resolvePolicies(spec.accessPolicy, {
    name,
    names,
    find: member => members?.get(member),
    known: [...(members?.keys() ?? [])],
    mayBeUnreadable: member => names.isIncomplete(name, member),
  })
}

export function resolveViewPolicies(spec: ViewSpec, members: readonly ViewMember[], names: Names): AccessPolicy[] {
  if (spec.accessPolicy.length === 0) return []
  const byName = new Map(members.map(member => [member.name, member]))
  return resolvePolicies(spec.accessPolicy, {
    name: spec.name.value,
    names,
    find(member) {
      const shown = byName.get(member)
      return shown && names.membersOf(shown.cube)?.get(shown.member)
    },
    known: [...byName.keys()],
    mayBeUnreadable: member => mayBeUnreadable(spec, member, names),
  })
}

const resolvePolicies = (policies: readonly AccessPolicySpec[], owner: Owner): AccessPolicy[] =>
  policies.map(policy => ({
    groups: policy.groups,
    conditions: policy.conditions,
    shown: policy.memberLevel && resolveList(policy.memberLevel, owner, ''),
    masked: policy.memberMasking && resolveList(policy.memberMasking, owner, 'masking '),
    // A filter that can't be bound was reported, so that the model is not used.
    rows: policy.rows && (resolveFilter(policy.rows, owner) ?? { kind: 'or', filters: [] }),
  }))

function resolveList({ includes, excludes }: MemberListSpec, owner: Owner, which: string): MemberList {
  const resolve = (list: '*' | readonly Located<string>[], as: string) =>
    list === '*' ? list : list.flatMap(({ value, at }) => findName(value, at, as, owner) ?? [])
  return {
    includes: resolve(includes, `${which === '' ? 'an' : `a ${which.trim()}`} includes member`),
    excludes: resolve(excludes, `${which === '' ? 'an' : `a ${which.trim()}`} excludes member`),
  }
}

/** A member's name alone; the name of the cube or view may stand before it. */
function findName(written: string, at: Position, as: string, owner: Owner): string | null {
  const { name: source, names } = owner
  const path = written.split('.')
  const member = path.at(-1) ?? ''
  const before = path.slice(0, -1)
  if (before.length > 1 || (before[0] !== undefined && before[0] !== source && before[0] !== 'CUBE')) {
    names.log.report(at, 'policy_path', { member: written, as, source })
    return null
  }
  if (owner.known.includes(member)) return member
  if (!owner.mayBeUnreadable(member)) {
    names.log.report(at, 'policy_member', { member: written, as, source, known: owner.known })
  }
  return null
}

function resolveFilter(spec: PolicyFilterSpec, owner: Owner): PolicyFilter | null {
  if (spec.kind !== 'member') {
    const filters = spec.filters.map(filter => resolveFilter(filter, owner))
    return filters.every(filter => filter !== null) ? { kind: spec.kind, filters } : null
  }
  const { log } = owner.names
  const written = spec.member.value.join('.')
  const member = findName(written, spec.member.at, 'a filter member reference', owner)
  const target = member === null ? undefined : owner.find(member)
  if (member === null || !target || owner.mayBeUnreadable(member)) return null
  const fail = (at: Position, reason: string) => {
    log.report(at, 'policy_filter', { member: written, reason })
    return null
  }
  if (target.kind === 'segment' || target.kind === 'hierarchy') {
    return fail(spec.member.at, `it is a ${target.kind}. Rows are filtered by dimensions.`)
  }
  if (target.kind === 'dimension' && target.spec.stage) {
    return fail(
      spec.member.at,
      'it is multi-stage, computed from groups of rows. Rows are filtered by dimensions of rows.',
    )
  }
  const isMeasureFilter = spec.operator.value === 'measureFilter'
  if (target.kind === 'measure' && !isMeasureFilter) {
    return fail(spec.member.at, 'it is a measure, which is not known for a row. Rows are filtered by dimensions.')
  }
  const values = spec.values ?? []
  const { type } = target.spec
  const checked = checkPolicyFilter(spec.operator.value, values, target.kind, type)
  if ('reason' in checked) return fail(spec.operator.at, checked.reason)
  return { kind: 'member', member, operator: checked.operator, values }
}

/** What can be said of a filter before the values of the caller are known. */
function checkPolicyFilter(
  operator: string,
  values: readonly PolicyValue[],
  kind: 'dimension' | 'measure',
  type: DimensionType | MeasureType,
): ReturnType<typeof checkFilter> {
  const literals = values.flatMap(value => (value.kind === 'literal' ? [value.value] : []))
  const isDynamic = literals.length < values.length
  const checked = checkFilter({ operator, values: literals, kind, type })
  if ('reason' in checked) {
    if (checked.problem !== 'values_missing' || !isDynamic) return checked
    return checkFilter({ operator, values: ['0'], kind, type })
  }
  const needsDate = type === 'time' && !['set', 'notSet'].includes(operator)
  if (!needsDate) return checked
  if (values.length === 0) return { problem: 'values_missing', reason: 'It has no values.' }
  const undated = isDynamic ? null : undatedReason(checked.operator, literals)
  return undated === null ? checked : { problem: 'values', reason: undated }
}

/** Why values can't be read as dates. Which day it is makes no difference to that. */
function undatedReason(operator: Parameters<typeof normalizeDates>[0], values: readonly (string | null)[]) {
  try {
    normalizeDates(operator, values, { now: Date.UTC(2000, 0, 1), timezone: 'UTC' })
    return null
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
}
