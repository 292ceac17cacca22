import type { DashboardConfig } from '@hedron/contract'

/** Drafts before and after the one that is shown, the nearest last. */
export interface DraftHistory {
  readonly past: readonly DashboardConfig[]
  readonly future: readonly DashboardConfig[]
  /** When the draft was changed last, in milliseconds. */
  readonly changedAt: number
}

export const noHistory: DraftHistory = { past: [], future: [], changedAt: 0 }

const mostKept = 100
/** Changes that follow each other closer than this are one, as letters of a word and steps of a drag are. In milliseconds. */
const oneChange = 700

/**
 * The history once `before` became `after`. What adds or takes away widgets is a change of its own, however soon it follows: a loss is taken back
 * without what was done beside it.
 *
 * @param now in milliseconds.
 */
export function remembered(
  history: DraftHistory,
  before: DashboardConfig,
  after: DashboardConfig,
  now: number,
): DraftHistory {
  const isWhole = before.widgets?.length !== after.widgets?.length
  const isSoon = history.past.length > 0 && history.future.length === 0 && now - history.changedAt < oneChange
  const past = isSoon && !isWhole ? history.past : [...history.past, before].slice(-mostKept)
  return { past, future: [], changedAt: isWhole ? 0 : now }
}

/** One step back or forward. @returns null where there is none. */
export function stepped(
  { past, future }: DraftHistory,
  shown: DashboardConfig,
  way: 'undo' | 'redo',
): { readonly draft: DashboardConfig; readonly history: DraftHistory } | null {
  const draft = (way === 'undo' ? past : future).at(-1)
  if (draft === undefined) return null
  const history =
    way === 'undo'
      ? { past: past.slice(0, -1), future: [...future, shown], changedAt: 0 }
      : { past: [...past, shown], future: future.slice(0, -1), changedAt: 0 }
  return { draft, history }
}
