import type { DataSource } from '@hedron/query'
import type { CompiledQuery } from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import type { Missing } from './find-tables.ts'
import type { PlannedRollup } from './plan-rollup.ts'
import type { RollupKeeper } from './rollup-keeper.ts'
import type { RollupState } from './rollup-state.ts'

/** An answer that a rollup has: what to run where. */
export interface RollupAnswer {
  /** Whose tables it is read from: several where a rollup joins others. */
  readonly definitions: readonly RollupDefinition[]
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
  readonly states: readonly { readonly state: RollupState; readonly generation: number }[]
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
      // All are asked for, so that all that are missing are built.
      const parts = planned.parts.map(({ definition, range }) => ({
        definition,
        ...keeper.find(definition, range, how),
      }))
      const lacks = parts.flatMap(part => ('missing' in part ? [part] : []))
      const [lack] = lacks
      if (lack) {
        const { missing, failure } = lack
        const isOnItsWay = how.builds && lacks.every(({ state }) => state.failure === null)
        const named = parts.length > 1 ? `${lack.definition.name}: ${missing}` : missing
        return { missing: named, ...(failure === undefined ? {} : { failure }), isOnItsWay }
      }
      const found = parts.flatMap(part => ('tables' in part ? [part] : []))
      const compiled = planned.read(found.map(({ tables }) => tables))
      // Never changed, so that whoever sees the same ones knows the same question.
      Object.freeze(compiled.oneMore.parameters)
      const answer = {
        definitions: found.map(({ definition }) => definition),
        compiled,
        source: sourceOf(planned.deploymentId),
        builtAt: new Date(Math.min(...found.map(({ builtAt }) => builtAt))),
      }
      const states = found.map(({ state }) => ({ state, generation: state.generation }))
      const until = Math.min(...found.map(part => part.until))
      known.set(planned, { states, until, isStrict: how.isStrict, answer })
      return answer
    },
    distrust({ definitions }) {
      for (const definition of definitions) keeper.distrust(definition)
    },
  }

  function isCurrent({ states, until, isStrict }: Remembered, wanted: boolean): boolean {
    if (isStrict !== wanted) return false
    const at = now()
    if (at >= until) return false
    for (const { state, generation } of states) if (state.generation !== generation || at >= state.dueAt) return false
    for (const { state } of states) state.usedAt = at
    return true
  }
}
