import { CodedError } from '@hedron/contract'
import type { Model, ModelProblem, SourceFile } from '@hedron/semantic'
import { compiledModels, type Store } from '@hedron/store'
import { LRUCache } from 'lru-cache'
import type { ObjectStore, Repository } from '../branches/object-store.ts'
import { type ObjectId, type ObjectReader, readSnapshot } from '../git/index.ts'
import { readBlobs } from '../git/read-objects.ts'
import type { CompileOutcome, Compiler } from './compiler.ts'
import { createModelReader } from './model-text.ts'
import { projectTree } from './project-tree.ts'

/** The compiled model of a tree. */
export interface CompiledTree {
  /** Null when there are problems. */
  readonly model: Model | null
  readonly problems: readonly ModelProblem[]
  readonly warnings: readonly ModelProblem[]
  readonly cubesCount: number
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
/** A tree that could not be compiled in time is not tried again for so long, however often it is asked for. */
const failureMilliseconds = 60_000

export function createReadModel({ store, objects, compiler, report, cacheSize }: ReadModelNeeds): ReadModel {
  const cache = new LRUCache<string, CompiledTree>({ maxSize: cacheSize ?? defaultCacheSize })
  const flights = new Map<string, Promise<CompiledTree>>()
  const readModelText = createModelReader()

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
    if (stored) return keep(project, key, tree, { ...stored, isFinal: true })
    const files = await readFiles(reader, tree)
    let outcome: CompileOutcome
    try {
      outcome = await compiler.compile(files, project.deploymentId)
    } catch (error) {
      if (error instanceof CodedError) throw error
      report(error)
      return { tree, ...compilerFault }
    }
    const { isFinal, ...compiled } = outcome
    if (isFinal) {
      await compiledModels.insertCompiledModel(store.kysely, project.accountId, modelKey, compiled)
    }
    return keep(project, key, tree, outcome)
  }

  async function readFiles(reader: ObjectReader, tree: ObjectId): Promise<SourceFile[]> {
    const files = [...(await readSnapshot(reader, tree))].filter(([path]) => compiler.isModelFile(path))
    const blobs = await readBlobs(
      reader,
      files.map(([, { id }]) => id),
    )
    const decoder = new TextDecoder()
    return files.map(([path, { id }]) => ({ path, content: decoder.decode(blobs.get(id)), digest: id }))
  }

  async function keep(
    { deploymentId }: Project,
    key: string,
    tree: ObjectId,
    { model, isFinal, ...outcome }: CompileOutcome,
  ): Promise<CompiledTree> {
    const read = model === null ? null : await readModelText(model, deploymentId)
    const compiled = { tree, model: read, ...outcome }
    const size = entrySize + (model?.length ?? 0)
    cache.set(key, compiled, { size, ...(isFinal ? {} : { ttl: failureMilliseconds }) })
    return compiled
  }
}

/** Neither stored nor kept: a version that mends the compiler makes the model. */
const compilerFault: Omit<CompiledTree, 'tree'> = {
  model: null,
  cubesCount: 0,
  warnings: [],
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
