import { addCondition } from './add-condition.ts'
import {
  chooseMember,
  countsRows,
  isFlag,
  isGrouping,
  isMeasure,
  isNumberDimension,
  isSegment,
  isTime,
  measureOf,
  rowsOf,
} from './choose-member.ts'
import type { Parts } from './parts.ts'
import { isConnected, isListed, type Pending, type Place } from './place.ts'
import { readAggregate } from './read-aggregate.ts'
import { adjacent as adjacentToThreshold } from './read-threshold.ts'
import type { NameMatch, Span } from './span.ts'

const of = (candidates: readonly NameMatch[], ...kinds: readonly ((named: NameMatch['named']) => boolean)[]) =>
  candidates.filter(({ named }) => kinds.some(isKind => isKind(named)))

const isThreshold = (span: Span | null) =>
  span?.meaning.kind === 'mark' && ['compare', 'between'].includes(span.meaning.mark.kind)

/** Reads a span that names members: what is measured, what rows are grouped by, or a condition. */
export function readMembers(parts: Parts, pending: Pending, place: Place, candidates: readonly NameMatch[]): void {
  const measures = of(candidates, isMeasure)
  const groupings = of(candidates, isGrouping)
  const times = of(candidates, isTime)
  const segments = of(candidates, isSegment)
  const flags = of(candidates, isFlag)
  speakOfRows(parts, pending, place, measures)
  if (times.length === candidates.length) {
    readTimeMember(parts, pending, place, times)
    return
  }
  if (pending.aggregate || pending.distinct) {
    if (readAggregate(parts, pending, place, candidates)) return
  }
  if (pending.group && !parts.top?.ofRows) {
    const isOrdered = parts.orderBy !== null || (parts.top !== null && parts.dimensions.length > 0)
    const isMeasured = isOrdered && measures.length > 0 && bestOf(measures) >= bestOf(groupings)
    if (groupings.length > 0 && !isMeasured && !(parts.orderBy && measures.length > 0)) {
      group(parts, pending, place, groupings)
      return
    }
    if (measures.length > 0) {
      measureAfterBy(parts, pending, place, measures)
      return
    }
  }
  if ((pending.which || pending.top) && groupings.length > 0 && !isThreshold(place.next)) {
    const isCounted = pending.top && !pending.which && parts.top?.count === null && measures.length > 0
    if (!isCounted) {
      group(parts, pending, place, groupings)
      return
    }
  }
  // `with a balance over 50k` is said of each row's balance, not of the total.
  const best = Math.max(...candidates.map(({ quality }) => quality))
  const isOfRows = parts.rows !== null || parts.measures.length > 0
  const exact = groupings.filter(({ quality }) => quality >= best - 0.005)
  if (isOfRows && isThreshold(place.next) && isNumberMention(place, parts, exact)) return
  const [segment] = segments
  const isWholeMeasure = measures.some(({ quality }) => segments.every(other => quality >= other.quality - 0.02))
  // `flights, delayed flights and the longest delay`: one of several measures.
  const isOneOfSeveral = isWholeMeasure && isConnected(place) && place.previous?.meaning.kind === 'members'
  if (
    segment &&
    !isOneOfSeveral &&
    (measures.length === 0 || !isWholeMeasure || parts.measures.length > 0 || parts.rows)
  ) {
    addCondition(parts, pending, { kind: 'segment', member: segment.named.member.name, isNegated: pending.not })
    return
  }
  if (measures.length > 0 && !(pending.not && flags.length > 0)) {
    measure(parts, pending, place, measures)
    return
  }
  const [flag] = flags
  if (flag && flags.length === groupings.length) {
    if (isOtherSide(parts, pending, flag.named.member.name)) {
      // `subscribers vs non-subscribers`: both sides, beside each other.
      parts.filters.splice(
        parts.filters.findIndex(({ member }) => member === flag.named.member.name),
        1,
      )
      if (!parts.dimensions.includes(flag.named)) parts.dimensions.push(flag.named)
      pending.not = false
      return
    }
    addCondition(parts, pending, { kind: 'flag', member: flag.named.member.name, value: !pending.not })
    return
  }
  if (isNumberMention(place, parts, groupings)) return
  if (groupings.length > 0) {
    dimension(parts, pending, place, groupings)
    return
  }
  parts.problems.push({ kind: 'unknown', words: place.words })
}

const bestOf = (matches: readonly NameMatch[]) => Math.max(0, ...matches.map(({ quality }) => quality))

