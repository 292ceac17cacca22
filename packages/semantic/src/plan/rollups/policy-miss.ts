import type { SecuredIndex } from '../../access/secured-index.ts'
import { type RollupMiss, rollupMiss } from '../../messages/rollup-misses.ts'
import type { RowRule } from '../../shapes/access.ts'
import { joinPathsOf } from '../join-paths.ts'
import { buildJoinTreeFrom, isMultiplied, type JoinTree } from '../join-tree.ts'
import { askedMembers, type QueryMembers } from '../query-members.ts'
import { type RuleLeaf, ruleMembers } from '../rule-members.ts'
import { readCubes } from '../tables.ts'
import { held, wayTo } from './places.ts'
import type { Rollup } from './rollup.ts'

/**
 * What a caller may see of a rollup, which holds the rows of everybody: rules on its columns. A rule on the root is a filter of
 * groups; one on a joined cube takes away that cube's values and not the row, which groups can't tell any more.
 */
export function policyMiss(
  index: SecuredIndex,
  rollup: Rollup,
  members: QueryMembers,
  tree: JoinTree,
): RollupMiss | null {
  const masked = askedMembers(index, members).find(
    ({ definition }) => definition.kind !== 'segment' && definition.masking,
  )
  if (masked) return rollupMiss('masked', { member: masked.id })
  for (const cube of readCubes(index, rollup.reads)) {
    const rule = rowsOf(index, cube, members)
    if (!rule) continue
    const leaves = ruleMembers(rule)
    if (
      cube !== rollup.tree.root ||
      !leaves.every(leaf => leaf.cube === cube && column(index, rollup, leaf)) ||
      isOfSeveral(index, cube, leaves)
    ) {
      return rollupMiss('policy', { source: cube })
    }
  }
  for (const leaf of members.rules.flatMap(ruleMembers)) {
    const isHeld = column(index, rollup, leaf) && wayTo(tree, leaf.cube) === wayTo(rollup.tree, leaf.cube)
    if (!isHeld) return rollupMiss('policy', { source: leaf.cube })
  }
  return null
}

/** Whether a rule is about what a row has several of: it lets the row pass by one of them, and a rollup has a group for each. */
function isOfSeveral(index: SecuredIndex, cube: string, leaves: readonly RuleLeaf[]): boolean {
  const paths = leaves.flatMap(leaf => joinPathsOf(index, leaf.cube, leaf.member, leaf.joinPath))
  return isMultiplied(buildJoinTreeFrom(index, cube, [[cube], ...paths]), cube)
}

/** The rules that a caller's answer from a rollup has to keep. */
export function rollupRules(index: SecuredIndex, { tree }: Rollup, members: QueryMembers): RowRule[] {
  const root = rowsOf(index, tree.root, members)
  return root ? [root, ...members.rules] : [...members.rules]
}

function rowsOf(index: SecuredIndex, cube: string, members: QueryMembers): RowRule | null {
  const source = index.sources.get(cube)
  if (!source) throw new Error(`The model has no cube '${cube}'`)
  return index.access.rowsOf(
    source,
    askedMembers(index, members).filter(({ id }) => id.startsWith(`${cube}.`)),
  )
}

/** The rollup's column for what a rule is about. Times are cut to steps, and a policy may be about any moment. */
export function column(index: SecuredIndex, { dimensions }: Rollup, { cube, member }: RuleLeaf) {
  const found = index.sources.get(cube)?.members.get(member)
  if (found?.definition.kind !== 'dimension' || found.definition.type === 'time') return undefined
  return held(dimensions, found)
}
