import type { Model } from '@hedron/semantic'

/** Names of cubes and views, and of their members as `cube.member`. */
export interface ModelDifference {
  readonly added: string[]
  readonly changed: string[]
  readonly removed: string[]
  /** Whose own definition stays, and that refer to one that does not. */
  readonly affected: string[]
}

interface Definition {
  readonly text: string
  /** Names of what it refers to. */
  readonly references: ReadonlySet<string>
}

/** Where something is written, and what follows from other definitions, is not a part of it. */
const leftOut = new Set(['file', 'line', 'column', 'connectedComponent'])

/** Compares what two models define. Null is a model of nothing. */
export function compareModels(before: Model | null, after: Model | null): ModelDifference {
  const old = definitionsOf(before)
  const fresh = definitionsOf(after)
  const added = [...fresh.keys()].filter(name => !old.has(name))
  const removed = [...old.keys()].filter(name => !fresh.has(name))
  const changed = [...fresh].filter(([name, { text }]) => old.has(name) && old.get(name)?.text !== text)
  const touched = new Set([...removed, ...changed.map(([name]) => name)])
  const affected = reachingTo(touched, fresh)
  return {
    added: added.sort(),
    changed: changed.map(([name]) => name).sort(),
    removed: removed.sort(),
    affected: affected.filter(name => !added.includes(name)).sort(),
  }
}

/** What leads to one of `names`, over any number of steps, those themselves left out. */
function reachingTo(names: ReadonlySet<string>, definitions: ReadonlyMap<string, Definition>): string[] {
  const found = new Set(names)
  for (let grew = true; grew; ) {
    grew = false
    for (const [name, { references }] of definitions) {
      if (found.has(name) || ![...references].some(reference => found.has(reference))) continue
      found.add(name)
      grew = true
    }
  }
  return [...found].filter(name => !names.has(name))
}

/** Every cube, view and member. A member refers to its cube, since whatever the cube's rows are it is computed over. */
function definitionsOf(model: Model | null): ReadonlyMap<string, Definition> {
  const definitions = new Map<string, Definition>()
  const add = (name: string, value: unknown, ...references: readonly string[]) =>
    definitions.set(name, { text: JSON.stringify(value, replacer), references: referencesIn(value, references) })
  for (const { name, dimensions, measures, segments, hierarchies, preAggregations, ...cube } of model?.cubes ?? []) {
    add(name, cube)
    for (const member of [...dimensions, ...measures, ...segments]) add(`${name}.${member.name}`, member, name)
  }
  for (const { name, members, hierarchies, folders, ...view } of model?.views ?? []) {
    add(name, view)
    for (const member of members) add(`${name}.${member.name}`, member, name, `${member.cube}.${member.member}`)
  }
  return definitions
}

const replacer = (key: string, value: unknown): unknown => (leftOut.has(key) ? undefined : value)

/** Names in bound SQL: `{ cube, member }` is a member, `{ cube }` alone the rows of a cube. */
function referencesIn(value: unknown, known: readonly string[]): ReadonlySet<string> {
  const found = new Set(known)
  const visit = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return
    if ('cube' in item && typeof item.cube === 'string') {
      found.add('member' in item && typeof item.member === 'string' ? `${item.cube}.${item.member}` : item.cube)
    }
    for (const inner of Object.values(item)) visit(inner)
  }
  visit(value)
  return found
}
