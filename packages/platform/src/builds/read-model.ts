import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Model, SourceFile } from '@hedron/semantic'
import { compiledModels, type Store } from '@hedron/store'
import { LRUCache } from 'lru-cache'
import type { ObjectStore, Repository } from '../branches/object-store.ts'
import { type ObjectId, type ObjectReader, readSnapshot } from '../git/index.ts'
import { readBlobs } from '../git/read-objects.ts'
import type { CompiledModel, Compiler } from './compiler.ts'
import { projectTree } from './project-tree.ts'

/** The compiled model of a tree. */
export interface CompiledTree extends CompiledModel {
  /** Git id of the project's tree, which the model is a function of. */
  readonly tree: ObjectId
}

/** Where a project lies: the repository and the folder in it. */
export interface Project extends Repository {
  readonly deployProjectRoot: string
}

/** The compiled model of a tree of the repository. A tree compiles once, ever; after that it is read. */
export type ReadModel = (project: Project, tree: ObjectId) => Promise<CompiledTree>

interface ReadModelNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly compiler: Compiler
  /** Told of a compiler that threw, which is a fault of Hedron's. */
  readonly report: (error: unknown) => void
  /** Memory for models, in characters of their JSON. */
  readonly cacheSize?: number
}

const defaultCacheSize = 128 * 1024 * 1024
const entrySize = 1000

export function createReadModel({ store, objects, compiler, report, cacheSize }: ReadModelNeeds): ReadModel {
  const cache = new LRUCache<string, CompiledTree>({ maxSize: cacheSize ?? defaultCacheSize })
  const flights = new Map<string, Promise<CompiledTree>>()

  return async (project, tree) => {
    const reader = objects.reader(store.kysely, project)
    const id = await projectTree(reader, tree, project.deployProjectRoot)
    const key = `${project.deploymentId} ${id}`
    const known = cache.get(key)
    if (known) return known
    const flight = flights.get(key) ?? produce(project, reader, id, key).finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }

  async function produce(project: Project, reader: ObjectReader, tree: ObjectId, key: string): Promise<CompiledTree> {
    const modelKey = { deploymentId: project.deploymentId, tree, compilerVersion: compiler.version }
    const stored = await compiledModels.findCompiledModel(store.kysely, project.accountId, modelKey)
    if (stored) {
      const model: Model | null = stored.model === null ? null : JSON.parse(stored.model)
      return keep(key, { tree, model, problems: stored.problems, cubesCount: stored.cubesCount }, stored.model)
    }
    const files = await readFiles(reader, tree)
    await nextTurn()
    let compiled: CompiledModel
    try {
      compiled = await compiler.compile(files)
    } catch (error) {
      report(error)
      return { tree, ...compilerFault }
    }
    const { model, problems, cubesCount } = compiled
    const text = model === null ? null : JSON.stringify(model)
    await compiledModels.insertCompiledModel(store.kysely, project.accountId, modelKey, {
      model: text,
      problems,
      cubesCount,
    })
    return keep(key, { tree, model, problems, cubesCount }, text)
  }

  async function readFiles(reader: ObjectReader, tree: ObjectId): Promise<SourceFile[]> {
    const files = [...(await readSnapshot(reader, tree))].filter(([path]) => compiler.isModelFile(path))
    const blobs = await readBlobs(
      reader,
      files.map(([, { id }]) => id),
    )
    const decoder = new TextDecoder()
    return files.map(([path, { id }]) => ({ path, content: decoder.decode(blobs.get(id)) }))
  }

  function keep(key: string, compiled: CompiledTree, text: string | null): CompiledTree {
    cache.set(key, compiled, { size: entrySize + (text?.length ?? 0) })
    return compiled
  }
}

/** Neither stored nor kept: a version that mends the compiler makes the model. */
const compilerFault: CompiledModel = {
  model: null,
  cubesCount: 0,
  problems: [
    {
      code: 'compiler_fault',
      message: 'The compiler failed on this model. That is a fault of Hedron; the server has logged it.',
      file: '',
      line: 1,
      column: 1,
    },
  ],
}
