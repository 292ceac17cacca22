import type { Token } from '../words/tokens.ts'
import type { Span } from './span.ts'
import { isContent } from './spans.ts'

/** The best reading of all words: spans that do not overlap, in order, and the words that none explains. */
export interface Cover {
  readonly spans: readonly Span[]
  /** Places of tokens that matter and are not understood. */
  readonly unknown: readonly number[]
  readonly score: number
}

const costOfUnknown = 2

/** Chooses the spans that together explain most of a question. */
export function bestCover(tokens: readonly Token[], spans: readonly Span[]): Cover {
  const endingAt = new Map<number, Span[]>()
  for (const span of spans) {
    const others = endingAt.get(span.to)
    if (others) others.push(span)
    else endingAt.set(span.to, [span])
  }
  interface Step {
    readonly score: number
    readonly span: Span | null
  }
  const best: Step[] = [{ score: 0, span: null }]
  for (let to = 1; to <= tokens.length; to++) {
    const token = tokens[to - 1]
    const skipped = (best[to - 1]?.score ?? 0) - (token && isContent(token) ? costOfUnknown : 0)
    let step: Step = { score: skipped, span: null }
    for (const span of endingAt.get(to) ?? []) {
      const score = (best[span.from]?.score ?? 0) + span.score
      if (score > step.score) step = { score, span }
    }
    best.push(step)
  }
  const chosen: Span[] = []
  const unknown: number[] = []
  for (let at = tokens.length; at > 0; ) {
    const span = best[at]?.span
    if (span) {
      chosen.unshift(span)
      at = span.from
    } else {
      at--
      const token = tokens[at]
      if (token && isContent(token)) unknown.unshift(at)
    }
  }
  return { spans: chosen, unknown, score: best[tokens.length]?.score ?? 0 }
}
