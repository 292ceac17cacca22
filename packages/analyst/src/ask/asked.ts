import type { Question } from '../shapes/question.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Selected } from './columns.ts'

/** A question with its columns. */
export interface Asked {
  readonly question: Question
  readonly vocabulary: Vocabulary
  readonly groups: readonly Selected[]
  readonly values: readonly Selected[]
}
