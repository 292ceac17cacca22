import type { SyncOptions } from './options.ts'
import type { DbtModel } from './read-manifest.ts'

/**
 * The columns that tell a model's rows apart: its `primary_key` constraint, all of its columns or none; else the columns that strict
 * `unique` and `not_null` tests hold for; else, by name, `<model>_id`, that of one of them, or `id`.
 *
 * A column that merely ends like a key is not taken for one: a wrong key would make wrong sums once cubes are joined.
 */
export function primaryKeyOf(model: DbtModel, options: SyncOptions): readonly string[] {
  const known = new Set(model.columns.map(({ name }) => name))
  const { constrainedKey } = model
  if (constrainedKey !== null && constrainedKey.length > 0 && constrainedKey.every(name => known.has(name))) {
    return constrainedKey
  }
  const tested = options.keysFromTests ? model.testedKeys.filter(name => known.has(name)) : []
  const [byTest] = tested
  if (byTest !== undefined) return [namedAfter(model, options).find(name => tested.includes(name)) ?? byTest]
  if (!options.keysFromNames) return []
  const byName = namedAfter(model, options).find(name => known.has(name))
  return byName === undefined ? [] : [byName]
}

/** Names that a key of the model would have, best first. */
function namedAfter({ name, columns }: DbtModel, { keySuffixes }: SyncOptions): string[] {
  const singular = name
    .replace(/ies$/i, 'y')
    .replace(/(ss|us)$/i, '$1')
    .replace(/(?<![su])s$/i, '')
  const bare = new Set([name, singular].flatMap(each => [each, each.replace(/^(stg|int|dim|fct|fact|mart)_+/i, '')]))
  const wanted = [...[...bare].flatMap(each => keySuffixes.map(suffix => `${each}${suffix}`)), 'id'].map(it =>
    it.toLowerCase(),
  )
  return wanted.flatMap(each => columns.map(column => column.name).filter(column => column.toLowerCase() === each))
}
