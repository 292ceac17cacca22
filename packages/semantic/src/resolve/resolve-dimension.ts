import type {
  BoundSql,
  CalendarShift,
  Dimension,
  DimensionExpression,
  DimensionStage,
  Granularity,
  Label,
} from '../shapes/model.ts'
import type { CalendarShiftSpec, CaseSpec, DimensionSpec, GranularitySpec, LabelSpec, SqlSpec } from '../shapes/tree.ts'
import { parseIso } from '../time/local-time.ts'
import { bindSql, type SqlPlace } from './bind-sql.ts'
import { resolveFormatting } from './formats.ts'
import { resolveGranularity } from './granularities.ts'
import { resolveKey } from './keys.ts'
import { linkOf, resolveAddress } from './links.ts'
import { resolveMask } from './masks.ts'
import { resolveStageFilter } from './resolve-filter.ts'
import { presentation, type Scope } from './resolve-member.ts'
import { resolveGrainReference, resolveSwitch } from './resolve-stage.ts'
import { resolveSubQuery } from './resolve-sub-query.ts'

/** Binds one dimension. */
export function resolveDimension(spec: DimensionSpec, scope: Scope): Dimension {
  const { names } = scope
  const { mask } = spec
  const shown = presentation(spec, !spec.isPrimaryKey)
  const formatting = resolveFormatting(
    { kind: 'dimension', type: spec.type, format: spec.format, currency: spec.currency },
    names.log,
  )
  if (spec.type === 'time' && mask?.kind === 'literal' && !parseIso(String(mask.value), 'UTC')) {
    names.log.report(spec.name.at, 'mask_time', { of: `'${scope.cube}.${spec.name.value}'`, value: String(mask.value) })
  }
  // Each by its name: spreads between other properties are slow, and there are many dimensions.
  return {
    kind: 'dimension',
    name: shown.name,
    title: shown.title,
    description: shown.description,
    isPublic: shown.isPublic,
    meta: shown.meta,
    format: formatting.format,
    formatDescription: formatting.formatDescription,
    currency: formatting.currency,
    type: spec.type,
    expression: resolveExpression(spec, scope),
    isPrimaryKey: spec.isPrimaryKey,
    suggestFilterValues: spec.suggestFilterValues,
    order: spec.order,
    key: resolveKey(spec, scope),
    links: spec.links.map(linkOf),
    isSynthetic: spec.address !== null,
    mask: mask && resolveMask(mask, placeOf(spec, scope), names),
    granularities: spec.granularities.length === 0 ? [] : resolveGranularities(spec, scope),
    timeShifts: spec.timeShifts.map(shift => resolveCalendarShift(shift, spec, scope)),
  }
}

function resolveGranularities(spec: DimensionSpec, scope: Scope): Granularity[] {
  const { names } = scope
  const seen = new Set<string>()
  return spec.granularities.flatMap(granularity => {
    const { name } = granularity
    if (seen.has(name.value)) {
      names.log.report(name.at, 'duplicate_granularity', { name: name.value, of: `'${scope.cube}.${spec.name.value}'` })
    }
    seen.add(name.value)
    return (
      resolveGranularity(granularity, names.log, sql => bindSql(sql, calendarPlace(granularity, spec, scope), names)) ??
      []
    )
  })
}

const calendarPlace = ({ name }: GranularitySpec, spec: DimensionSpec, scope: Scope): SqlPlace => ({
  ...placeOf(spec, scope),
  of: `granularity '${name.value}' of '${scope.cube}.${spec.name.value}'`,
})

function resolveCalendarShift({ name, by, sql }: CalendarShiftSpec, spec: DimensionSpec, scope: Scope): CalendarShift {
  const place: SqlPlace = { ...placeOf(spec, scope), of: `'time_shift' of '${scope.cube}.${spec.name.value}'` }
  return { name: name?.value ?? null, by, sql: sql && bindSql(sql, place, scope.names) }
}

const placeOf = ({ name }: DimensionSpec, { cube }: Scope): SqlPlace => ({
  cube,
  of: `dimension '${name.value}' of cube '${cube}'`,
  level: 'row',
})

function resolveExpression(spec: DimensionSpec, scope: Scope): DimensionExpression {
  const { names } = scope
  const place = placeOf(spec, scope)
  const bind = (sql: SqlSpec): BoundSql => bindSql(sql, place, names)
  if (spec.latitude && spec.longitude)
    return { kind: 'geo', latitude: bind(spec.latitude), longitude: bind(spec.longitude) }
  if (spec.address) return resolveAddress(spec.address, bind)
  if (spec.subQuery && spec.sql) return resolveSubQuery(spec.sql, spec.subQuery.propagatesFilters, place, names)
  if (spec.type === 'switch') return { kind: 'switch', values: [...new Set(spec.values)] }
  if (!spec.stage) return resolveValue(spec, place, scope)
  return {
    kind: 'stage',
    stage: {
      value: resolveValue(spec, { ...place, level: 'stage' }, scope),
      include: spec.stage.include.flatMap(path => resolveGrainReference(path, place.of, scope) ?? []),
      filter: spec.stage.filter && resolveStageFilter(spec.stage.filter, place.of, scope),
    },
  }
}

function resolveValue(spec: DimensionSpec, place: SqlPlace, scope: Scope): DimensionStage['value'] {
  const bind = (sql: SqlSpec): BoundSql => bindSql(sql, place, scope.names)
  if (spec.cases) return resolveCases(spec.cases, bind)
  if (spec.choice) {
    const choice = resolveSwitch(spec.choice, place, scope)
    // One that can't be bound was reported, so that the model is not used.
    return choice ? { kind: 'choice', choice } : { kind: 'sql', sql: { parts: [] } }
  }
  if (spec.sql) return { kind: 'sql', sql: bind(spec.sql) }
  throw new Error(`Dimension '${scope.cube}.${spec.name.value}' was parsed without SQL`)
}

function resolveCases(
  spec: CaseSpec,
  bind: (sql: SqlSpec) => BoundSql,
): Extract<DimensionStage['value'], { kind: 'case' }> {
  const label = (written: LabelSpec): Label => ('sql' in written ? { sql: bind(written.sql) } : written)
  return {
    kind: 'case',
    when: spec.when.map(branch => ({ condition: bind(branch.condition), label: label(branch.label) })),
    otherwise: spec.otherwise ? label(spec.otherwise) : null,
  }
}
