import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../framework/failure.ts'
import { fieldOf } from '../framework/json.ts'

export interface GeneratedFile {
  readonly path: string
  readonly content: string
}

export interface Drift {
  readonly path: string
  readonly status: 'missing' | 'differs'
}

const refuse = (message: string) => new Failure('dbt_files_refused', { message })

/**
 * Files as the server sent them, all of them checked before any is written: none leads out of the folder (contract/cli-core.md section
 * 18.7).
 *
 * @throws {Failure} `dbt_files_refused`
 */
export function checkFiles(rows: readonly unknown[], syncJobId: string, out: string): readonly GeneratedFile[] {
  return rows.map(row => {
    const [path, content] = [fieldOf(row, 'path'), fieldOf(row, 'content')]
    if (typeof content !== 'string') {
      const named = typeof path === 'string' ? ` (${JSON.stringify(path).slice(1, -1)})` : ''
      throw refuse(
        `dbt sync ${syncJobId} returned a file with no content${named}. Refusing to write it, since doing so would empty a file you are about to commit`,
      )
    }
    if (typeof path !== 'string' || path === '') throw refuse('the server returned an empty file path')
    const shown = JSON.stringify(path).slice(1, -1)
    if (/\p{Cc}/u.test(path))
      throw refuse(`refusing to write ${shown}: the server returned a path with control characters`)
    if (/^[/\\]/.test(path)) throw refuse(`refusing to write the absolute path ${shown} returned by the server`)
    if (/^[A-Za-z]:/.test(path) || path.split(/[/\\]/).includes('..')) {
      throw refuse(`refusing to write ${shown}: it points outside ${out}`)
    }
    return { path, content }
  })
}

/** @throws {Failure} `dbt_files_refused` for a folder or file that is a symbolic link; `file_unwritable`. */
export async function writeFiles(files: readonly GeneratedFile[], out: string): Promise<void> {
  for (const { path } of files) await refuseLinks(out, path)
  for (const { path, content } of files) {
    const file = join(out, path)
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    } catch (error) {
      throw new Failure('file_unwritable', { path: file }, error)
    }
  }
}

async function refuseLinks(out: string, path: string): Promise<void> {
  const parts = path.split('/')
  for (let count = 1; count <= parts.length; count++) {
    const place = join(out, ...parts.slice(0, count))
    const found = await lstat(place).catch(() => null)
    if (found?.isSymbolicLink()) throw refuse(`refusing to write ${path}: ${place} is a symbolic link`)
  }
}

/** Which files are not what stands in the folder. @throws {Failure} `file_unreadable` */
export async function compareFiles(files: readonly GeneratedFile[], out: string): Promise<readonly Drift[]> {
  const drifts: Drift[] = []
  for (const { path, content } of files) {
    const file = join(out, path)
    try {
      const bytes = await readFile(file)
      if (new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) !== content) {
        drifts.push({ path, status: 'differs' })
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        throw new Failure('file_unreadable', { path: file }, error)
      }
      drifts.push({ path, status: 'missing' })
    }
  }
  return drifts
}
