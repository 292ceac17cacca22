import { type Executor, embedGroups } from '@hedron/store'
import { requireGroupName } from './require-group-name.ts'
import { requireOnce } from './require-once.ts'

/** SPEC, "Group definition". */
export interface GroupDefinition {
  readonly name: string
  readonly description?: string | null | undefined
}

/**
 * Makes the groups that an embed tenant has not, and brings the descriptions of the others up to date; one that is not given is
 * never cleared. The same definitions again change nothing. What is there already is only read, so that sessions of one tenant
 * do not wait for each other.
 *
 * @throws {CodedError} `definition_duplicate`, `group_name_reserved`.
 */
export async function upsertGroupDefinitions(
  transaction: Executor,
  scope: embedGroups.TenantScope,
  definitions: readonly GroupDefinition[],
  at: Date,
): Promise<void> {
  requireOnce('groupDefinitions', definitions)
  for (const { name } of definitions) requireGroupName(name)
  const wanted = byName(definitions)
  const names = wanted.map(({ name }) => name)
  const before = await embedGroups.holdEmbedGroupsNamed(transaction, scope, names)
  const there = new Set(before.map(({ name }) => name))
  const missing = wanted.filter(({ name }) => !there.has(name))
  const inserted = await embedGroups.insertEmbedGroups(
    transaction,
    scope,
    missing.map(({ name, description }) => ({ name, description: description || null })),
    at,
  )
  // Made by another transaction since they were looked for.
  const raced = missing.length - inserted.length
  const found = raced > 0 ? await embedGroups.holdEmbedGroupsNamed(transaction, scope, names) : before
  const stored = new Map(found.map(group => [group.name, group]))
  for (const { name, description } of wanted) {
    const group = stored.get(name)
    if (!group || !description || group.description === description) continue
    await embedGroups.describeEmbedGroup(transaction, scope, group.id, description, at)
  }
}

/** In one order for every transaction, so that no two of them wait for each other. */
export const byName = <T extends { readonly name: string }>(definitions: readonly T[]): T[] =>
  [...definitions].sort((a, b) => (a.name < b.name ? -1 : 1))
