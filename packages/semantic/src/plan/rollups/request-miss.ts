import { type RollupMiss, rollupMiss } from '../../messages/rollup-misses.ts'
import { memberSql } from '../../resolve/check-references.ts'
import type { ModelIndex } from '../../resolve/model-index.ts'
import type { BoundSql } from '../../shapes/model.ts'
import { leafFilters, type QueryMembers } from '../query-members.ts'
import { readCubes } from '../tables.ts'
import type { Rollup } from './rollup.ts'

/**
 * Rollups are built for every caller and without filters, so what reads other rows for some of them can't be answered from one:
 * values of the caller, filters pushed into a cube's SQL, sub-queries that take on the query's filters.
 */
export function requestMiss(index: ModelIndex, rollup: Rollup, members: QueryMembers): RollupMiss | null {
  const filtered = new Set([
    ...members.ranges.map(({ member }) => `${member.cube.name}.${member.definition.name}`),
    ...members.rowFilters.flatMap(leafFilters).map(({ member }) => original(index, member)),
  ])
  const depends = (sql: BoundSql): boolean =>
    sql.parts.some(part => {
      if (typeof part === 'string') return false
      if (part.kind === 'securityContext') return true
      if (part.kind === 'filterParams') return part.params.some(({ member }) => filtered.has(original(index, member)))
      return (part.kind === 'localTime' || part.kind === 'urlEncoded') && depends(part.sql)
    })
  const columns = [...rollup.dimensions, ...rollup.times, ...rollup.segments, ...rollup.measures]
  const reached = columns.flatMap(({ member }) => reachedMembers(index, member.cube.name, member.definition.name))
  const cubes = readCubes(index, [...rollup.tree.cubes, ...reached.map(({ cube }) => cube)])
  for (const cube of cubes) if (depends(index.cube(cube).source.sql)) return rollupMiss('request', { cube })
  for (const { join, from } of rollup.tree.edges)
    if (depends(join.condition)) return rollupMiss('request', { cube: from })
  const dependent = reached.find(({ cube, name }) => memberSql(index.member(cube, name)).some(depends))
  if (dependent) return rollupMiss('request', { cube: dependent.cube })
  const passing = reached.find(({ cube, name }) => {
    const found = index.member(cube, name)
    return found.kind === 'dimension' && found.expression.kind === 'subQuery' && found.expression.propagatesFilters
  })
  const hasFilters = members.ranges.length + members.segments.length + members.rowFilters.length > 0
  if (passing && hasFilters) return rollupMiss('request', { cube: passing.cube })
  return null
}

/** `cube.member` of what a view may call otherwise. */
function original(index: ModelIndex, id: string): string {
  const [source = '', name = ''] = id.split('.')
  const member = index.sources.get(source)?.members.get(name)
  return member ? `${member.cube.name}.${member.definition.name}` : id
}

/** A member and all that its SQL refers to. */
function reachedMembers(index: ModelIndex, cube: string, name: string): { cube: string; name: string }[] {
  const found = new Map([[`${cube}.${name}`, { cube, name }]])
  for (const member of found.values()) {
    for (const { parts } of memberSql(index.member(member.cube, member.name))) {
      for (const part of parts) {
        if (typeof part === 'string' || (part.kind !== 'member' && part.kind !== 'granularity')) continue
        found.set(`${part.cube}.${part.member}`, { cube: part.cube, name: part.member })
      }
    }
  }
  return [...found.values()]
}
