import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkBranchName, personalBranchName } from '../../src/branches/branch-name.ts'
import { createRepository } from '../git/git-program.ts'

const good = ['feature', 'feature/x', 'Ünïcode', 'a.b', 'a-b_c', 'dbt-sync/main-20260101', 'x'.repeat(244), '日本']
const bad = [
  '',
  '  ',
  'a b',
  'a..b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  'a\u0007',
  'a\u007f',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a.',
  '@',
  'a@{b',
  '-a',
  'HEAD',
  'x'.repeat(300),
]

test('a branch can be named as git allows', async () => {
  await using repository = await createRepository()
  for (const name of good) {
    expect(() => checkBranchName(name), name).not.toThrow()
    expect((await repository.run(['check-ref-format', '--branch', name])).code, name).toBe(0)
  }
})

test('no name is taken that git refuses', async () => {
  for (const name of bad) expect(() => checkBranchName(name), name).toThrow(/cannot be the name of a branch/)
  await using repository = await createRepository()
  const characters = fc.constantFrom(...'ab./@{}~^:?*[\\-', '..', '@{', '.lock', 'é', '\u0001', ' ')
  const names = fc.sample(fc.array(characters, { minLength: 1, maxLength: 5 }), { numRuns: 1500, seed: 1 })
  const accepted = names.map(parts => parts.join('')).filter(isAccepted)
  expect(accepted.length).toBeGreaterThan(50)
  for (const name of accepted) {
    expect((await repository.run(['check-ref-format', `refs/heads/${name}`])).code, name).toBe(0)
  }
})

function isAccepted(name: string): boolean {
  try {
    checkBranchName(name)
    return true
  } catch {
    return false
  }
}

test('names of personal branches are reserved, and half a character is no name', () => {
  expect(() => checkBranchName('dev-ada-12345678')).toThrow(/reserved/)
  expect(() => checkBranchName('dev-')).toThrow(/reserved/)
  expect(() => checkBranchName('a\ud800')).toThrow(/Unicode/)
  expect(() => checkBranchName('refs/heads/a')).toThrow(/refs\//)
})

test.each([
  ['Ada Lovelace', 'dev-ada-lovelace-0badcafe'],
  ['ada@example.com', 'dev-ada-example-com-0badcafe'],
  ['René Müller', 'dev-rene-muller-0badcafe'],
  ['日本', 'dev-user-0badcafe'],
  ['', 'dev-user-0badcafe'],
  ['x'.repeat(500), `dev-${'x'.repeat(60)}-0badcafe`],
])('the personal branch of %j is %s', (user, name) => {
  expect(personalBranchName(user, '0badcafe')).toBe(name)
})
