import { agentMemories, type Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'

/** What an asker had an agent remember. */
export interface Memory {
  readonly id: number
  readonly text: string
  /** Whether he kept it himself: others' he can read and not forget. */
  readonly isOwn: boolean
}

/** Memories of one asker in one space. */
export interface Memories {
  list(): Promise<readonly Memory[]>
  /** @returns why it is not kept, or null: it is */
  keep(text: string): Promise<string | null>
  /** Forgets his own: these, or all. @returns how many there were */
  forget(ids: readonly number[] | 'all'): Promise<number>
}

/** Who asks, on which deployment. */
export interface MemoryHolder {
  readonly accountId: number
  readonly deploymentId: number
  readonly ownerId: number
}

/** What an agent's file says of its memories. */
export interface MemorySettings {
  readonly space: string
  readonly memoryMode: 'space' | 'user' | 'disabled'
}

export type FindMemories = (holder: MemoryHolder, settings: MemorySettings) => Memories | null

export const longestMemory = 500
const [mostOwn, mostOfSpace, mostRead] = [100, 5_000, 200]

/**
 * Memories by the agent's `memory_mode` (contract/behaviour/chat.md section 7): null where it is `disabled`; in `user` mode each asker has
 * his own; in `space` mode the account's users share theirs, and external users share with their embed tenant alone.
 */
export function createFindMemories({
  store,
  effects,
}: {
  readonly store: Store
  readonly effects: Effects
}): FindMemories {
  return ({ accountId, deploymentId, ownerId }, { space, memoryMode }) => {
    if (memoryMode === 'disabled') return null
    const owner = { accountId, deploymentId, space, userId: ownerId }
    return {
      async list() {
        const shared = memoryMode === 'space'
        const rows = await agentMemories.listMemories(store.kysely, owner, { shared, most: mostRead })
        return rows.map(({ id, text, userId }) => ({ id, text, isOwn: userId === ownerId }))
      },
      keep: text =>
        store.transaction(async transaction => {
          const { own, all } = await agentMemories.countMemories(transaction, owner)
          if (own >= mostOwn) return `I keep ${mostOwn} things for you already. Have me forget one first.`
          if (all >= mostOfSpace) return 'No more can be kept for this agent. Something has to be forgotten first.'
          await agentMemories.insertMemory(transaction, owner, text, effects.now())
          return null
        }),
      forget: ids => agentMemories.deleteMemories(store.kysely, owner, ids),
    }
  }
}
