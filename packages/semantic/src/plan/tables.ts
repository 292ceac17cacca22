import { queryError } from '../messages/query-messages.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { From, Relation } from '../shapes/plan.ts'
import { type Aliases, snakeCase } from './aliases.ts'
import { type Expander, expandSource, expandSql } from './expand.ts'
import type { JoinTree } from './join-tree.ts'

/** Names each cube's table once for the whole query. */
export function createExpander(index: ModelIndex, timezone: string, aliases: Aliases): Expander {
  const names = new Map<string, string>()
  return {
    index,
    timezone,
    tableAlias(cube) {
      const known = names.get(cube)
      if (known !== undefined) return known
      const alias = aliases.take(index.cube(cube).sqlAlias ?? snakeCase(cube))
      names.set(cube, alias)
      return alias
    },
  }
}

/** FROM and its joins. */
export function joinTables(expander: Expander, tree: JoinTree): From {
  return {
    root: relation(expander, tree.root),
    joins: tree.edges.map(({ from, to, join }) => ({
      relation: relation(expander, to),
      on: expandSql(expander, from, join.condition),
    })),
  }
}

function relation(expander: Expander, name: string): Relation {
  const cube = expander.index.cube(name)
  return {
    alias: expander.tableAlias(name),
    source: expandSource(expander.index, cube),
    isQuery: cube.source.kind === 'query',
  }
}

/** The one data source of these cubes. */
export function dataSourceOf(index: ModelIndex, cubes: readonly string[]): string {
  const sources = [...new Set(cubes.map(cube => index.cube(cube).dataSource))]
  if (sources.length > 1) throw queryError('data_sources', { sources })
  return sources[0] ?? 'default'
}

/** The cubes and those whose tables their own queries read. */
export function readCubes(index: ModelIndex, cubes: Iterable<string>): string[] {
  const found = new Set(cubes)
  for (const cube of found) {
    for (const part of index.cube(cube).source.sql.parts) {
      if (typeof part !== 'string' && part.kind === 'source') found.add(part.cube)
    }
  }
  return [...found]
}
