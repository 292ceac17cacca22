import type { RollupState } from './rollup-state.ts'

/** Who is built when: rollups take turns, a few at once. */
export interface BuildTurns {
  /** Has a rollup looked at as soon as there is room; one that is being looked at, once more afterwards. */
  enqueue(state: RollupState): void
  /** It waits for no turn any more. */
  withdraw(state: RollupState): void
  isWaiting(state: RollupState): boolean
  isRunning(state: RollupState): boolean
  /** Those that run, then those that wait, each in its order. */
  all(): readonly RollupState[]
  /** Those that run, until their ends; they never reject. */
  running(): readonly Promise<void>[]
}

/** At once on this node; those computed in this process one at a time, so that queries keep their places. */
const most = { all: 2, embedded: 1 } as const

/** @param take looks at one rollup; never rejects. */
export function createBuildTurns(take: (state: RollupState) => Promise<void>, isStopped: () => boolean): BuildTurns {
  const waiting = new Set<RollupState>()
  const turns = new Map<RollupState, Promise<void>>()
  /** Of those that run: what they are built from changed after they had looked. */
  const again = new Set<RollupState>()
  const isEmbedded = ({ definition }: RollupState) => definition?.source.type === 'duckdb'

  function pump(): void {
    for (const state of waiting) {
      if (turns.size >= most.all) return
      const now = [...turns.keys()]
      // A deployment has one turn at a time, so that none waits for all rollups of another.
      if (now.some(({ deploymentId }) => deploymentId === state.deploymentId)) continue
      if (isEmbedded(state) && now.filter(isEmbedded).length >= most.embedded) continue
      waiting.delete(state)
      turns.set(
        state,
        take(state).finally(() => {
          turns.delete(state)
          if (again.delete(state) && !isStopped()) waiting.add(state)
          pump()
        }),
      )
    }
  }

  return {
    enqueue(state) {
      if (isStopped()) return
      if (turns.has(state)) again.add(state)
      else {
        waiting.add(state)
        pump()
      }
    },
    withdraw(state) {
      waiting.delete(state)
      again.delete(state)
    },
    isWaiting: state => waiting.has(state),
    isRunning: state => turns.has(state),
    all: () => [...turns.keys(), ...waiting],
    running: () => [...turns.values()],
  }
}
