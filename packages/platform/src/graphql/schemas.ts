import { createHash } from 'node:crypto'
import type { MetaCube, Model } from '@hedron/semantic'
import type { GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { buildSchema } from './build-schema.ts'
import { type NamedCube, type NamedModel, nameModel } from './names.ts'

/** The schema of what some callers see of one model. */
export interface CubeSchema {
  /** No two schemas of a process have the same. */
  readonly id: number
  readonly schema: GraphQLSchema
  /** By the field below `cube`. */
  readonly cubes: ReadonlyMap<string, NamedCube>
}

/** Members in all schemas that are remembered. */
const rememberedMembers = 200_000

/** Remembers schemas by what is visible in them, never by who asks alone: callers with other rights have another one. */
export function createSchemas() {
  const built = new LRUCache<string, CubeSchema>({
    maxSize: rememberedMembers,
    sizeCalculation: ({ cubes }) => [...cubes.values()].reduce((sum, { members }) => sum + members.length, 1),
  })
  const keys = new WeakMap<object, { readonly model: Model; readonly key: string }>()
  let count = 0

  return (caller: object, model: Model, describe: () => readonly MetaCube[]): CubeSchema => {
    const remembered = keys.get(caller)
    const known = remembered?.model === model ? built.get(remembered.key) : undefined
    if (known) return known
    const named = nameModel(describe())
    const key = keyOf(named)
    keys.set(caller, { model, key })
    const same = built.get(key)
    if (same) return same
    const cubes = new Map(named.cubes.map(cube => [cube.field, cube]))
    const made = { id: ++count, schema: buildSchema(named), cubes }
    built.set(key, made)
    return made
  }
}

const keyOf = (named: NamedModel) => createHash('sha256').update(JSON.stringify(named)).digest('base64')
