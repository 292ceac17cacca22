import { rollups, type Store } from '@hedron/store'
import type { RollupDefinition } from './definition.ts'
import { attach, type Layout, newState, type RollupState, writeLayout } from './rollup-state.ts'

/** Rollups that this node knows, in memory and in the store. */
export interface RollupStates {
  /** The state of a rollup, made when it is first met. */
  of(definition: RollupDefinition): RollupState
  find(deploymentId: number, hash: string): RollupState | undefined
  all(): RollupState[]
  add(state: RollupState): void
  /** Out of memory alone. */
  remove(state: RollupState): void
  /** How the store knows a rollup of this node. */
  keyOf(state: RollupState): rollups.RollupKey
  /** Writes down what a rollup is divided into, and when it was last used. */
  remember(state: RollupState, layout: Layout, surveyedAt: number): Promise<void>
}

export function createRollupStates(need: {
  readonly store: Store
  readonly node: string
  readonly now: () => number
}): RollupStates {
  const { store, node, now } = need
  const states = new Map<string, RollupState>()
  const mapKey = (deploymentId: number, hash: string) => `${deploymentId} ${hash}`
  const keyOf: RollupStates['keyOf'] = ({ accountId, deploymentId, hash }) => ({
    accountId,
    deploymentId,
    definition: hash,
    node,
  })
  const add: RollupStates['add'] = state => {
    states.set(mapKey(state.deploymentId, state.hash), state)
  }
  return {
    of(definition) {
      const known = states.get(mapKey(definition.deploymentId, definition.hash))
      if (known && !known.definition) attach(known, definition)
      if (known) return known
      const state = newState(definition, now())
      add(state)
      return state
    },
    find: (deploymentId, hash) => states.get(mapKey(deploymentId, hash)),
    all: () => [...states.values()],
    add,
    remove(state) {
      states.delete(mapKey(state.deploymentId, state.hash))
    },
    keyOf,
    async remember(state, layout, surveyedAt) {
      const { name, timezone, usedAt } = state
      await rollups.putRollup(store.kysely, {
        ...keyOf(state),
        name,
        timezone,
        layout: writeLayout(layout),
        surveyedAt: new Date(surveyedAt),
        usedAt: new Date(usedAt),
      })
      state.layout = layout
      state.surveyedAt = surveyedAt
      state.generation += 1
    },
  }
}
