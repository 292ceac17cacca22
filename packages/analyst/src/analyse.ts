import { columnOf, quoted } from './ask/sql-text.ts'
import { membersOf } from './shapes/members-of.ts'
import type { AnalystModel } from './shapes/model.ts'
import type { Question } from './shapes/question.ts'
import { type DayRange, localDay, move } from './times/calendar.ts'
import { type Reading, understand } from './understand/understand.ts'
import { usualTime } from './understand/usual-time.ts'
import { boundCourse } from './understand/whole-periods.ts'
import type { KnownValues } from './values/known-values.ts'
import { type LookUp, lookUpValues } from './values/look-up-values.ts'
import { type Source, vocabularyOf } from './vocabulary/vocabulary.ts'
import { longestQuestion, type Token, tokenize } from './words/tokens.ts'

export interface AnalyseNeeds {
  /** The model as the asker may see it. Its vocabulary is remembered as long as the object is. */
  readonly model: AnalystModel
  readonly now: Date
  /** IANA name. */
  readonly timeZone: string
  /** Views that are to be preferred; null: all are the same. */
  readonly preferred: readonly string[] | null
  /** The question before, in this conversation. */
  readonly before: Question | null
  readonly lookUp: LookUp
}

/** As many sources have their values looked up for one question. */
const mostLookedUp = 2

/** Understands a question over a model, looking up what its words can name. Null where it is too long to be read. */
export async function analyse(text: string, needs: AnalyseNeeds): Promise<Reading | null> {
  if (text.length > longestQuestion) return null
  const vocabulary = vocabularyOf(needs.model)
  const values = new Map<string, readonly KnownValues[]>()
  const latest = new Map<string, string>()
  const tokens = tokenize(text)
  const today = localDay(needs.now, needs.timeZone)
  const { preferred, lookUp } = needs
  // What was asked before is gone where the model or the asker's rights have changed.
  const before = needs.before && membersOf(needs.before).every(vocabulary.find) ? needs.before : null
  const readings = () => understand({ vocabulary, tokens, today, before, preferred, values, latest })
  let found = readings()
  if (found[0] && isUnsure(found[0])) {
    for (const { source, cover } of found.slice(0, mostLookedUp)) {
      const words = cover.unknown.map(place => tokens[place]?.text ?? '')
      values.set(
        source.name,
        await lookUpValues(source, { words, phrases: phrasesWith(tokens, cover.unknown) }, lookUp),
      )
      found = readings()
      if (found[0] && !isUnsure(found[0])) break
    }
  }
  const [best] = found
  if (!best) return null
  const isYearless = best.parts.ranges.some(range => range.isYearless)
  if (isYearless && !latest.has(best.source.name)) {
    const last = await latestOf(best.source, lookUp, best.parts.timeDimension?.member.name ?? null)
    if (last) {
      latest.set(best.source.name, last)
      found = readings()
    }
  }
  return found[0] ? withWholePeriods(found[0], today, lookUp) : null
}

/** How something went on is told between periods that are whole: which those are, the data says. */
async function withWholePeriods(reading: Reading, today: string, lookUp: LookUp): Promise<Reading> {
  const { outcome, parts } = reading
  if (outcome.kind !== 'question' || outcome.question.course === null) return reading
  const { question } = outcome
  const covered = question.time ? await coveredDays(question.time.dimension, lookUp) : null
  if (!covered) return reading
  const isFree = parts.grain === null && parts.ownGrain === null && parts.ranges.length === 0
  const bound = boundCourse(question, { covered, isFree: isFree && !question.changes, today })
  return { ...reading, outcome: { ...outcome, question: bound } }
}

/** From the first day with data to the day after the last. */
async function coveredDays(dimension: string, lookUp: LookUp): Promise<DayRange | null> {
  const column = columnOf(dimension)
  const sql = `SELECT MIN(${column}) AS ${quoted('first')}, MAX(${column}) AS ${quoted('last')} FROM ${quoted(dimension.slice(0, dimension.indexOf('.')))}`
  const [first, last] = (await lookUp(sql, 1)).rows[0] ?? []
  if (typeof first !== 'string' || typeof last !== 'string') return null
  return { from: first.slice(0, 10), to: move(last.slice(0, 10), 1, 'day') }
}

const longestPhrase = 4

/** Runs of two to four words that hold one which is not understood. */
function phrasesWith(tokens: readonly Token[], unknown: readonly number[]): string[] {
  const found = new Set<string>()
  for (const place of unknown) {
    for (let from = Math.max(0, place - longestPhrase + 1); from <= place; from++) {
      for (let to = Math.max(place + 1, from + 2); to <= Math.min(tokens.length, from + longestPhrase); to++) {
        const words = tokens.slice(from, to)
        if (words.every(({ kind }) => kind === 'word')) found.add(words.map(({ text }) => text).join(' '))
      }
    }
  }
  return [...found].slice(0, 60)
}

/** The last day of which a source has data. */
async function latestOf(source: Source, lookUp: LookUp, dimension: string | null): Promise<string | null> {
  const usual = usualTime(source)
  const [first] = Array.isArray(usual) ? usual : usual ? [usual] : []
  const name = dimension ?? first?.member.name
  if (!name) return null
  const { rows } = await lookUp(
    `SELECT MAX(${columnOf(name)}) AS ${quoted('latest')} FROM ${quoted(name.slice(0, name.indexOf('.')))}`,
    1,
  )
  const last = rows[0]?.[0]
  return typeof last === 'string' && /^\d{4}-\d\d-\d\d/.test(last) ? last.slice(0, 10) : null
}

/** Words that nothing explains, or that are less than a member's whole name, may be values of a dimension. */
const isUnsure = ({ cover, outcome }: Reading) =>
  cover.unknown.length > 0 ||
  (outcome.kind === 'problem' && outcome.problem.kind === 'unknown') ||
  cover.spans.some(
    ({ meaning }) =>
      meaning.kind === 'number' ||
      (meaning.kind === 'members' && meaning.candidates.every(({ quality }) => quality < 0.9)),
  )
