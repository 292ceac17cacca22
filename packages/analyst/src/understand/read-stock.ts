import type { Question } from '../shapes/question.ts'
import type { Source } from '../vocabulary/vocabulary.ts'
import { isTime } from './choose-member.ts'
import type { Parts } from './parts.ts'

/** What stays once it has come, of which the number there is grows with each. */
const staying =
  /(^|_)(accounts?|customers?|clients?|users?|members?|memberships?|subscribers?|subscriptions?|employees?|staff|suppliers?|vendors?|partners?|companies|stores?|branches|contacts?|drivers?|students?)$/
const coming =
  /(^|_)(opened|open|signed_up|sign_up|signup|joined|registered|hired|founded|enrolled|onboarded|created)(_|$)/
const leaving =
  /(^|_)(closed|ended|end|left|churned|cancelled|canceled|terminated|deleted|expired|deactivated|resigned|dismissed)(_|$)/

/**
 * Whether a course is that of a number of things there are, such as accounts, where rows only say when each came: `has the number of
 * accounts gone up?` asks for all until then, not for those of each month. Null: it is none; `unknown`: rows say that some left too.
 */
export function readStock(question: Question, parts: Parts, source: Source): 'running' | 'unknown' | null {
  const { course, time, measures, changes, compare, share } = question
  if (course === null || time?.grain == null || time.part !== null || time.days !== null) return null
  if (changes || compare !== null || share !== null || question.having.length > 0) return null
  if (!parts.isWhether && !parts.asksThereAre) return null
  const [measure, ...others] = measures
  if (measure?.kind !== 'measure' || others.length > 0) return null
  const counted = source.members.find(({ member }) => member.name === measure.member)
  const timed = source.members.find(({ member }) => member.name === time.dimension)
  if (counted?.member.aggType !== 'count' || !timed || counted.cube.name !== timed.cube.name) return null
  if (!staying.test(counted.cube.name.toLowerCase()) || !coming.test(timed.column)) return null
  const leaves = source.ownMembers.some(named => isTime(named) && leaving.test(named.column))
  const isLimited = time.range !== null || question.dimensions.length > 0
  return leaves || isLimited ? 'unknown' : 'running'
}
