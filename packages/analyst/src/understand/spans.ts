import { readPeriod, type TimePhrase } from '../times/read-period.ts'
import type { TimeContext } from '../times/read-point.ts'
import type { KnownValues } from '../values/known-values.ts'
import { indexValues, matchValues } from '../values/match-values.ts'
import type { Source } from '../vocabulary/vocabulary.ts'
import type { Token } from '../words/tokens.ts'
import { directionVerbs, stopWords } from '../words/word-lists.ts'
import { isNumberDimension } from './choose-member.ts'
import type { Mark } from './mark.ts'
import { marksAt } from './marks.ts'
import { createNameMatcher } from './match-names.ts'
import { ownGrainSpans } from './own-grains.ts'
import type { Span } from './span.ts'

const longestName = 7
const longestValue = 6

/** Whether a word has to be understood for the question to be. */
export function isContent(token: Token): boolean {
  if (token.kind === 'mark') return false
  if (token.kind !== 'word') return true
  return token.text === 'US' || !(stopWords.has(token.word) || directionVerbs.has(token.word))
}

export interface SpanNeeds {
  readonly tokens: readonly Token[]
  readonly source: Source
  readonly time: TimeContext
  readonly values: readonly KnownValues[]
}

/** All that words of a question can stand for in one source. */
export function findSpans({ tokens, source, time, values }: SpanNeeds): Span[] {
  const spans: Span[] = []
  const matcher = createNameMatcher(source)
  for (let from = 0; from < tokens.length; from++) {
    for (const { mark, length } of marksAt(tokens, from)) {
      spans.push({ from, to: from + length, score: scoreOfMark(mark, length), meaning: { kind: 'mark', mark } })
    }
    const phrase = readOver(tokens, from, time, spans) ?? readPeriod(tokens, from, time)
    if (phrase && !isVerb(tokens, from, phrase) && !isOfNumber(tokens, from, phrase, spans)) {
      const score = phrase.length * 1.05 + 0.1
      spans.push({ from, to: from + phrase.length, score, meaning: { kind: 'time', phrase } })
    }
    const number = tokens[from]?.kind === 'number' ? tokens[from]?.number : null
    if (number !== null && number !== undefined) {
      spans.push({ from, to: from + 1, score: 0.2, meaning: { kind: 'number', value: number } })
    }
    for (let to = from + 1; to <= Math.min(tokens.length, from + longestName); to++) {
      const words = tokens.slice(from, to)
      if (words.some(({ kind }) => kind === 'mark')) break
      const found = matcher.match(words)
      if (found) spans.push({ from, to, ...found })
    }
  }
  return [...spans, ...ownGrainSpans(tokens, source), ...valueSpans(tokens, source, values)]
}

/** `did it improve over 2024`: a year beside a word of a course, where `over 2024` by itself would be a number. */
function readOver(tokens: readonly Token[], at: number, time: TimeContext, before: readonly Span[]) {
  const year = tokens[at + 1]?.number ?? 0
  if (tokens[at]?.word !== 'over' || year < 1900 || year > 2100) return null
  const isCourse = before.some(({ meaning }) => meaning.kind === 'mark' && courses.has(meaning.mark.kind))
  const phrase = isCourse ? readPeriod(tokens, at + 1, time) : null
  return phrase && { ...phrase, length: phrase.length + 1 }
}

/** `model year between 2019 and 2021`: years of a number that was named, not of a time. */
function isOfNumber(tokens: readonly Token[], from: number, { length }: TimePhrase, before: readonly Span[]): boolean {
  const words = tokens.slice(from, from + length)
  const isBare = words.every(({ kind, word }) => kind === 'number' || ['between', 'and', 'from', 'to'].includes(word))
  return (
    isBare &&
    before.some(
      ({ to, meaning }) =>
        to === from &&
        meaning.kind === 'members' &&
        meaning.candidates.some(({ named, quality }) => quality >= 0.95 && isNumberDimension(named)),
    )
  )
}

const courses: ReadonlySet<Mark['kind']> = new Set(['course', 'trend', 'change'])

/** Words that do much weigh as much as a name does; a name of the model that holds them weighs more. */
const scoreOfMark = (mark: Mark, length: number) =>
  mark.kind === 'group' || mark.kind === 'which' ? 0.5 + length * 0.05 : length * 0.95

/** `may` and `march` are no months where nothing of a date is beside them. */
function isVerb(tokens: readonly Token[], at: number, phrase: TimePhrase): boolean {
  if (tokens[at]?.word !== 'may' || phrase.length > 1) return false
  return ['i', 'we', 'you', 'be'].includes(tokens[at + 1]?.word ?? '')
}

const introducing = new Set(
  'in at from to for of by with into onto near around between vs versus and or not without excluding except only just about is are was called named on over , / & = :'.split(
    ' ',
  ),
)

/** Words that are not a value as it is written are one only where they are spoken of as a name: `in Springfeld`, `O'Hare`, `"lamp"`. */
function isIntroduced(tokens: readonly Token[], from: number): boolean {
  const [token, before, other] = [tokens[from], tokens[from - 1], tokens[from - 2]]
  if (!token) return false
  if (token.kind === 'quoted' || /\d/.test(token.text) || (from > 0 && /^\p{Lu}/u.test(token.text))) return true
  if (before && ['the', 'a', 'an'].includes(before.word)) return other !== undefined && introducing.has(other.word)
  // A value before the noun it says the kind of: `furnitur sales`.
  return before === undefined || introducing.has(before.word) || token.word.length >= 7
}

function valueSpans(tokens: readonly Token[], source: Source, known: readonly KnownValues[]): Span[] {
  const listed = source.members.flatMap(({ member }) =>
    member.kind === 'dimension' && member.values ? [{ member: member.name, values: member.values }] : [],
  )
  const spans: Span[] = []
  const indexes = [...known, ...listed].flatMap(({ member, values }) => {
    const named = source.members.find(each => each.member.name === member)
    return named ? [{ named, index: indexValues(values) }] : []
  })
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + longestValue); to++) {
      const words = tokens.slice(from, to)
      const content = words.filter(isContent).length
      const [first] = words
      const last = words.at(-1)
      if (content === 0 || first?.kind === 'mark' || last?.kind === 'mark') continue
      // A value that begins or ends with a word such as `in` is found without it, or it is all of it.
      const isOpen = first && last && (!isContent(first) || !isContent(last))
      const text = words.map(each => each.text.replace(/['’]s$/, '')).join(' ')
      const matches = indexes.flatMap(({ named, index }) => matchValues(named, index, text) ?? [])
      const best = Math.max(0, ...matches.map(({ quality }) => quality))
      if (best === 0 || (isOpen && best < 0.97)) continue
      if (best < 0.95 && !isIntroduced(tokens, from)) continue
      const candidates = matches.filter(({ quality }) => quality >= best - 0.05)
      const score = words.length * best + (best >= 0.95 ? 0.2 : 0)
      spans.push({ from, to, score, meaning: { kind: 'values', candidates } })
    }
  }
  return spans
}
