import { createHash } from 'node:crypto'
import type { DataSource } from '@hedron/query'
import type { CompiledQuery } from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import { findSections } from './find-sections.ts'
import type { Missing } from './find-tables.ts'
import type { NewestTable } from './newest-rows.ts'
import type { FittingRollup, FollowingParts, PlannedRollup } from './plan-rollup.ts'
import type { RollupKeeper } from './rollup-keeper.ts'
import type { RollupState } from './rollup-state.ts'

/** An answer that a rollup has: what to run where. */
export interface RollupAnswer {
  /** Whose tables it is read from: several where a rollup joins others, or they follow each other. */
  readonly definitions: readonly RollupDefinition[]
  /** Of the newest rows of the source, where they are part of it. */
  readonly newest: RollupDefinition | null
  readonly compiled: CompiledQuery
  readonly source: DataSource
  /** When the source was asked for the oldest of its rows. */
  readonly builtAt: Date
  /** By the hash of a definition: what changes when any of its tables is built again because its refresh key changed. */
  readonly refreshValues: ReadonlyMap<string, string>
}

/** What a rollup has to say to a query: its answer, or why it has none. */
export type RollupReply =
  | RollupAnswer
  | (Missing & {
      readonly isOnItsWay: boolean
      /** What the source is asked for so that there will be an answer; rejects where that fails. */
      readonly fetching?: Promise<void>
    })

export interface RollupAnswers {
  /**
   * @param how `isStrict`: not from tables that are due to be refreshed; `builds`: what is missing is built from now on, and newest rows
   * are fetched
   */
  ask(planned: PlannedRollup, how: Asking): RollupReply
  /** Its files could not be read. */
  distrust(answer: RollupAnswer): void
}

interface Asking {
  readonly isStrict: boolean
  readonly builds: boolean
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
      return planned.following ? askFollowing(planned, planned.following, how) : askTogether(planned, how)
    },
    distrust({ definitions, newest }) {
      for (const definition of definitions) keeper.distrust(definition)
      if (newest) keeper.newest.distrust(newest)
    },
  }

  /** From the tables of one rollup, or of several that are joined. */
  function askTogether(planned: FittingRollup, how: Asking): RollupReply {
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
    return remember(planned, how, {
      compiled: planned.read(found.map(({ tables }) => tables)),
      definitions: found.map(({ definition }) => definition),
      builtAt: Math.min(...found.map(({ builtAt }) => builtAt)),
      until: Math.min(...found.map(part => part.until)),
      states: found.map(({ state }) => state),
      newest: null,
    })
  }

  /** From the tables of rollups that follow each other in time, and what the source has that is newer. */
  function askFollowing(planned: FittingRollup, { newest, read }: FollowingParts, how: Asking): RollupReply {
    const parts = planned.parts.map(({ definition, range }) => ({
      definition,
      range,
      state: keeper.find(definition, range, how).state,
    }))
    const [first] = parts
    if (!first) throw new Error('A rollup_lambda has no rollups')
    const found = findSections(parts, first.range, now(), { isStrict: how.isStrict, endsAtSource: newest !== null })
    if ('missing' in found) {
      const { missing, failure, position } = found
      const isOnItsWay = how.builds && parts.every(({ state }) => state.failure === null)
      const named = `${parts[position]?.definition.name}: ${missing}`
      return { missing: named, ...(failure === undefined ? {} : { failure }), isOnItsWay }
    }
    const { sections, used, newestFrom, builtAt, until } = found
    const isUsed = (_: unknown, position: number) => used.includes(position)
    const all = {
      definitions: parts.filter(isUsed).map(({ definition }) => definition),
      states: parts.map(({ state }) => state),
    }
    if (newestFrom === null || !newest) {
      return remember(planned, how, { ...all, compiled: read(sections), builtAt, until, newest: null })
    }
    const rows = keeper.newest.find(newest.definition, newestFrom)
    if (!rows) {
      const missing = 'the newest rows are to be fetched from the source'
      if (!how.builds) return { missing, isOnItsWay: false }
      const fetching = keeper.newest.fetch(newest.definition, newestFrom, newest.freshMs(new Date(now())))
      return { missing, isOnItsWay: fetching !== null, ...(fetching ? { fetching } : {}) }
    }
    return remember(planned, how, {
      ...all,
      compiled: read([...sections, { tables: rows.tables, from: newestFrom, before: null }]),
      builtAt: Math.min(builtAt, rows.builtAt),
      until: Math.min(until, rows.until),
      newest: { definition: newest.definition, rows },
    })
  }

  function remember(
    planned: FittingRollup,
    { isStrict }: Asking,
    found: {
      readonly compiled: CompiledQuery
      readonly definitions: readonly RollupDefinition[]
      readonly builtAt: number
      readonly until: number
      readonly states: readonly RollupState[]
      readonly newest: { readonly definition: RollupDefinition; readonly rows: NewestTable } | null
    },
  ): RollupAnswer {
    const { compiled, definitions, builtAt, until } = found
    // Never changed, so that whoever sees the same ones knows the same question.
    Object.freeze(compiled.oneMore.parameters)
    const answer = {
      definitions,
      newest: found.newest?.definition ?? null,
      compiled,
      source: sourceOf(planned.deploymentId),
      builtAt: new Date(builtAt),
      refreshValues: new Map(found.states.map(state => [state.hash, refreshValueOf(state)])),
    }
    const states = found.states.map(state => ({ state, generation: state.generation }))
    known.set(planned, { states, until, isStrict, answer })
    return answer
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

function refreshValueOf({ tables }: RollupState): string {
  const values = [...new Set([...tables.values()].map(({ refreshValue }) => refreshValue))].toSorted()
  const [only] = values
  return values.length === 1 && only !== undefined
    ? only
    : createHash('sha256').update(JSON.stringify(values)).digest('hex')
}
