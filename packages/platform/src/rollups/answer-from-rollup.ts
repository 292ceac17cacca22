import type { DataSource } from '@hedron/query'
import type { CompiledQuery } from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import type { Missing } from './find-tables.ts'
import type { PlannedRollup } from './plan-rollup.ts'
import type { RollupKeeper } from './rollup-keeper.ts'
import type { RollupState } from './rollup-state.ts'

/** An answer that a rollup has: what to run where. */
export interface RollupAnswer {
  readonly definition: RollupDefinition
  readonly compiled: CompiledQuery
  readonly source: DataSource
  /** When the source was asked for the oldest of its rows. */
  readonly builtAt: Date
}

/** What a rollup has to say to a query: its answer, or why it has none. */
export type RollupReply = RollupAnswer | (Missing & { readonly isOnItsWay: boolean })

export interface RollupAnswers {
  /**
   * @param how `isStrict`: not from tables that are due to be refreshed; `builds`: what is missing is built from now on
   */
  ask(planned: PlannedRollup, how: { readonly isStrict: boolean; readonly builds: boolean }): RollupReply
  /** Its files could not be read. */
  distrust(answer: RollupAnswer): void
}

interface Remembered {
  readonly state: RollupState
  readonly generation: number
  readonly until: number
  readonly isStrict: boolean
  readonly answer: RollupAnswer
}

/** Answers queries from the tables that are there. The statement of a plan is written once for as long as its tables stay. */
export function createRollupAnswers(need: {
  readonly keeper: RollupKeeper
  readonly sourceOf: (deploymentId: number) => DataSource
  readonly now: () => number
}): RollupAnswers {
  const { keeper, sourceOf, now } = need
  const known = new WeakMap<PlannedRollup, Remembered>()

  return {
    ask(planned, how) {
      if ('miss' in planned) return { missing: planned.miss, isOnItsWay: false }
      const remembered = known.get(planned)
      if (remembered && isCurrent(remembered, how.isStrict)) return remembered.answer
      const { definition, range } = planned
      const { state, ...found } = keeper.find(definition, range, how)
      if ('missing' in found) return { ...found, isOnItsWay: how.builds && state.failure === null }
      const compiled = planned.read(found.tables)
      // Never changed, so that whoever sees the same ones knows the same question.
      Object.freeze(compiled.oneMore.parameters)
      const answer = {
        definition,
        compiled,
        source: sourceOf(definition.deploymentId),
        builtAt: new Date(found.builtAt),
      }
      const { generation } = state
      known.set(planned, { state, generation, until: found.until, isStrict: how.isStrict, answer })
      return answer
    },
    distrust: ({ definition }) => keeper.distrust(definition),
  }

  function isCurrent({ state, generation, until, isStrict }: Remembered, wanted: boolean): boolean {
    if (state.generation !== generation || isStrict !== wanted) return false
    const at = now()
    if (at >= until || at >= state.dueAt) return false
    state.usedAt = at
    return true
  }
}
