import { membersOf } from '../shapes/members-of.ts'
import type { Question } from '../shapes/question.ts'

/** The source of a question and the cubes that are joined to it, as the model says how. */
export const tablesOf = (question: Question): string[] => [
  ...new Set([question.source, ...membersOf(question).map(member => member.slice(0, member.indexOf('.')))]),
]
