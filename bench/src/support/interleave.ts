import type { Summary } from '../shapes.ts'
import { summarise } from './statistics.ts'

/** Does the thing once. @returns what was measured */
export type Subject = (round: number) => Promise<number>

/**
 * Measures several things in turns, each round in the opposite order of the one before, so that whatever else the machine does
 * falls on all of them.
 *
 * @param options.warmUps rounds that are run and not counted
 * @returns the values of one of them, summarised
 */
export async function interleave<Name extends string>(
  options: { readonly rounds: number; readonly warmUps?: number },
  subjects: Readonly<Record<Name, Subject>>,
): Promise<(name: Name) => Summary> {
  const { rounds, warmUps = 0 } = options
  const entries = Object.entries<Subject>(subjects).map(([name, subject]) => ({
    name,
    subject,
    values: [] as number[],
  }))
  for (let round = -warmUps; round < rounds; round++) {
    for (const { subject, values } of round % 2 === 0 ? entries : entries.toReversed()) {
      const value = await subject(round + warmUps)
      if (round >= 0) values.push(value)
    }
  }
  return name => summarise(entries.find(entry => entry.name === name)?.values ?? [])
}

/** Milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
