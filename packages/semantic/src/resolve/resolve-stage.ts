import type { GrainReference, Stage, Switch } from '../shapes/model.ts'
import type { GrainSpec, MemberPath, StageSpec, SwitchSpec, TimeShiftSpec } from '../shapes/tree.ts'
import { timeUnits } from '../shapes/vocabulary.ts'
import { bindSql, type SqlPlace, walkPath } from './bind-sql.ts'
import { resolveStageFilter } from './resolve-filter.ts'
import { findMember, type Scope } from './resolve-member.ts'

/** Binds what makes a measure multi-stage. */
export function resolveStage(spec: StageSpec, of: string, scope: Scope): Stage {
  const place: SqlPlace = { cube: scope.cube, of, level: 'stage' }
  return {
    grain: resolveGrain(spec.grain, of, scope),
    filter: spec.filter && resolveStageFilter(spec.filter, of, scope),
    timeShifts: spec.timeShifts.flatMap(shift => resolveTimeShift(shift, of, scope)),
    orderBy: spec.orderBy.map(({ sql, descending }) => ({ sql: bindSql(sql, place, scope.names), descending })),
    cases: spec.cases && resolveSwitch(spec.cases, place, scope),
  }
}

function resolveGrain({ keepOnly, exclude, include }: GrainSpec, of: string, scope: Scope): Stage['grain'] {
  const resolve = (paths: readonly MemberPath[]) => paths.flatMap(path => resolveGrainReference(path, of, scope) ?? [])
  return { keepOnly: keepOnly && resolve(keepOnly), exclude: resolve(exclude), include: resolve(include) }
}

/** A dimension, or a time dimension and one of its granularities. */
export function resolveGrainReference(path: MemberPath, of: string, { cube, names }: Scope): GrainReference | null {
  const walked = walkPath(path.value, cube, names)
  const [dimension = '', granularity, ...more] = walked.rest
  const found = names.membersOf(walked.cube)?.get(dimension)
  if (granularity === undefined || more.length > 0 || found?.kind !== 'dimension') {
    const member = findMember(path, cube, names)
    if (!member) return null
    const [owner = '', name = ''] = member.id.split('.')
    if (member.kind === 'dimension') {
      return { cube: owner, dimension: name, granularity: null, through: walked.through }
    }
    const words = { of, member: path.value.join('.'), kind: member.kind, allowed: 'dimensions' }
    names.log.report(path.at, 'stage_member', words)
    return null
  }
  const known = [...timeUnits, ...found.spec.granularities.map(({ name }) => name.value)]
  if (found.spec.type === 'time' && known.includes(granularity)) {
    return { cube: walked.cube, dimension, granularity, through: walked.through }
  }
  if (names.isIncomplete(walked.cube, dimension)) return null
  const dimensionId = `${walked.cube}.${dimension}`
  names.log.report(path.at, 'granularity_missing', { dimension: dimensionId, name: granularity, known })
  return null
}

function resolveTimeShift({ dimension, by, name }: TimeShiftSpec, of: string, scope: Scope): Stage['timeShifts'] {
  if (!dimension) return [{ dimension: null, by, name: name?.value ?? null }]
  const reference = resolveGrainReference(dimension, of, scope)
  if (!reference) return []
  const target = scope.names.membersOf(reference.cube)?.get(reference.dimension)
  if (scope.names.isIncomplete(reference.cube, reference.dimension)) return []
  if (target?.kind === 'dimension' && target.spec.type !== 'time') {
    const words = { of, member: dimension.value.join('.'), kind: `dimension of type ${target.spec.type}` }
    scope.names.log.report(dimension.at, 'stage_member', { ...words, allowed: 'a dimension of type time' })
    return []
  }
  return [{ dimension: `${reference.cube}.${reference.dimension}`, by, name: name?.value ?? null }]
}

/** Binds a `case` over the values of another dimension; where that is a switch, the values must be among its own. */
export function resolveSwitch(spec: SwitchSpec, place: SqlPlace, { names }: Scope): Switch | null {
  // A switch is no column, but here it is not read as one.
  const on = bindSql(spec.on, { ...place, level: 'stage' }, names)
  // What can't be bound was reported, or belongs to something that was.
  if (on.parts.length < spec.on.parts.length || spec.on.parts.length === 0) return null
  const [reference] = on.parts
  const target =
    on.parts.length === 1 && typeof reference !== 'string' && reference?.kind === 'member'
      ? { ...reference, found: names.membersOf(reference.cube)?.get(reference.member) }
      : null
  if (target?.found?.kind !== 'dimension' || target.found.spec.type === 'geo' || target.found.spec.type === 'time') {
    names.log.report(spec.on.at, 'switch_dimension', { of: place.of })
    return null
  }
  const { values, type, stage } = target.found.spec
  if (stage && place.level !== 'stage') {
    names.log.report(spec.on.at, 'stage_in_sql', { of: place.of, dimension: `${target.cube}.${target.member}` })
    return null
  }
  for (const { value, sql } of spec.when) {
    if (type === 'switch' && !values.includes(value)) {
      names.log.report(sql.at, 'switch_value', { of: place.of, value, dimension: target.member, known: values })
    }
  }
  return {
    cube: target.cube,
    dimension: target.member,
    through: target.through,
    isChosen: type === 'switch',
    when: spec.when.map(({ value, sql }) => ({ value, sql: bindSql(sql, place, names) })),
    otherwise: spec.otherwise && bindSql(spec.otherwise, place, names),
  }
}
