import type { Grain } from '../times/calendar.ts'
import type { Mark } from './mark.ts'
import type { Parts } from './parts.ts'
import { isListed, type Pending, type Place } from './place.ts'
import { didRead, readThreshold } from './read-threshold.ts'

/** Whether a mark stands at the beginning, where it is said of the whole question. */
const isOpening = ({ index, spans }: Place) =>
  spans
    .slice(0, index)
    .every(({ meaning }) => meaning.kind === 'mark' && ['follow', 'which'].includes(meaning.mark.kind))

/** Reads a word that says what to do with others. */
export function readMark(parts: Parts, pending: Pending, place: Place, mark: Mark): void {
  switch (mark.kind) {
    case 'group':
      pending.group = true
      pending.which = false
      return
    case 'which':
      pending.which = true
      parts.isList = true
      if (isOpening(place)) {
        pending.isPredicate = false
        if (/^(which|who|whose)$/i.test(place.words)) parts.asksFor = 'group'
      }
      return
    case 'not':
      pending.not = true
      return
    case 'top':
      if (parts.top && parts.top.descending !== mark.descending) {
        parts.problems.push({ kind: 'impossible', message: 'Ask for the most and for the least one after the other.' })
      }
      parts.top = {
        count: mark.count ?? parts.top?.count ?? null,
        descending: mark.descending,
        ofRows: mark.ofRows,
        isJudging: mark.isJudging,
      }
      pending.top = true
      // `the largest orders`: the rows themselves can be meant.
      if (/largest|biggest|smallest/i.test(place.words) || (mark.count !== null && /^top/i.test(place.words)))
        readExtreme(parts, place, { property: 'size', descending: mark.descending, count: mark.count })
      return
    case 'compare':
    case 'between':
      if (!didRead(readThreshold(parts, pending, place, mark))) {
        parts.problems.push({ kind: 'impossible', message: `I do not see of what “${place.words}” is said.` })
      }
      return
    case 'aggregate':
      pending.aggregate = mark.function
      return
    case 'count':
      pending.counting = true
      return
    case 'distinct':
      pending.distinct = true
      return
    case 'share':
      parts.share = true
      parts.shareOfAll = mark.ofAll
      pending.sharing = !mark.ofAll
      pending.isPredicate = false
      return
    case 'versus':
      parts.versus = true
      return
    case 'change':
      parts.change = true
      if (mark.grain) setGrain(parts, mark.grain, place)
      return
    case 'trend':
      parts.trend = true
      return
    case 'grain':
      setGrain(parts, mark.grain, place)
      parts.perPeriod = !/^(by|across|broken|split|grouped)\b/i.test(place.words)
      pending.group = isListed(place)
      return
    case 'ownGrain':
      if (parts.ownGrain || parts.grain) setGrain(parts, null, place)
      parts.ownGrain = { name: mark.name, dimension: mark.dimension }
      pending.group = isListed(place)
      pending.which = false
      return
    case 'unit':
      if (pending.group || pending.which || pending.top || parts.top || isAskedOf(place)) {
        setGrain(parts, mark.grain, place)
        pending.group = pending.group && isListed(place)
      } else parts.problems.push({ kind: 'unknown', words: place.words })
      if (isSingularWord(place)) parts.isSingular = true
      pending.which = false
      return
    case 'days':
      readDays(parts, pending, place, mark.days)
      return
    case 'course':
      if (/^(up|down)$/i.test(place.words) && !parts.isWhether) return
      if (place.before.some(word => ['that', 'who', 'whose'].includes(word))) {
        const message = `I can show how something went on, not choose by it (“${place.words}”).`
        parts.problems.push({ kind: 'impossible', message })
      }
      parts.course = true
      return
    case 'onAverage':
      parts.onAverage = true
      return
    case 'extreme':
      readExtreme(parts, place, mark)
      return
    case 'part':
      if (
        /^(weekdays|days of the week)$/i.test(place.words) &&
        place.before.some(word => word === 'on' || word === 'during')
      ) {
        const message = `I cannot take only some days of the week (“on ${place.words}”); I can show all of them, by day of the week.`
        parts.problems.push({ kind: 'impossible', message })
      }
      parts.timePart = mark.part
      pending.group = pending.group && isListed(place)
      if (isSingularWord(place)) parts.isSingular = true
      pending.which = false
      return
    case 'chart':
      parts.chart = mark.chart
      return
    case 'order':
      if (mark.descending === null) {
        parts.orderBy = 'measure'
        pending.group = false
      } else parts.descending = mark.descending
      return
    case 'follow':
      parts.follow = isOpening(place) ? mark.way : mark.way === 'also' ? 'also' : parts.follow
      return
    case 'why':
      parts.why = true
  }
}

/** `on weekends`, `Mondays and Fridays`; `this weekend` and `each weekend` are something else. */
function readDays(parts: Parts, pending: Pending, { before, words }: Place, days: readonly number[]): void {
  if (pending.group || pending.which || before.some(word => ['this', 'that', 'per', 'each'].includes(word))) {
    parts.problems.push({ kind: 'unknown', words })
    return
  }
  parts.days.push(pending.not ? allDays.filter(day => !days.includes(day)) : days)
  pending.not = false
  pending.direction = null
}

const allDays = [1, 2, 3, 4, 5, 6, 7]

function readExtreme(parts: Parts, place: Place, found: Omit<NonNullable<Parts['extreme']>, 'isSingular'>): void {
  const { next, tokens } = place
  const noun = next ? (tokens[next.to - 1]?.word ?? '') : ''
  parts.extreme = { ...found, isSingular: noun !== '' && !noun.endsWith('s') }
}

/** Rows have one grain. */
function setGrain(parts: Parts, grain: Grain | null, { words }: Place): void {
  if (grain !== null && parts.grain === null && parts.ownGrain === null) parts.grain = grain
  else if (grain === null || parts.grain !== grain) {
    parts.problems.push({ kind: 'impossible', message: `I can show one kind of period at a time, not “${words}” too.` })
  }
}

/** `months with more than 1000 flights`: something is asked of them further on. */
const isAskedOf = ({ spans, index }: Place) =>
  spans
    .slice(index + 1)
    .some(({ meaning }) => meaning.kind === 'mark' && ['compare', 'between', 'top'].includes(meaning.mark.kind))

/** `which weekday has the most`: one is asked for; `by weekday` asks for all. */
const isSingularWord = ({ words }: Place) => !/s$/i.test(words) && !/^(by|per|each|every|for|on)\b/i.test(words)
