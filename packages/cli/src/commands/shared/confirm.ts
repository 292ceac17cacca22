import type { Effects } from '../../effects.ts'
import { Failure } from '../../framework/failure.ts'

/**
 * Has the person type a word before something is destroyed.
 *
 * @throws {Failure} `confirmation_needed` where nobody sits at a terminal, `not_confirmed` for another answer
 */
export async function confirmByTyping(effects: Pick<Effects, 'ask'>, action: string, expected: string): Promise<void> {
  const answer = await effects.ask(`This will ${action}. Type ${expected} to confirm: `)
  if (answer === null) throw new Failure('confirmation_needed', { action })
  if (answer.trim() !== expected) throw new Failure('not_confirmed', { action })
}

/** Asks a person at a terminal for a yes; scripts go on unasked. @throws {Failure} `not_confirmed` */
export async function confirmIfPresent(effects: Pick<Effects, 'ask'>, action: string): Promise<void> {
  const answer = await effects.ask(`This will ${action}. Continue? [y/N] `)
  if (answer !== null && !/^y(es)?$/i.test(answer.trim())) throw new Failure('not_confirmed', { action })
}
