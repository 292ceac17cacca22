import type { Mark } from './marks.ts'
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
      if (isOpening(place)) pending.isPredicate = false
      return
    case 'not':
      pending.not = true
      return
    case 'top':
      parts.top = { count: mark.count ?? parts.top?.count ?? null, descending: mark.descending, ofRows: mark.ofRows }
      pending.top = true
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
      pending.sharing = true
      pending.isPredicate = false
      return
    case 'versus':
      parts.versus = true
      return
    case 'change':
      parts.change = true
      return
    case 'trend':
      parts.trend = true
      return
    case 'grain':
      parts.grain = mark.grain
      pending.group = isListed(place)
      return
    case 'unit':
      if (pending.group || pending.which || pending.top || parts.top || isAskedOf(place)) parts.grain = mark.grain
      else parts.problems.push({ kind: 'unknown', words: place.words })
      if (isSingularWord(place)) parts.isSingular = true
      pending.which = false
      return
    case 'part':
      parts.timePart = mark.part
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

/** `months with more than 1000 flights`: something is asked of them further on. */
const isAskedOf = ({ spans, index }: Place) =>
  spans
    .slice(index + 1)
    .some(({ meaning }) => meaning.kind === 'mark' && ['compare', 'between', 'top'].includes(meaning.mark.kind))

/** `which weekday has the most`: one is asked for; `by weekday` asks for all. */
const isSingularWord = ({ words }: Place) => !/s$/i.test(words) && !/^(by|per|each|every|for|on)\b/i.test(words)
