import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { isRecord, parseJson } from '../framework/json.ts'
import { isBlank, oneCell } from '../framework/text.ts'

/** What a folder was deployed to last: which server, deployment and branch, and what the branch held then. */
export interface DeployTarget {
  readonly url: string
  readonly deploymentId: number
  readonly branchName: string
}

/** Path to SHA-1. */
export type Hashes = ReadonlyMap<string, string>

/** Hidden, so that it is no part of the project. */
const pathIn = (directory: string): string => join(directory, '.hedron', 'deployed.json')

const keyOf = ({ url, deploymentId, branchName }: DeployTarget): string => `${url} ${deploymentId} ${branchName}`

/** What the branch held after the last deploy of this folder to it; null where there was none. */
export async function readDeployed(directory: string, target: DeployTarget): Promise<Hashes | null> {
  const document = parseJson(await readFile(pathIn(directory), 'utf8').catch(() => ''))
  const files = isRecord(document) ? document[keyOf(target)] : undefined
  if (!isRecord(files)) return null
  return new Map(Object.entries(files).map(([path, hash]) => [path, String(hash)]))
}

/** @returns whether it could be kept; a folder that cannot be written to is deployed all the same. */
export async function keepDeployed(
  { randomId }: Pick<Effects, 'randomId'>,
  directory: string,
  target: DeployTarget,
  files: Hashes,
): Promise<boolean> {
  const path = pathIn(directory)
  const temporary = `${path}.${randomId()}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    const document = parseJson(await readFile(path, 'utf8').catch(() => ''))
    const next = { ...(isRecord(document) ? document : {}), [keyOf(target)]: Object.fromEntries([...files].sort()) }
    await writeFile(temporary, `${JSON.stringify(next, null, 1)}\n`)
    await rename(temporary, path)
    return true
  } catch {
    return false
  }
}

/**
 * Refuses to write over what others did: files that this deploy changes or removes, and that are not as the last deploy of this
 * folder left them.
 *
 * @throws {Failure} `branch_moved`
 */
export function refuseMoved(
  branchName: string,
  deployed: Hashes | null,
  current: Hashes,
  paths: readonly string[],
): void {
  if (deployed === null) return
  const moved = paths.filter(path => current.get(path) !== deployed.get(path)).map(oneCell)
  if (moved.length === 0) return
  const shown = moved.slice(0, 5).join(', ')
  const more = moved.length > 5 ? ` and ${moved.length - 5} more` : ''
  throw new Failure('branch_moved', {
    branch: isBlank(branchName) ? '<branch>' : branchName,
    files: shown + more,
  })
}
