import { formatLocal, localOf, partitionEnd, type RollupSection } from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import { type AskedRange, findTablesOf, type KnownTables, layoutsOf, type Missing } from './find-tables.ts'
import { type KeptTable, type Layout, partitionKey } from './rollup-state.ts'

/** One rollup of those that follow each other. */
export interface FollowedRollup {
  readonly state: KnownTables
  readonly definition: Pick<RollupDefinition, 'name' | 'timezone' | 'steps'>
}

/** Tables that answer one after another. */
export interface FoundSections {
  readonly sections: readonly RollupSection[]
  /** Which of the rollups they are of, by position. */
  readonly used: readonly number[]
  /** From which step on the source has to give the rows; null: the tables hold all that is asked for. */
  readonly newestFrom: string | null
  /** When the source of the oldest of them was asked. */
  readonly builtAt: number
  readonly until: number
}

/**
 * The tables of rollups that follow each other in time (`rollup_lambda`): each answers from where the one before ends, which is where
 * its build range ends, or with its newest step while that may still get rows. So no step is read from two of them, and all rows of a
 * step were asked of the source at once.
 *
 * @param endsAtSource whether the source gives what is newer than the last one; otherwise the last one answers for all that follows
 */
export function findSections(
  rollups: readonly FollowedRollup[],
  [from, to]: AskedRange,
  now: number,
  how: { readonly isStrict: boolean; readonly endsAtSource: boolean },
): FoundSections | (Missing & { readonly position: number }) {
  const sections: RollupSection[] = []
  const used: number[] = []
  let cursor: string | null = null
  let builtAt = Number.POSITIVE_INFINITY
  let until = Number.POSITIVE_INFINITY
  const isAnswered = () => cursor !== null && to !== null && to < cursor
  for (const [position, { state, definition }] of rollups.entries()) {
    if (isAnswered()) break
    const isLast = position === rollups.length - 1 && !how.endsAtSource
    const first: string | null = later(from, cursor)
    let missing: Missing = { missing: 'it is not built yet' }
    let isRead = false
    for (const [place, layout] of layoutsOf(state).entries()) {
      const end = isLast ? null : coverageOf(state, layout, definition)
      if (end?.kind === 'unknown') continue
      const before: string | null = end?.before ?? null
      // It has nothing of what is left to be asked.
      if (end && (before === null || (first !== null && before <= first))) {
        isRead = true
        cursor = later(cursor, before)
        break
      }
      const asked: AskedRange = [first, before === null ? to : earlier(to, lastMomentBefore(before))]
      const found = findTablesOf(state, layout, asked, now, how.isStrict)
      if ('missing' in found) {
        if (place === 0) missing = found
        continue
      }
      sections.push({ tables: found.tables, from: cursor, before })
      used.push(position)
      builtAt = Math.min(builtAt, found.builtAt)
      until = Math.min(until, found.until)
      cursor = before
      isRead = true
      break
    }
    if (!isRead) return { ...missing, position }
    if (isLast) return { sections, used, newestFrom: null, builtAt, until }
  }
  if (isAnswered()) return { sections, used, newestFrom: null, builtAt, until }
  if (cursor === null || sections.length === 0) {
    return { missing: 'it has no rows of the time that is asked for', position: rollups.length - 1 }
  }
  return { sections, used, newestFrom: cursor, builtAt, until }
}

type Coverage =
  | { readonly kind: 'unknown' }
  /** Null: it holds no step whole. */
  | { readonly kind: 'known'; readonly before: string | null }

/**
 * Before which step the tables of a layout hold all rows, but for those that come late, which the next refresh brings. A table that was
 * filled before its time was over counts to its newest step, in which rows may be missing; and no further than to when it was filled.
 */
function coverageOf(
  { tables }: KnownTables,
  layout: Layout,
  { timezone, steps }: FollowedRollup['definition'],
): Coverage {
  let before: string | null = null
  for (const [position, partition] of layout.entries()) {
    const [start, end] = partition?.range ?? [null, null]
    const table = tables.get(partitionKey(partition))
    if (!table) {
      // The newest one is on its way; of others, whoever needs them finds out.
      if (position === layout.length - 1) return start === null ? { kind: 'unknown' } : { kind: 'known', before: start }
      continue
    }
    const endsAt = partition ? partitionEnd(partition, timezone) : null
    if (end !== null && endsAt !== null && endsAt <= table.builtAt) {
      before = end
      continue
    }
    return { kind: 'known', before: later(start, newestStep(table, timezone, steps)) }
  }
  return { kind: 'known', before }
}

function newestStep({ lastStep, builtAt }: KeptTable, timezone: string, steps: RollupDefinition['steps']) {
  const filled = formatLocal(localOf(builtAt, timezone))
  if (lastStep === null || lastStep <= filled) return lastStep
  return steps?.startOf(filled) ?? null
}

const later = (left: string | null, right: string | null) =>
  left === null || (right !== null && right > left) ? right : left

const earlier = (left: string | null, right: string) => (left === null || right < left ? right : left)

/** To the millisecond, as ranges are. */
const lastMomentBefore = (local: string) => formatLocal(Date.parse(`${local}Z`) - 1)
