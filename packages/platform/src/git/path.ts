import { pathError } from './path-error.ts'

const maximumPathBytes = 1024
const maximumSegmentBytes = 255

/**
 * Checks a path that a client sent and returns it as trees hold it: without the leading slash with which listings
 * show it. Unicode is kept as it came; names that differ in case or normal form alone are different files.
 *
 * @throws {PathError} with the rule that the path breaks.
 */
export function checkPath(path: string): string {
  const bare = path.startsWith('/') ? path.slice(1) : path
  if (bare === '') throw pathError('path_empty', path)
  if (Buffer.byteLength(bare) > maximumPathBytes) throw pathError('path_too_long', path)
  if (!bare.isWellFormed()) throw pathError('path_not_unicode', path)
  if (/\p{Cc}/u.test(bare)) throw pathError('path_control_character', path)
  if (bare.includes('\\')) throw pathError('path_backslash', path)
  if (bare.startsWith('/') || /^[a-z]:(\/|$)/i.test(bare)) throw pathError('path_absolute', path)
  checkTreePath(bare)
  for (const segment of bare.split('/')) {
    if (Buffer.byteLength(segment) > maximumSegmentBytes) throw pathError('path_segment_too_long', path)
  }
  return bare
}

/**
 * The part of the rules that git itself holds every tree to. Paths from imported trees need no more than this.
 *
 * @throws {PathError} with the rule that the path breaks.
 */
export function checkTreePath(path: string): void {
  for (const segment of path.split('/')) {
    if (segment === '') throw pathError('path_empty_segment', path)
    if (segment === '.' || segment === '..') throw pathError('path_dot_segment', path)
    if (segment.includes('\0')) throw pathError('path_control_character', path)
    if (isGitDirectory(segment)) throw pathError('path_git_directory', path)
  }
}

/**
 * Whether some file system opens `.git` under this name. HFS+ ignores the invisible characters; NTFS drops dots and
 * spaces at the end, reads a colon as the start of a stream name, and has `git~1` as the short name. The same list
 * as in git's `is_hfs_dotgit` and `is_ntfs_dotgit`.
 */
function isGitDirectory(segment: string): boolean {
  const visible = segment.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
  return visible.toLowerCase() === '.git' || /^(\.git|git~1)[ .]*($|[:\\])/i.test(segment)
}
