import { isUtf8 } from 'node:buffer'
import { CodedError } from '@hedron/contract'
import { checkPath, PathError } from '../git/index.ts'
import { pathInvalid } from './path-reasons.ts'

/** Files of one request, or of one upload transaction. */
export const maximumFiles = 20_000
const maximumFileBytes = 10 * 1024 * 1024

/** @throws {CodedError} `too_many_files`. */
export function checkCount(count: number): void {
  if (count > maximumFiles) throw new CodedError('too_many_files', { count, limit: maximumFiles })
}

/** The path as trees hold it. @throws {CodedError} `path_invalid`. */
export function readPath(path: string): string {
  try {
    return checkPath(path)
  } catch (error) {
    throw error instanceof PathError ? pathInvalid(error) : error
  }
}

/** Paths of one request as trees hold them. @throws {CodedError} `too_many_files`, `path_invalid`, also for one that is there twice. */
export function readPaths(paths: readonly string[]): string[] {
  checkCount(paths.length)
  const seen = new Set<string>()
  return paths.map(sent => {
    const path = readPath(sent)
    if (seen.has(path)) throw new CodedError('path_invalid', { path: sent, reason: 'it is there twice in the request' })
    seen.add(path)
    return path
  })
}

/** The bytes of a text file. @throws {CodedError} `file_invalid`. */
export function readText(path: string, text: string): Buffer {
  if (!text.isWellFormed()) {
    throw new CodedError('file_invalid', { path, reason: 'its content is not valid Unicode: half of a surrogate pair' })
  }
  const content = Buffer.from(text)
  checkContent(path, content)
  return content
}

/** @throws {CodedError} `file_invalid` for what is too large or no UTF-8 text. */
export function checkContent(path: string, content: Uint8Array): void {
  const refuse = (reason: string) => new CodedError('file_invalid', { path, reason })
  if (content.byteLength > maximumFileBytes) throw refuse('it is larger than 10 MiB')
  if (!isUtf8(content)) throw refuse('its content is not UTF-8 text; a data model is made of text files alone')
  if (content.includes(0)) throw refuse('its content has a NUL character, as only binary files have')
}
