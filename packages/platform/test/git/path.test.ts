import { describe, expect, test } from 'vitest'
import { checkPath } from '../../src/git/path.ts'
import { createRepository } from './git-program.ts'

const accepted: readonly (readonly [string, string])[] = [
  ['model/cubes/orders.yml', 'model/cubes/orders.yml'],
  ['/model/cubes/orders.yml', 'model/cubes/orders.yml'],
  ['a', 'a'],
  ['.gitignore', '.gitignore'],
  ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
  ['git~2', 'git~2'],
  ['..a/b..', '..a/b..'],
  ['...', '...'],
  ['spaced name .yml', 'spaced name .yml'],
  ['-rf', '-rf'],
  ['a:b', 'a:b'],
  ['e\u0301.yml', 'e\u0301.yml'],
  ['\u00e9.yml', '\u00e9.yml'],
  ['表/売上.yml', '表/売上.yml'],
  ['😀', '😀'],
  ['x'.repeat(255), 'x'.repeat(255)],
  [`/${'abcdefg/'.repeat(127)}abcdefgh`, `${'abcdefg/'.repeat(127)}abcdefgh`],
]

const refused: readonly (readonly [string, string])[] = [
  ['', 'path_empty'],
  ['/', 'path_empty'],
  ['//', 'path_absolute'],
  ['//etc/passwd', 'path_absolute'],
  ['C:/windows', 'path_absolute'],
  ['/c:', 'path_absolute'],
  ['..', 'path_dot_segment'],
  ['../a', 'path_dot_segment'],
  ['a/../b', 'path_dot_segment'],
  ['a/..', 'path_dot_segment'],
  ['./a', 'path_dot_segment'],
  ['a/.', 'path_dot_segment'],
  ['a//b', 'path_empty_segment'],
  ['a/', 'path_empty_segment'],
  ['a\0b', 'path_control_character'],
  ['a\nb', 'path_control_character'],
  ['a\u007f', 'path_control_character'],
  ['a\u0085', 'path_control_character'],
  ['..\\a', 'path_backslash'],
  ['a\\b', 'path_backslash'],
  ['\ud800', 'path_not_unicode'],
  ['x'.repeat(256), 'path_segment_too_long'],
  ['é'.repeat(128), 'path_segment_too_long'],
  [`${'abcdefg/'.repeat(128)}a`, 'path_too_long'],
  ['é/'.repeat(400), 'path_too_long'],
  ['.git', 'path_git_directory'],
  ['.GIT/config', 'path_git_directory'],
  ['a/.Git/hooks/post-checkout', 'path_git_directory'],
  ['git~1', 'path_git_directory'],
  ['GIT~1/config', 'path_git_directory'],
  ['.git.', 'path_git_directory'],
  ['.git . .', 'path_git_directory'],
  ['git~1 ', 'path_git_directory'],
  ['.git::$INDEX_ALLOCATION/config', 'path_git_directory'],
  ['.git:x', 'path_git_directory'],
  ['.g\u200cit', 'path_git_directory'],
  ['.git\ufeff', 'path_git_directory'],
  ['\u202e.GIT/x', 'path_git_directory'],
]

describe('checkPath', () => {
  test.each(accepted)('takes %j', (path, stored) => {
    expect(checkPath(path)).toBe(stored)
  })

  test.each(refused)('refuses %j as %s', (path, code) => {
    expect(() => checkPath(path)).toThrow(expect.objectContaining({ name: 'PathError', code, path }))
  })

  test('says which path and what to do', () => {
    expect(() => checkPath('a/../\u{1f600}')).toThrow(
      'The path "a/../\u{1f600}" has a . or .. in it. Give the path from the project\'s root, without steps.',
    )
    expect(() => checkPath('a\0'.repeat(1000))).toThrow(/^The path ".{1,1300}…" is longer than 1024 bytes/)
  })

  test('is never looser than git, and no stricter about the names of its own directory', async () => {
    await using repository = await createRepository()
    const blob = (await repository.git(['hash-object', '-w', '--stdin'], 'x')).trim()
    const takes = async (path: string) => {
      const settings = ['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true']
      const record = `100644 ${blob}\t${path}\0`
      const { code } = await repository.run([...settings, 'update-index', '--add', '-z', '--index-info'], record)
      const listed = await repository.git(['ls-files', '-z'])
      await repository.git(['read-tree', '--empty'])
      return code === 0 && listed === `${path}\0`
    }
    for (const [, stored] of accepted) expect([stored, await takes(stored)]).toEqual([stored, true])
    for (const [path, code] of refused) {
      if (code === 'path_git_directory') expect([path, await takes(path)]).toEqual([path, false])
    }
  })
})
