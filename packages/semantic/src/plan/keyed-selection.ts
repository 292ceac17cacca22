import { queryError } from '../messages/query-messages.ts'
import { memberSql } from '../resolve/check-references.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import { memberReferences } from '../resolve/sql-references.ts'
import type { Measure } from '../shapes/model.ts'
import type { Expression, KeyedSelection, Output, Selection } from '../shapes/plan.ts'
import type { Aliases } from './aliases.ts'
import type { Expander } from './expander.ts'
import { type JoinPath, joinPathsOf } from './join-paths.ts'
import { buildJoinTree, isMultiplied, type JoinTree } from './join-tree.ts'
import { withMaskWays } from './mask-ways.ts'
import { aggregate, primaryKeys } from './measures.ts'
import { joinTables } from './tables.ts'

export interface Leaf {
  readonly alias: string
  readonly cube: string
  readonly measure: Measure
}

export interface Keyed {
  readonly selection: KeyedSelection
  readonly tree: JoinTree
}

/**
 * Aggregates measures of a cube whose rows the query's joins repeat. The keys of the rows that the query selects are found
 * once for each group; then every row of the cube is read once for each of its keys.
 *
 * @param keyColumns what the key's parts are called where `rows` come from
 */
export function keyedSelection(
  expander: Expander,
  tables: Aliases,
  rows: Pick<Selection, 'from' | 'where' | 'grain'>,
  cubeName: string,
  leaves: readonly Leaf[],
  keyColumns: readonly Expression[] = primaryKeys(expander, expander.index.cube(cubeName)),
): Keyed {
  const { index } = expander
  const cube = index.cube(cubeName)
  const keys = primaryKeys(expander, cube)
  if (keys.length === 0) throw queryError('primary_key_required', { cube: cubeName })
  const keysAlias = tables.take(`${expander.tableAlias(cubeName)}_keys`)
  const keyOutputs = keyColumns.map((expression, position): Output => ({ alias: `key_${position + 1}`, expression }))
  const tree = ownTree(expander, cubeName, leaves)
  // What is shown of masked members here depends on what is joined here.
  const own: Expander = { ...expander, tree }
  const column = (name: string): Output => ({
    alias: name,
    expression: { kind: 'column', table: keysAlias, name, trusted: false },
  })
  return {
    tree,
    selection: {
      kind: 'keyed',
      keys: {
        ...rows,
        kind: 'selection',
        grain: [...rows.grain, ...keyOutputs],
        outputs: [],
        grouped: true,
        having: [],
      },
      keysAlias,
      from: joinTables(
        expander,
        tree,
        leaves.map(({ cube: owner, measure }) => ({ cube: owner, name: measure.name })),
      ),
      match: keys.map((expression, position) => ({ key: `key_${position + 1}`, expression })),
      grain: rows.grain.map(({ alias }) => column(alias)),
      outputs: leaves.map(({ alias, measure }) => ({
        alias,
        expression: aggregate({ expander: own, root: null }, cubeName, measure),
      })),
    },
  }
}

/** The cube with what its measures refer to, none of which may repeat its rows again. */
function ownTree({ index }: Expander, cube: string, leaves: readonly Leaf[]): JoinTree {
  const paths = leaves.map(({ measure }) => ({ measure, paths: joinPathsOf(index, cube, measure.name, [cube]) }))
  for (const { measure, paths: needed } of paths) {
    const own = needed.filter(([first]) => first === cube)
    const foreign = needed.length > own.length || isMultiplied(buildJoinTree(index, own, [cube]), cube)
    if (!foreign) continue
    const cubes = [...new Set(needed.flat())].filter(name => name !== cube)
    throw queryError('foreign_cubes', { member: `${cube}.${measure.name}`, cubes })
  }
  const all = paths.flatMap(({ paths: needed }) => needed)
  const tree = buildJoinTree(index, all, [cube])
  const ways = leaves.flatMap(({ measure }) => maskWays(index, measure))
  return ways.length === 0
    ? tree
    : buildJoinTree(
        index,
        withMaskWays(index, all, ways, () => tree),
        [cube],
      )
}

/** Measures that a query calculates itself read members as the caller is shown them. */
function maskWays(index: ModelIndex, measure: Measure): readonly JoinPath[] {
  if (!measure.isAdHoc) return []
  return memberSql(measure)
    .flatMap(memberReferences)
    .flatMap(reference => {
      if (reference.kind !== 'member') return []
      const member = index.member(reference.cube, reference.member)
      return member.kind === 'dimension' && member.masking
        ? [...member.masking.ways.except, ...member.masking.ways.mask]
        : []
    })
}
