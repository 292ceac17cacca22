import type { ProblemLog } from '../messages/model-messages.ts'
import type { CubeSpec, PreAggregationSpec } from '../shapes/tree.ts'
import { rollupId } from './resolve-pre-aggregation.ts'

/** What rollups refer to in other cubes, and the order in which they are found. */
export function checkRollups(
  cubes: ReadonlyMap<string, CubeSpec>,
  isIncomplete: (cube: string, name: string) => boolean,
  log: ProblemLog,
): void {
  for (const cube of cubes.values()) {
    if (cube.preAggregations.length === 0) continue
    checkNames(cube, log)
    for (const [position, spec] of cube.preAggregations.entries()) {
      if (spec.type === 'rollup_lambda') checkFirst(cube, position, spec, log)
      if (spec.useOriginalSqlPreAggregations) checkKeepers(cubes, cube, spec, log)
      for (const path of spec.rollups) {
        const { cube: owner, name } = rollupId(path, cube.name.value)
        const found = cubes.get(owner)?.preAggregations.find(candidate => candidate.name.value === name)
        if (found?.type === 'rollup' || isIncomplete(owner, name)) continue
        const known = [...cubes.values()].flatMap(other =>
          other.preAggregations.flatMap(({ type, name: of }) =>
            type === 'rollup' ? [other === cube ? of.value : `${other.name.value}.${of.value}`] : [],
          ),
        )
        const of = `pre-aggregation '${spec.name.value}' of cube '${cube.name.value}'`
        log.report(path.at, 'pre_aggregation_rollup', { rollup: path.value.join('.'), of, known })
      }
    }
  }
}

/** A rollup is built from kept rows where the rows of all its cubes are kept. */
function checkKeepers(
  cubes: ReadonlyMap<string, CubeSpec>,
  { name: own }: CubeSpec,
  { name, type, measures, dimensions, segments, timeDimensions }: PreAggregationSpec,
  log: ProblemLog,
): void {
  const of = `pre-aggregation '${name.value}' of cube '${own.value}'`
  const key = 'use_original_sql_pre_aggregations'
  if (type !== 'rollup') {
    log.warn(name.at, 'no_effect', { what: `'${key}' of ${of}, which is no rollup,` })
    return
  }
  const times = timeDimensions.map(({ dimension }) => dimension)
  const owners = [...measures, ...dimensions, ...segments, ...times].map(({ value }) => value.at(-2) ?? own.value)
  const used = new Set(owners.map(owner => (owner === 'CUBE' ? own.value : owner)))
  const without = [...used].filter(
    cube => cubes.get(cube)?.preAggregations.every(other => other.type !== 'original_sql') ?? false,
  )
  if (without.length === 0) return
  const places = without.map(cube => `'${cube}'`).join(' and ')
  log.warn(name.at, 'needs_companion', { key, of, without: `a pre-aggregation of type original_sql in ${places}` })
}

function checkNames({ name: cube, preAggregations }: CubeSpec, log: ProblemLog): void {
  const seen = new Set<string>()
  for (const { name } of preAggregations) {
    if (seen.has(name.value)) log.report(name.at, 'duplicate_member', { cube: cube.value, names: [name.value] })
    seen.add(name.value)
  }
}

function checkFirst(cube: CubeSpec, position: number, spec: PreAggregationSpec, log: ProblemLog): void {
  const before = cube.preAggregations.slice(0, position)
  if (before.every(({ type }) => type === 'rollup_lambda')) return
  log.report(spec.name.at, 'pre_aggregation_lambda_first', { id: `${cube.name.value}.${spec.name.value}` })
}
