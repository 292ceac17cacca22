import type { Source } from '../vocabulary/vocabulary.ts'
import type { Token } from '../words/tokens.ts'
import { directionWords } from '../words/word-lists.ts'
import type { Cover } from './cover.ts'
import { emptyParts, type Parts } from './parts.ts'
import type { Pending, Place } from './place.ts'
import { readMark } from './read-mark.ts'
import { readMembers } from './read-members.ts'
import { readValues } from './read-values.ts'

const verbs = new Set('is are was were has have had go goes went come comes came do does did'.split(' '))
/** Words that a question begins with which can be answered with yes or no. */
const auxiliaries = new Set('is are was were has have had did do does'.split(' '))

/** Reads chosen spans in their order. */
export function readParts(tokens: readonly Token[], source: Source, { spans, unknown }: Cover): Parts {
  const parts = emptyParts()
  const opening = tokens.find(({ word }) => word !== 'and')
  parts.asksThereAre = /\b(?:(?:do|did) we have|we (?:have|had)|(?:are|were) there|there (?:are|were))\b/.test(
    tokens.map(({ word }) => word).join(' '),
  )
  parts.isWhether = opening !== undefined && auxiliaries.has(opening.word)
  const pending: Pending = {
    group: false,
    which: false,
    not: false,
    counting: false,
    distinct: false,
    sharing: false,
    aggregate: null,
    top: false,
    direction: null,
    isPredicate: false,
    taken: new Set(),
  }
  for (const place of unknown) parts.problems.push({ kind: 'unknown', words: tokens[place]?.text ?? '' })
  for (const [index, span] of spans.entries()) {
    const previous = spans[index - 1] ?? null
    const next = spans[index + 1] ?? null
    const wordsIn = (from: number, to: number) => tokens.slice(from, to).map(({ word }) => word)
    const place: Place = {
      tokens,
      source,
      spans,
      index,
      span,
      words: tokens
        .slice(span.from, span.to)
        .map(({ text }) => text)
        .join(' '),
      before: wordsIn(previous?.to ?? 0, span.from),
      after: wordsIn(span.to, next?.from ?? tokens.length),
      previous,
      next,
    }
    passWords(pending, place)
    if (pending.taken.has(index)) continue
    readSpan(parts, pending, place)
  }
  if (pending.group) parts.problems.push({ kind: 'impossible', message: 'I do not see by what to break it down.' })
  if (pending.distinct) {
    parts.problems.push({ kind: 'impossible', message: 'I do not see of what to count the different values.' })
  }
  if (pending.not) parts.problems.push({ kind: 'impossible', message: 'I do not see what to leave out.' })
  if (pending.aggregate) {
    const name = { avg: 'average', sum: 'total', min: 'minimum', max: 'maximum' }[pending.aggregate]
    if (pending.aggregate !== 'sum')
      parts.problems.push({ kind: 'impossible', message: `I do not see of what to take the ${name}.` })
  }
  settleDays(parts)
  readOpening(parts, tokens)
  return parts
}

/** `weekends versus weekdays` are two groups; `Saturdays and Sundays` one. */
function settleDays(parts: Parts): void {
  const { days, versus, timePart } = parts
  if (!versus || days.length === 0) return
  const texts = days.map(each => each.join())
  const isOfWork = texts.includes('1,2,3,4,5') || timePart === 'weekday'
  if (texts.includes('6,7') && isOfWork && texts.every(each => each === '6,7' || each === '1,2,3,4,5')) {
    parts.timePart = 'weekend'
    parts.days.length = 0
  } else if (days.length > 1 && timePart === null) parts.timePart = 'weekday'
}

/** What the words that no span holds say of the next one. */
function passWords(pending: Pending, { tokens, span, previous }: Place): void {
  const between = tokens.slice(previous?.to ?? 0, span.from)
  const directions = between.flatMap(({ word, stem }) => directionWords.get(word) ?? directionWords.get(stem) ?? [])
  const isPlace = between.some(({ word }) => ['in', 'at', 'of', 'by', 'with', 'for', 'on'].includes(word))
  if (directions.length > 0) pending.direction = directions.at(-1) ?? null
  else if (isPlace) pending.direction = null
  if (previous && between.some(({ word }) => verbs.has(word))) pending.isPredicate = true
  // `every city but Lisbon`
  const isOfAll = tokens.slice(0, span.from).some(({ word }) => ['every', 'all', 'each', 'any'].includes(word))
  if (isOfAll && span.meaning.kind === 'values' && between.some(({ word }) => word === 'but')) pending.not = true
}

function readSpan(parts: Parts, pending: Pending, place: Place): void {
  const { meaning } = place.span
  switch (meaning.kind) {
    case 'mark':
      readMark(parts, pending, place, meaning.mark)
      return
    case 'members':
      readMembers(parts, pending, place, meaning.candidates)
      return
    case 'values':
      readValues(parts, pending, place, meaning.candidates)
      return
    case 'number': {
      // `which 3 airports had the most`
      const isOfTop = place.spans.some(({ meaning: other }) => other.kind === 'mark' && other.mark.kind === 'top')
      if (isOfTop && place.after.length === 0 && Number.isInteger(meaning.value)) parts.topCount = meaning.value
      else parts.problems.push({ kind: 'unknown', words: place.words })
      return
    }
    case 'time': {
      const { phrase } = meaning
      pending.direction = null
      if (pending.not) {
        parts.problems.push({
          kind: 'impossible',
          message: `I cannot leave out a period (“${place.words}”); name the periods to look at instead.`,
        })
        pending.not = false
      }
      if (phrase.kind === 'future') {
        parts.problems.push({
          kind: 'impossible',
          message: `“${place.words}” lies ahead, and I only know what is in the data.`,
        })
      } else if (phrase.kind === 'earlier') parts.earlier = { grain: phrase.grain, way: phrase.way }
      else parts.ranges.push({ range: phrase.range, isYearless: phrase.isYearless, ends: phrase.ends })
      return
    }
  }
}

/** How the question begins tells whether it goes on from the last one. */
function readOpening(parts: Parts, tokens: readonly Token[]): void {
  const [first] = tokens.filter(({ kind }) => kind !== 'mark')
  if (!first) return
  if (first.word === 'when') parts.asksFor = 'time'
  if (first.word === 'where') parts.asksFor = 'group'
  if (parts.follow) return
  const opens = ['and', 'or', 'but', 'then', 'same', 'without', 'excluding', 'exclude', 'except'].includes(first.word)
  if (opens || tokens.some(({ word }) => word === 'instead')) parts.follow = 'and'
}
