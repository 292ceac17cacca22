import { expect, test } from 'vitest'
import { scopesOf } from '../../../src/queries/tokens/token-scopes.ts'

const usual = new Set(['graphql', 'meta', 'data', 'sql'])

test.for<[claim: unknown, scopes: readonly string[]]>([
  [undefined, [...usual]],
  [null, [...usual]],
  [['data'], ['data']],
  [['data', 'jobs', 'admin'], ['data']],
  [[], []],
  [['openid', 'profile'], []],
  ['openid profile email', [...usual]],
  ['', [...usual]],
  ['openid data meta', ['meta', 'data']],
  ['jobs', []],
  ['data,sql', [...usual]],
  [7, []],
  [true, []],
  [{ data: true }, []],
])('%j', ([claim, scopes]) => {
  expect([...scopesOf(claim, usual)]).toEqual(scopes)
})

test('never are more than the deployment allows', () => {
  const few = new Set(['meta'])
  for (const claim of [undefined, ['data', 'meta', 'sql'], 'data meta', 'openid']) {
    expect([...scopesOf(claim, few)]).toEqual(['meta'])
  }
  expect([...scopesOf('data', few)]).toEqual([])
  expect([...scopesOf(['jobs'], new Set(['jobs', 'data']))]).toEqual(['jobs'])
})
