import { readOrdinal } from '../words/numbers.ts'
import type { Token } from '../words/tokens.ts'
import { type Day, dayOf, isDay, periodOf } from './calendar.ts'

/** What reading times needs to know of the world. */
export interface TimeContext {
  /** Local day of the asker. */
  readonly today: Day
  /** The last day there is data of; null: not known, today is taken. */
  readonly latest: Day | null
}

/** A period that words name, `to` excluded. */
export interface Point {
  readonly from: Day
  readonly to: Day
  /** How many tokens it takes. */
  readonly length: number
  /** No year was said: it is the latest such period with data. */
  readonly isYearless: boolean
}

const months: ReadonlyMap<string, number> = new Map(
  'january jan february feb march mar april apr may may june jun july jul august aug september sep october oct november nov december dec'
    .split(' ')
    .map((name, index) => [name, Math.floor(index / 2) + 1] as const)
    .concat([['sept', 9]]),
)

const wordAt = (tokens: readonly Token[], at: number) => tokens[at]?.word ?? ''

const isYear = (token: Token | undefined) =>
  token?.kind === 'number' && /^(19|20)\d\d$/.test(token.word) && token.number !== null

/** A year at a place, after `of`, `in` or a comma if there is one. */
function yearAt(tokens: readonly Token[], at: number): { readonly year: number; readonly length: number } | null {
  const skipped = ['of', 'in', ',', '-', '/'].includes(wordAt(tokens, at)) ? 1 : 0
  const token = tokens[at + skipped]
  if (isYear(token)) return { year: token?.number ?? 0, length: skipped + 1 }
  return null
}

/** The latest period of a kind that began by the last day with data. */
function latestYear(context: TimeContext, startIn: (year: number) => Day): number {
  const last = context.latest ?? context.today
  const year = Number(last.slice(0, 4))
  return startIn(year) <= last ? year : year - 1
}

/** A number of a day of a month: `5`, `5th`. */
function dateAt(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at]
  if (!token) return null
  const ordinal = readOrdinal(token.word)
  const number = ordinal ?? (/^\d{1,2}$/.test(token.word) ? token.number : null)
  return number !== null && number >= 1 && number <= 31 ? number : null
}

/** `March 2001`, `5 March`, `March 5th, 2001`, `2001-03-05`, `Q2 2001`, `first half of 2001`, `2001`. */
export function readPoint(tokens: readonly Token[], at: number, context: TimeContext): Point | null {
  return readDate(tokens, at) ?? readMonth(tokens, at, context) ?? readPart(tokens, at, context) ?? readYear(tokens, at)
}

function readDate(tokens: readonly Token[], at: number): Point | null {
  const match = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(wordAt(tokens, at))
  if (!match) return null
  const [year, month, date] = [Number(match[1]), Number(match[2]), match[3] === undefined ? null : Number(match[3])]
  if (!isDay(year, month, date ?? 1)) return null
  const period = periodOf(dayOf(year, month, date ?? 1), date === null ? 'month' : 'day')
  return { ...period, length: 1, isYearless: false }
}

/** A word that is a month's name beyond doubt; `may` and `mar` and `march` are other words too, and are read where a time is spoken of. */
const monthAt = (tokens: readonly Token[], at: number) => months.get(wordAt(tokens, at)) ?? null

function readMonth(tokens: readonly Token[], at: number, context: TimeContext): Point | null {
  const before = dateAt(tokens, at)
  if (before !== null) {
    const skipped = wordAt(tokens, at + 1) === 'of' ? 1 : 0
    const month = monthAt(tokens, at + 1 + skipped)
    if (month !== null) return onDate(tokens, at + 2 + skipped, at, month, before, context)
  }
  const month = monthAt(tokens, at)
  if (month === null) return null
  const date = wordAt(tokens, at + 1) === 'the' ? dateAt(tokens, at + 2) : dateAt(tokens, at + 1)
  if (date !== null) {
    const next = at + (wordAt(tokens, at + 1) === 'the' ? 3 : 2)
    return onDate(tokens, next, at, month, date, context)
  }
  const year = yearAt(tokens, at + 1)
  const found = year?.year ?? latestYear(context, year => dayOf(year, month, 1))
  const period = periodOf(dayOf(found, month, 1), 'month')
  return { ...period, length: 1 + (year?.length ?? 0), isYearless: year === null }
}

function onDate(
  tokens: readonly Token[],
  next: number,
  at: number,
  month: number,
  date: number,
  context: TimeContext,
): Point | null {
  const year = yearAt(tokens, next)
  const found = year?.year ?? latestYear(context, year => dayOf(year, month, date))
  if (!isDay(found, month, date)) return null
  const period = periodOf(dayOf(found, month, date), 'day')
  return { ...period, length: next - at + (year?.length ?? 0), isYearless: year === null }
}

/** Quarters and halves. */
function readPart(tokens: readonly Token[], at: number, context: TimeContext): Point | null {
  const short = /^([qh])([1-4])$/.exec(wordAt(tokens, at))
  const ordinal = readOrdinal(wordAt(tokens, at))
  const noun = wordAt(tokens, at + 1)
  const named = ordinal !== null && (noun === 'quarter' || noun === 'half') ? ordinal : null
  const numbered = wordAt(tokens, at) === 'quarter' ? (tokens[at + 1]?.number ?? null) : null
  const number = short ? Number(short[2]) : (named ?? numbered)
  if (number === null) return null
  const isHalf = short ? short[1] === 'h' : noun === 'half'
  const length = isHalf ? 6 : 3
  if (number < 1 || number > 12 / length) return null
  const words = short ? 1 : 2
  const after = wordAt(tokens, at + words) === 'of' && wordAt(tokens, at + words + 1) === 'the' ? 2 : 0
  const year = yearAt(tokens, at + words + after)
  const first = (number - 1) * length + 1
  const found = year?.year ?? latestYear(context, year => dayOf(year, first, 1))
  return {
    from: dayOf(found, first, 1),
    to: dayOf(found, first + length, 1),
    length: words + after + (year?.length ?? 0) - (year ? 0 : after),
    isYearless: year === null,
  }
}

function readYear(tokens: readonly Token[], at: number): Point | null {
  const token = tokens[at]
  if (!isYear(token)) return null
  const period = periodOf(dayOf(token?.number ?? 0, 1, 1), 'year')
  return { ...period, length: 1, isYearless: false }
}
