import { readTextFile } from '../commands/shared/read-text.ts'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { isRecord, type JsonRecord } from '../framework/json.ts'

/**
 * Reads a dbt manifest from a file, or the standard input for `-`. Which dbt it is of is the server's to judge.
 *
 * @throws {Failure} `dbt_manifest_unusable`
 */
export async function readManifest(path: string, effects: Pick<Effects, 'readInput'>): Promise<JsonRecord> {
  const source = path === '-' ? 'stdin' : path
  let text: string
  try {
    text = path === '-' ? await effects.readInput() : await readTextFile(path)
  } catch (error) {
    throw new Failure('dbt_manifest_unusable', { message: `failed to read dbt manifest from ${source}` }, error)
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('dbt_manifest_unusable', { message: `dbt manifest from ${source} is not valid JSON: ${reason}` })
  }
  if (isRecord(document)) return document
  throw new Failure('dbt_manifest_unusable', { message: `dbt manifest from ${source} must be a JSON object` })
}
