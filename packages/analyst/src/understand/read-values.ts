import type { AskedFilter } from '../shapes/question.ts'
import type { ValueMatch } from '../values/match-values.ts'
import { addCondition } from './add-condition.ts'
import { chooseMember, directionOf } from './choose-member.ts'
import type { Parts } from './parts.ts'
import { isConnected, type Pending, type Place } from './place.ts'
import type { Span } from './span.ts'

/** Reads words that name values of a dimension. */
export function readValues(parts: Parts, pending: Pending, place: Place, candidates: readonly ValueMatch[]): void {
  const match = choose(parts, pending, place, candidates)
  pending.direction = null
  if (pending.group && !isMeansOf(place)) {
    const titles = [...new Set(candidates.map(({ named }) => named.member.shortTitle))]
    parts.problems.push({
      kind: 'ambiguous',
      words: `by ${place.words}`,
      choices: [`only ${place.words}`, ...titles.map(title => `by ${title}`)],
    })
  }
  pending.group = false
  if (match && (pending.counting || match.isPlural)) parts.countsRows = true
  pending.counting = false
  if (!match) return
  const { named, operator, values } = match
  const { name } = named.member
  const isNegated = pending.not
  if (isNegated && place.before.includes('but') && parts.dimensions.includes(named)) {
    const choices = ['each of the others by itself', 'all others together']
    parts.problems.push({ kind: 'ambiguous', words: `but ${place.words}`, choices })
  }
  const wanted = isNegated ? (operator === 'equals' ? 'notEquals' : 'notContains') : operator
  const lists = [parts.filters, parts.partFilters]
  for (const list of lists) {
    const last = list.at(-1)
    const joined = last?.kind === 'values' && last.member === name ? join(last, wanted, values, place, parts) : null
    if (joined) {
      list.splice(-1, 1, joined)
      compareValues(parts, match)
      return
    }
  }
  addCondition(parts, pending, { kind: 'values', member: name, operator: wanted, values })
  compareValues(parts, match)
}

/** `Texas or California`, `Texas vs California`, `not Texas or California`: one condition. */
function join(
  last: AskedFilter & { kind: 'values' },
  operator: string,
  values: readonly string[],
  place: Place,
  parts: Parts,
): AskedFilter | null {
  const isVersus = place.previous?.meaning.kind === 'mark' && place.previous.meaning.mark.kind === 'versus'
  const isContinued = isConnected(place) && place.previous?.meaning.kind === 'values'
  const isSame = last.operator === operator || (isContinued && operator === 'equals' && last.operator === 'notEquals')
  if (!isSame || !(isContinued || isVersus || parts.versus)) return null
  return { ...last, values: [...new Set([...last.values, ...values])] }
}

/** Values that are compared stand beside each other. */
function compareValues(parts: Parts, { named }: ValueMatch): void {
  const filter = parts.filters.find(each => each.kind === 'values' && each.member === named.member.name)
  const isSeveral = filter?.kind === 'values' && filter.operator === 'equals' && filter.values.length > 1
  if (parts.versus && isSeveral && !parts.dimensions.includes(named)) parts.dimensions.push(named)
}

/** `come in by e-mail`, `paid by card`: how it was done, not by what to break it down. */
function isMeansOf({ previous, tokens }: Place): boolean {
  const before = previous ? tokens[previous.from - 1]?.word : undefined
  return (
    before !== undefined &&
    /^(in|come|comes|came|made|paid|placed|sent|done|booked|received|went|traveled|travelled|arrived|ordered|bought|contacted)$/.test(
      before,
    )
  )
}

function choose(parts: Parts, pending: Pending, place: Place, candidates: readonly ValueMatch[]): ValueMatch | null {
  const { previous, next, before, after } = place
  const beside = (span: Span | null, between: readonly string[]) =>
    span?.meaning.kind === 'members' &&
    between.every(word => ['of', 'the', 'is', '=', ':', 'was', 'called', 'named'].includes(word))
      ? span.meaning.candidates.map(({ named }) => named)
      : []
  const hinted = [...beside(previous, before), ...beside(next, after)]
  let left = candidates
  const narrow = (keep: (match: ValueMatch) => boolean) => {
    const kept = left.filter(keep)
    if (kept.length > 0) left = kept
  }
  narrow(({ named }) => hinted.includes(named))
  // `Texas or Ohio`: both are of one kind.
  const last = parts.filters.at(-1) ?? parts.partFilters.at(-1)
  const isVersus = previous?.meaning.kind === 'mark' && previous.meaning.mark.kind === 'versus'
  if (last?.kind === 'values' && (isConnected(place) || isVersus))
    narrow(({ named }) => named.member.name === last.member)
  // `within Texas` is said of both ends of a way.
  const ends = new Set(left.map(({ named }) => directionOf(named)))
  if (ends.has('from') && ends.has('to') && before.some(word => word === 'within' || word === 'inside')) {
    const message = `Say both ends instead of “within”: from ${place.words} to ${place.words}.`
    parts.problems.push({ kind: 'impossible', message })
    return null
  }
  const best = Math.max(...left.map(({ quality }) => quality))
  narrow(({ quality }) => quality >= best - 0.02)
  const asMembers = left.map(({ named }) => ({ named, quality: 1, isWhole: true }))
  const chosen = chooseMember(place.words, asMembers, place.source, pending.direction)
  if ('kind' in chosen) {
    parts.problems.push(
      chosen.kind === 'ambiguous'
        ? { ...chosen, choices: chosen.choices.map(title => `${title} is ${place.words}`) }
        : chosen,
    )
    return null
  }
  const match = left.find(({ named }) => named === chosen.named) ?? null
  const isOther = match?.operator === 'equals' && match.quality < 0.95 && match.values.length === 1
  if (chosen.note) parts.notes.push(chosen.note)
  else if (isOther) parts.notes.push(`I took “${place.words}” as ${match.values[0] ?? ''}.`)
  return match
}
