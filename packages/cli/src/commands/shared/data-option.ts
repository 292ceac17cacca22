import type { Effects } from '../../effects.ts'
import { Failure } from '../../framework/failure.ts'
import { isRecord, type JsonRecord } from '../../framework/json.ts'
import { optional, required, text } from '../../framework/parameter.ts'
import { readText } from './read-text.ts'

const help = 'body as JSON, as @file, or - for the standard input'

export const dataOption = optional(text('json'), help, { short: 'd' })
export const requiredData = required(text('json'), help, { short: 'd' })

/**
 * The JSON object that an option gives: inline, `@file` or `-`; an empty one where the option was not given.
 *
 * @throws {Failure} `data_invalid`, `file_unreadable`
 */
export async function readData(
  argument: string | undefined,
  effects: Pick<Effects, 'readInput'>,
  option = '--data',
): Promise<JsonRecord> {
  if (argument === undefined) return {}
  const source = await readText(argument, effects)
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('data_invalid', { option, reason: `is not valid JSON: ${reason}` })
  }
  if (!isRecord(value)) throw new Failure('data_invalid', { option, reason: 'must be a JSON object' })
  return value
}
