import { rollups, type Store } from '@hedron/store'
import type { LingeringFiles } from './lingering-files.ts'
import type { RollupState } from './rollup-state.ts'
import type { RollupStates } from './rollup-states.ts'

interface RoomNeeds {
  readonly store: Store
  readonly states: RollupStates
  readonly lingering: LingeringFiles
  /** What all files of this node may take. */
  readonly diskBytes: number
  /** Rollups that were used within this time are kept. */
  readonly activeMs: number
  readonly isRunning: (state: RollupState) => boolean
  /** Told of each that is dropped. */
  readonly onForgotten: (state: RollupState) => void
  readonly now: () => number
}

/** The disk that rollups of this node share. */
export interface RollupRoom {
  /**
   * What the next file may take, in bytes; rollups that were not used for longest make room for it.
   *
   * @throws {Error} where all that may be taken is taken
   */
  makeRoom(state: RollupState): Promise<number>
  /** Drops a rollup, in the store first; its files follow when no query can read them any more. */
  forget(state: RollupState): Promise<void>
}

/** Room is made before the last tenth is used, which the next file needs. */
const fullShare = 0.9

export function createRollupRoom(need: RoomNeeds): RollupRoom {
  const { store, states, lingering, diskBytes, now } = need
  const bytesOf = ({ tables }: RollupState) => [...tables.values()].reduce((sum, { bytes }) => sum + bytes, 0)

  async function forget(state: RollupState): Promise<void> {
    await rollups.deleteRollup(store.kysely, states.keyOf(state))
    states.remove(state)
    need.onForgotten(state)
    for (const { file } of state.tables.values()) lingering.add(state.deploymentId, file)
    state.tables.clear()
    state.generation += 1
  }

  return {
    forget,
    async makeRoom(state) {
      const others = states.all().filter(other => other !== state && bytesOf(other) > 0 && !need.isRunning(other))
      others.sort((left, right) => left.usedAt - right.usedAt)
      let used = states.all().reduce((sum, each) => sum + bytesOf(each), 0)
      for (const other of others) {
        if (used < diskBytes * fullShare || now() - other.usedAt < need.activeMs || other.isScheduled) break
        used -= bytesOf(other)
        await forget(other)
      }
      if (used >= diskBytes) {
        throw new Error(`The rollups of this node take ${used} of the ${diskBytes} bytes that they may take`)
      }
      return diskBytes - used
    },
  }
}