/** `accounts opened in 2020` names a time by its table too: the rows are spoken of. `order date` does not. */
function speakOfRows(parts: Parts, pending: Pending, { source, tokens, span }: Place, measures: readonly NameMatch[]) {
  const rows = rowsOf(source)
  if (measures.length > 0 || parts.rows || !rows) return
  const isPlural = (word: string, noun: string) => word.endsWith('s') && word !== noun
  const isSpoken = tokens
    .slice(span.from, span.to)
    .some(
      ({ word, stem }) => isPlural(word, stem) && source.nouns.some(({ stems }) => stems.size === 1 && stems.has(stem)),
    )
  if (isSpoken) parts.rows = { measure: measureOf(rows), isAsked: pending.counting || pending.sharing }
}

const isOtherSide = ({ filters, versus }: Parts, { not }: Pending, member: string) =>
  versus && filters.some(filter => filter.kind === 'flag' && filter.member === member && filter.value === not)

/** A number that a threshold stands beside is read with that. */
function isNumberMention({ previous, next, after, before }: Place, parts: Parts, groupings: readonly NameMatch[]) {
  if (isThreshold(next) && after.every(word => adjacentToThreshold.has(word)))
    return groupings.some(({ named }) => isNumberDimension(named))
  if (!isThreshold(previous) || before.length > 3) return false
  const last = parts.filters.at(-1)
  return last?.kind === 'number' && groupings.some(({ named }) => named.member.name === last.member)
}

function readTimeMember(parts: Parts, pending: Pending, place: Place, times: readonly NameMatch[]): void {
  const chosen = chooseMember(place.words, times, place.source, pending.direction)
  if ('kind' in chosen) {
    parts.problems.push(chosen)
    return
  }
  if (parts.timeDimension && parts.timeDimension !== chosen.named) {
    parts.problems.push({ kind: 'impossible', message: 'I can look at one time of the rows in one question.' })
    return
  }
  parts.timeDimension = chosen.named
  parts.timeWords = place.words
  if (pending.group) {
    parts.trend = true
    pending.group = isListed(place)
  }
}

function group(parts: Parts, pending: Pending, place: Place, groupings: readonly NameMatch[]): void {
  // Two names side by side are one that the model does not have.
  if (place.before.length === 0 && place.previous?.meaning.kind === 'members' && parts.dimensions.length > 0) {
    parts.problems.push({ kind: 'unknown', words: place.words })
    return
  }
  if (place.before.includes('all') && /^(across|for)$/i.test(wordsOfPrevious(place))) {
    const choices = [`each ${place.words} by itself`, `all ${place.words} together`]
    parts.problems.push({ kind: 'ambiguous', words: `all ${place.words}`, choices })
    return
  }
  const chosen = chooseMember(place.words, groupings, place.source, pending.direction)
  if ('kind' in chosen) {
    parts.problems.push(chosen)
    return
  }
  if (chosen.note) parts.notes.push(chosen.note)
  // `the largest orders by amount`: what they are sorted by.
  if (pending.group && parts.extreme && parts.dimensions.length === 0 && isNumberDimension(chosen.named)) {
    parts.byNumber = chosen.named
    pending.group = false
    return
  }
  if (!parts.dimensions.includes(chosen.named)) parts.dimensions.push(chosen.named)
  if (pending.group && wordsOfPrevious(place) === 'per') parts.perGroup = true
  // `the least rented class`: one is asked for; `by class` shows each.
  const isOfTop = pending.top || (parts.top !== null && !pending.group)
  if ((pending.which || isOfTop) && parts.top?.count == null && isSingularWord(place)) parts.isSingular = true
  pending.which = false
  pending.top = false
  pending.counting = false
  // What follows a `by` may be several; what follows a `which` is one.
  pending.group = pending.group && isListed(place)
}

const wordsOfPrevious = ({ previous, tokens }: Place) =>
  previous
    ? tokens
        .slice(previous.from, previous.to)
        .map(({ word }) => word)
        .join(' ')
    : ''

const isSingularWord = ({ words }: Place) => !/s$/i.test(words) || /(ss|us|is)$/i.test(words)

const additive = new Set(['sum', 'count', 'countDistinct', 'countDistinctApprox'])

/** `top 5 airports by flights`: what they are ordered by. `revenue per order`: what it is divided by. */
function measureAfterBy(parts: Parts, pending: Pending, place: Place, measures: readonly NameMatch[]): void {
  const opening = place.previous?.meaning.kind === 'mark' ? place.previous : null
  const said = opening ? place.tokens.slice(opening.from, opening.to).map(({ word }) => word) : []
  pending.group = false
  const isPer = said.some(word => ['per', 'each', 'every'].includes(word))
  const before = parts.measures.at(-1)
  const [match] = measures
  if (isPer && before?.kind === 'measure' && match && measures.length === 1) {
    const of = place.source.members.find(({ member }) => member.name === before.member)
    if (!additive.has(of?.member.aggType ?? '')) {
      // An average of rows is one for each of them already; of anything else nobody knows.
      if (countsRows(match.named, place.source) && of?.member.aggType === 'avg') return
      const message = `I cannot divide ${of?.member.shortTitle ?? 'that'} by ${match.named.member.shortTitle}: it is no sum.`
      parts.problems.push({ kind: 'impossible', message })
      return
    }
    parts.measures.splice(-1, 1, { kind: 'ratio', of: before.member, per: match.named.member.name })
    return
  }
  measure(parts, pending, place, measures)
}

