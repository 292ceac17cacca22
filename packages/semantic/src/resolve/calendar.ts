import type { BoundSql, Cube, Dimension } from '../shapes/model.ts'
import type { Position } from '../shapes/source.ts'
import type { CubeSpec, DimensionSpec } from '../shapes/tree.ts'
import { memberSql } from './check-references.ts'
import { isKeyUnknown, type Names } from './names.ts'
import { memberReferences } from './sql-references.ts'

/**
 * Checks what only calendars have: SQL of their own for granularities. It stands beside the calendar's row wherever that is
 * joined, so it can use nothing that would need further tables, nor what depends on
 * the query or on who asks, which rollups would keep for others.
 */
export function checkCalendar(spec: CubeSpec, cube: Cube, names: Names): void {
  // Most cubes have nothing of the kind.
  if (spec.dimensions.every(isOrdinary)) return
  const dimensions = new Map(cube.dimensions.map(dimension => [dimension.name, dimension]))
  for (const dimension of spec.dimensions) {
    const resolved = dimensions.get(dimension.name.value)
    if (!resolved || names.isIncomplete(cube.name, dimension.name.value)) continue
    checkShifts(cube, resolved, dimension, names)
    for (const { of, at, sql } of calendarParts(cube.name, dimension, resolved)) {
      if (!cube.isCalendar) names.log.report(at, 'calendar_only', { of, cube: cube.name })
      const through = sql && foreignReference(sql, cube.name, dimensions)
      if (through) names.log.report(at, 'calendar_foreign', { of, through })
    }
  }
}

const isOrdinary = ({ granularities, timeShifts }: DimensionSpec): boolean =>
  timeShifts.length === 0 && granularities.every(({ sql }) => sql === null)

interface CalendarPart {
  readonly of: string
  readonly at: Position
  readonly sql: BoundSql | null
}

function calendarParts(cube: string, spec: DimensionSpec, resolved: Dimension): CalendarPart[] {
  const id = `${cube}.${spec.name.value}`
  const periods = spec.granularities.flatMap(({ name, sql }): CalendarPart[] => {
    if (!sql) return []
    const bucket = resolved.granularities.find(granularity => granularity.name === name.value)?.bucket
    const of = `'sql' of granularity '${name.value}' of '${id}'`
    return [{ of, at: sql.at, sql: bucket?.kind === 'calendar' ? bucket.sql : null }]
  })
  const shifts = resolved.timeShifts.flatMap(({ sql }, position): CalendarPart[] => {
    const at = spec.timeShifts[position]?.at
    return at ? [{ of: `'time_shift' of '${id}'`, at, sql }] : []
  })
  return [...periods, ...shifts]
}

/** Shifts are found by their name or their interval, and those with SQL take the place of the calendar's key in joins. */
function checkShifts(
  cube: Cube,
  { name, isPrimaryKey, timeShifts }: Dimension,
  spec: DimensionSpec,
  names: Names,
): void {
  const of = `'${cube.name}.${name}'`
  const seen = new Set<string>()
  for (const [position, shift] of timeShifts.entries()) {
    const at = spec.timeShifts[position]?.at ?? spec.name.at
    const id = JSON.stringify(shift.name ?? shift.by)
    if (seen.has(id)) names.log.report(at, 'calendar_shift_twice', { of })
    seen.add(id)
    if (shift.sql && !isPrimaryKey && cube.primaryKey.length !== 1 && !isKeyUnknown(cube.name, names))
      names.log.report(at, 'calendar_key', { of, cube: cube.name })
  }
}

const isContext = (part: BoundSql['parts'][number]) => typeof part !== 'string' && !('cube' in part)

/** What SQL refers to that is not in the cube's own table, over its own dimensions too; null when there is nothing such. */
function foreignReference(sql: BoundSql, cube: string, dimensions: ReadonlyMap<string, Dimension>): string | null {
  const queue = [sql]
  const seen = new Set<string>()
  for (const next of queue) {
    if (next.parts.some(isContext)) return 'a context variable'
    for (const part of memberReferences(next)) {
      if (part.cube !== cube) return 'member' in part ? `${part.cube}.${part.member}` : part.cube
      if (!('member' in part) || seen.has(part.member)) continue
      seen.add(part.member)
      const dimension = dimensions.get(part.member)
      if (!dimension) continue
      if (dimension.expression.kind === 'subQuery') return `${cube}.${part.member}`
      queue.push(...memberSql(dimension))
    }
  }
  return null
}
