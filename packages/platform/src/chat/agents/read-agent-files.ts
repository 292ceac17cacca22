import { type AgentsConfig, type AgentsResult, agentsLimits, readAgents, type SourceFile } from '@hedron/semantic'
import type { Store } from '@hedron/store'
import { LRUCache } from 'lru-cache'
import type { ObjectStore, Repository } from '../../branches/object-store.ts'
import { type ObjectId, type ObjectReader, readSnapshot } from '../../git/index.ts'
import { emptyTreeId } from '../../git/objects.ts'
import { readBlobs } from '../../git/read-objects.ts'
import { findDirectory } from '../../git/snapshot.ts'

/** What the agents' folder of a tree says. */
export interface AgentFiles extends AgentsResult {
  /** Git id of the folder; that of the empty tree where there is none. */
  readonly tree: ObjectId
}

interface ReadAgentFilesNeed {
  readonly store: Store
  readonly objects: ObjectStore
  /** The folder of the deployment's projects that describes agents; null: none does. */
  readonly directoryOf: (deploymentId: number) => Promise<string | null>
}

/** Of folders that were read, in characters of their files. */
const rememberedSize = 16 * 1024 * 1024
const largestBlob = agentsLimits.characters * 4

/** No files: the agent `auto`, as it is where nobody describes it. */
export const noAgentFiles: AgentsConfig = configOf(readAgents([], 'agents'))

/**
 * Reads what a project says about its agents. A folder is read once: what it says is a function of its content, and the newest are
 * remembered.
 */
export function createReadAgentFiles({ store, objects, directoryOf }: ReadAgentFilesNeed) {
  const known = new LRUCache<string, AgentFiles>({ maxSize: rememberedSize })

  async function readFolder(repository: Repository, tree: ObjectId, directory: string): Promise<AgentFiles> {
    const key = `${repository.deploymentId} ${directory} ${tree}`
    const remembered = known.get(key)
    if (remembered) return remembered
    const files = await readFiles(objects.reader(store.kysely, repository), tree, directory)
    const result = { ...readAgents(files, directory), tree }
    known.set(key, result, { size: files.reduce((sum, { content }) => sum + content.length, 1000) })
    return result
  }

  return {
    /** @param tree of the project, below its root */
    async inProject(repository: Repository, tree: ObjectId): Promise<AgentFiles> {
      const directory = await directoryOf(repository.deploymentId)
      const found =
        directory === null ? null : await findDirectory(objects.reader(store.kysely, repository), tree, directory)
      return readFolder(repository, found ?? emptyTreeId, directory ?? '')
    },
    /** @param tree of the folder itself, as `inProject` gave it */
    async ofFolder(repository: Repository, tree: ObjectId): Promise<AgentFiles> {
      return readFolder(repository, tree, (await directoryOf(repository.deploymentId)) ?? '')
    },
  }
}
export type ReadAgentFiles = ReturnType<typeof createReadAgentFiles>

async function readFiles(reader: ObjectReader, tree: ObjectId, directory: string): Promise<SourceFile[]> {
  const snapshot = [...(await readSnapshot(reader, tree))]
  // Too many are refused by their number alone, so their content is not needed.
  if (snapshot.length > agentsLimits.files)
    return snapshot.map(([path]) => ({ path: `${directory}/${path}`, content: '' }))
  const blobs = await readBlobs(
    reader,
    snapshot.map(([, { id }]) => id),
  )
  const decoder = new TextDecoder()
  return snapshot.map(([path, { id }]) => {
    const bytes = blobs.get(id)
    // So much is too large whatever it says.
    const content = decoder.decode(bytes && bytes.byteLength > largestBlob ? bytes.subarray(0, largestBlob) : bytes)
    return { path: `${directory}/${path}`, content }
  })
}

function configOf({ config }: AgentsResult): AgentsConfig {
  if (config === null) throw new Error('a project without files of agents has no agents')
  return config
}