function measure(parts: Parts, pending: Pending, place: Place, measures: readonly NameMatch[]): void {
  const ofRows = measures.find(({ named }) => countsRows(named, place.source))
  const best = Math.max(...measures.map(({ quality }) => quality))
  if (ofRows && ofRows.quality >= best - 0.005) {
    const isAsked = pending.counting || (isConnected(place) && parts.measures.length > 0) || pending.sharing
    if (!parts.rows || isAsked) parts.rows = { measure: measureOf(ofRows.named), isAsked }
    if (isAsked && !parts.measures.some(each => each.kind === 'measure' && each.member === ofRows.named.member.name))
      parts.measures.push(measureOf(ofRows.named))
    pending.counting = false
    pending.top = false
    pending.sharing = false
    return
  }
  const chosen = chooseMember(place.words, measures, place.source, pending.direction)
  if ('kind' in chosen) {
    parts.problems.push(chosen)
    return
  }
  // `admissions of patients older than 80` counts admissions.
  const isWhose = parts.rows !== null && place.before.join() === 'of' && isThreshold(place.next)
  if (isWhose && ['count', 'countDistinct'].includes(chosen.named.member.aggType ?? '')) return
  if (chosen.note) parts.notes.push(chosen.note)
  const asked = measureOf(chosen.named)
  // `flights and average delay`: the rows were meant too.
  const { rows } = parts
  if (
    rows &&
    !rows.isAsked &&
    isConnected(place) &&
    place.previous?.meaning.kind === 'members' &&
    parts.measures.length === 0
  ) {
    parts.rows = { ...rows, isAsked: true }
    parts.measures.push(rows.measure)
  }
  const isKnown = parts.measures.some(each => each.kind === 'measure' && each.member === chosen.named.member.name)
  if (!isKnown) parts.measures.push(asked)
  pending.counting = false
  pending.sharing = false
  pending.top = false
}

/** A dimension that nothing before it says the role of. */
function dimension(parts: Parts, pending: Pending, place: Place, groupings: readonly NameMatch[]): void {
  const { previous, next, before, after } = place
  const isBeside = (span: Span | null, between: readonly string[]) =>
    span?.meaning.kind === 'values' &&
    between.every(word => ['of', 'the', 'is', 'in', '=', ':', 'was', 'called', 'named'].includes(word)) &&
    span.meaning.candidates.some(value => groupings.some(({ named }) => named === value.named))
  if (isOfNumber(place, groupings)) return
  // `the state of Texas`: the value says it all.
  if (isBeside(previous, before) || isBeside(next, after)) return
  if (pending.counting) return void readAggregate(parts, pending, place, groupings)
  const isAskedOf = place.spans.some(
    ({ meaning }) =>
      meaning.kind === 'mark' && ['compare', 'between', 'top', 'order', 'versus'].includes(meaning.mark.kind),
  )
  const isNumber = groupings.every(({ named }) => isNumberDimension(named))
  if (isNumber && !isAskedOf) {
    const stems = new Set(groupings.flatMap(({ named }) => named.phrases.flatMap(phrase => [...phrase.stems])))
    const near = place.source.ownMembers.filter(
      named => isMeasure(named) && named.phrases.some(phrase => [...phrase.strong].some(one => stems.has(one))),
    )
    const choices = near.length > 0 ? near : groupings.map(({ named }) => named)
    parts.problems.push({
      kind: 'ambiguous',
      words: place.words,
      choices: choices.map(({ member }) => member.shortTitle),
    })
    return
  }
  const isHead = place.spans.slice(0, place.index).every(({ meaning }) => meaning.kind === 'mark')
  const isListing = isConnected(place) && parts.dimensions.length > 0
  if (isAskedOf || isHead || isListing || pending.which) {
    group(parts, pending, place, groupings)
    return
  }
  parts.problems.push({ kind: 'unknown', words: place.words })
}

/** `products with a price below 50`: the number of them is spoken of, which is read further on. */
function isOfNumber({ spans, index }: Place, groupings: readonly NameMatch[]): boolean {
  const [next, afterwards] = spans.slice(index + 1, index + 3)
  if (next?.meaning.kind !== 'members' || !isThreshold(afterwards ?? null)) return false
  const prefix = (column: string) => column.split('_')[0]
  return next.meaning.candidates.some(
    ({ named: number }) =>
      isNumberDimension(number) &&
      groupings.some(
        ({ named }) =>
          named.cube === number.cube && (named.cube.type === 'cube' || prefix(named.column) === prefix(number.column)),
      ),
  )
}
