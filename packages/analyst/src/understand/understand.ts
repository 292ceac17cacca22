import type { Question } from '../shapes/question.ts'
import type { TimeContext } from '../times/read-point.ts'
import type { KnownValues } from '../values/known-values.ts'
import type { NamedMember, Source, Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Token } from '../words/tokens.ts'
import { isTime } from './choose-member.ts'
import { asksOfTime, complete } from './complete.ts'
import { bestCover, type Cover } from './cover.ts'
import { followUp, isFollowUp } from './follow-up.ts'
import type { Parts, Problem } from './parts.ts'
import { rankSources } from './rank-sources.ts'
import { readParts } from './read-parts.ts'
import type { Span } from './span.ts'
import { findSpans } from './spans.ts'

export interface UnderstandNeeds {
  readonly vocabulary: Vocabulary
  readonly tokens: readonly Token[]
  readonly today: string
  /** The question before, in this conversation. */
  readonly before: Question | null
  /** Views that are to be preferred. */
  readonly preferred: readonly string[] | null
  /** What was looked up, by source. */
  readonly values: ReadonlyMap<string, readonly KnownValues[]>
  /** The last day with data, by source. */
  readonly latest: ReadonlyMap<string, string>
}

/** How one source would answer. */
export interface Reading {
  readonly source: Source
  readonly cover: Cover
  readonly parts: Parts
  /** How well the words fit; of several readings the first is meant. */
  readonly score: number
  readonly isFollowUp: boolean
  readonly outcome:
    | { readonly kind: 'question'; readonly question: Question; readonly notes: readonly string[] }
    /** Why the number of that question is as it is. */
    | { readonly kind: 'why'; readonly question: Question }
    | { readonly kind: 'problem'; readonly problem: Problem }
}

/** Members that the words of a reading name, and those whose values they name. */
export const namedIn = ({ cover }: Reading): NamedMember[] =>
  cover.spans.flatMap(({ meaning }) => {
    if (meaning.kind !== 'members' && meaning.kind !== 'values') return []
    const best = Math.max(...meaning.candidates.map(({ quality }) => quality))
    return meaning.candidates.filter(({ quality }) => quality === best).map(({ named }) => named)
  })

/** Reads a question in the sources that it can be about, the best reading first. */
export function understand(needs: UnderstandNeeds): readonly Reading[] {
  const { vocabulary, tokens, before, preferred } = needs
  const ranked = rankSources(vocabulary, tokens, preferred)
  const ofBefore = before ? vocabulary.source(before.source) : null
  const sources = ofBefore && !ranked.includes(ofBefore) ? [ofBefore, ...ranked] : ranked
  return sources.map(source => read(source, needs)).sort((left, right) => right.score - left.score)
}

function read(source: Source, needs: UnderstandNeeds): Reading {
  const { tokens, before, preferred, today } = needs
  const time: TimeContext = { today, latest: needs.latest.get(source.name) ?? null }
  const spans = findSpans({ tokens, source, time, values: needs.values.get(source.name) ?? [] })
  const { cover, parts } = readCover(tokens, source, spans)
  const goesOn = before !== null && before.source === source.name && isFollowUp(parts)
  const outcome = outcomeOf(refersBack(tokens) && !goesOn ? lost(parts) : parts, source, goesOn ? before : null, {
    today,
    isOnly: isOnlySource(needs.vocabulary, source),
  })
  const isPreferred = preferred === null || preferred.includes(source.name)
  const joined = cover.spans.filter(
    ({ meaning }) =>
      meaning.kind === 'members' && meaning.candidates.every(({ named }) => named.cube.name !== source.name),
  ).length
  const score =
    cover.score +
    (source.cube.type === 'view' ? 0.25 : 0) -
    joined * 0.1 -
    (isPreferred ? 0 : 1) +
    (goesOn ? 0.5 : 0) -
    (outcome.kind === 'problem' ? 0.4 : 0)
  return { source, cover, parts, score, isFollowUp: goesOn, outcome }
}

/** `how many of those are electric` */
const refersBack = (tokens: readonly Token[]) =>
  tokens.some(
    ({ word }, index) =>
      ['of', 'among', 'from'].includes(word) && ['those', 'these', 'them'].includes(tokens[index + 1]?.word ?? ''),
  )

/** Nothing was asked before, or of something else. */
const lost = (parts: Parts): Parts => ({
  ...parts,
  problems: [
    { kind: 'impossible', message: 'I do not see what is meant by “those”. Ask it as a whole question.' },
    ...parts.problems,
  ],
})

/** Reads the best cover. A time that nothing is asked of was meant otherwise, as a status was by `solved`, if it can be. */
function readCover(tokens: readonly Token[], source: Source, spans: readonly Span[]) {
  const cover = bestCover(tokens, spans)
  const parts = readParts(tokens, source, cover)
  if (parts.timeDimension === null || asksOfTime(parts)) return { cover, parts }
  const isOfTime = ({ meaning }: Span) =>
    meaning.kind === 'members' && meaning.candidates.every(({ named }) => isTime(named))
  const other = bestCover(
    tokens,
    spans.filter(span => !isOfTime(span)),
  )
  if (other.unknown.length > cover.unknown.length) return { cover, parts }
  return { cover: other, parts: readParts(tokens, source, other) }
}

/** Whether nothing else can be meant: the one view, or the one table where there is no view. */
function isOnlySource({ sources }: Vocabulary, source: Source): boolean {
  const views = sources.filter(({ cube }) => cube.type === 'view')
  return views.length > 0 ? views.length === 1 && views[0] === source : sources.length === 1
}

function outcomeOf(
  parts: Parts,
  source: Source,
  before: Question | null,
  around: { readonly today: string; readonly isOnly: boolean },
): Reading['outcome'] {
  const saysMeasure = parts.measures.length > 0 || parts.rows !== null
  if (parts.why && !saysMeasure && before && (before.extremes !== null || before.average !== null)) {
    const message = 'I can look into why a number is as it is, not into rows or averages over groups.'
    return { kind: 'problem', problem: { kind: 'impossible', message } }
  }
  if (parts.why && before && !saysMeasure && parts.problems.length === 0) return { kind: 'why', question: before }
  if (parts.why && !saysMeasure && parts.problems.length === 0) {
    return {
      kind: 'problem',
      problem: { kind: 'impossible', message: 'Ask for a number first, and then why it is so.' },
    }
  }
  const next = before && !(parts.why && saysMeasure) ? followUp(parts, before, source, around.today) : null
  // What makes no sense after the question before may do so by itself.
  const isOfRows = before !== null && (before.extremes !== null || before.average !== null)
  const isApart =
    !(isOfRows && !saysMeasure) &&
    next !== null &&
    'problem' in next &&
    next.problem.kind === 'impossible' &&
    parts.follow === null
  const completed = next && !isApart ? next : complete(parts, source, around)
  if ('problem' in completed) return { kind: 'problem', problem: completed.problem }
  return parts.why ? { kind: 'why', question: completed.question } : { kind: 'question', ...completed }
}
