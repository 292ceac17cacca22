import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Measure } from '../shapes/model.ts'
import type { MeasureSpec } from '../shapes/tree.ts'
import { bindSql } from './bind-sql.ts'
import { resolveFormatting } from './formats.ts'
import { resolveMask } from './masks.ts'
import { findMember, presentation, type Scope } from './resolve-member.ts'
import { resolveStage } from './resolve-stage.ts'

/** Binds one measure. */
export function resolveMeasure(spec: MeasureSpec, scope: Scope): Measure {
  const { cube, names } = scope
  const of = `measure '${spec.name.value}' of cube '${cube}'`
  const level = spec.stage ? 'stage' : measureKinds[spec.type].of === 'sql' ? 'measure' : 'aggregate'
  const rowLevel = spec.stage ? 'stage' : 'row'
  const shown = presentation(spec, true)
  const formatting = resolveFormatting(
    { kind: 'measure', type: spec.type, format: spec.format, currency: spec.currency },
    names.log,
  )
  // Each by its name, as of a dimension.
  return {
    kind: 'measure',
    name: shown.name,
    title: shown.title,
    description: shown.description,
    isPublic: shown.isPublic,
    meta: shown.meta,
    format: formatting.format,
    formatDescription: formatting.formatDescription,
    currency: formatting.currency,
    type: spec.type,
    sql: spec.sql && bindSql(spec.sql, { cube, of, level, type: spec.type }, names),
    filters: spec.filters.map(filter => bindSql(filter, { cube, of, level: rowLevel }, names)),
    drillFilters: spec.drillFilters.map(filter => bindSql(filter, { cube, of, level: 'row' }, names)),
    mask: spec.mask && resolveMask(spec.mask, { cube, of, level: 'measure', type: spec.type }, names),
    isCumulative: spec.isCumulative,
    window: spec.window,
    stage: spec.stage && resolveStage(spec.stage, of, scope),
    drillMembers: spec.drillMembers.flatMap(path => {
      const found = findMember(path, cube, names)
      if (!found) return []
      if (found.kind === 'dimension' || found.kind === 'measure') return [found.id]
      names.log.report(path.at, 'drill_member', { member: path.value.join('.'), of })
      return []
    }),
  }
}
