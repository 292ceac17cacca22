import { readFile } from 'node:fs/promises'
import type { Effects } from '../../effects.ts'
import { Failure } from '../../framework/failure.ts'

/**
 * The text that an argument stands for: itself, the file after `@`, or the standard input for `-`.
 *
 * @throws {Failure} `file_unreadable`
 */
export async function readText(argument: string, effects: Pick<Effects, 'readInput'>): Promise<string> {
  if (argument === '-') return effects.readInput()
  return argument.startsWith('@') ? readTextFile(argument.slice(1)) : argument
}

/** @throws {Failure} `file_unreadable`, also for text that is not UTF-8, which would arrive changed. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (error) {
    throw new Failure('file_unreadable', { path }, error)
  }
}
