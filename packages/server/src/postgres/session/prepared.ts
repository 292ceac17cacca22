import type { SessionStatement } from '@hedron/sql'
import type { Executable } from './executable.ts'

/** A statement that a session prepared; null: an empty one. */
export interface Prepared {
  readonly statement: SessionStatement | null
  /** Types that the client declared; 0: to be found out. */
  readonly declared: readonly number[]
  /** Characters of its text. */
  readonly size: number
  readonly executable: Executable
}
