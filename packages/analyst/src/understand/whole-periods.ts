import type { Question } from '../shapes/question.ts'
import { type Day, type DayRange, daysBetween, type Grain, grains, move, startOf } from '../times/calendar.ts'
import { autoGrain } from './complete.ts'

/** Of a period, so much may be without data and it is still compared with others: a month has weekends at its ends. */
const mostMissing = 0.1

/**
 * A course with its ends where periods are whole: what of the first or of the last one is not in the data, or not asked for, would
 * look like a rise or a fall.
 *
 * @param around.covered Days with data, from the first to before `to`
 * @param around.isFree Nobody said by which periods: those that suit the data are taken
 */
export function boundCourse(
  question: Question,
  { covered, isFree, today }: { readonly covered: DayRange; readonly isFree: boolean; readonly today: Day },
): Question {
  const { course, time } = question
  if (course === null || time === null) return question
  const from = latest(time.range?.from ?? null, covered.from)
  const to = earliest(time.range?.to ?? null, covered.to)
  if (from === null || to === null || from >= to) return question
  const grain = isFree ? autoGrain({ from, to }) : grains.find(each => each === time.grain)
  if (grain === undefined || grain === 'hour') return question
  const first = startOf(from, grain)
  // What today is in is not over, by any period.
  const until = startOf(today, grain)
  const last = startOf(move(to, -1, 'day'), grain)
  return {
    ...question,
    time: { ...time, grain },
    course: {
      from: isMissing(first, from, first, grain) ? move(first, 1, grain) : first,
      before: isMissing(to, move(last, 1, grain), last, grain) && last < until ? last : until,
    },
  }
}

/** Whether more is missing between two days than a period that begins on `start` can spare. */
const isMissing = (one: Day, other: Day, start: Day, grain: Grain): boolean =>
  daysBetween(one, other) > mostMissing * daysBetween(start, move(start, 1, grain))

const latest = (one: Day | null, other: Day | null): Day | null =>
  one === null || other === null ? (one ?? other) : one > other ? one : other
const earliest = (one: Day | null, other: Day | null): Day | null =>
  one === null || other === null ? (one ?? other) : one < other ? one : other
