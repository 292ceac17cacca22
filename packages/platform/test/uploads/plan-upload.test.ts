import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/git/index.ts'
import { planUpload } from '../../src/uploads/plan-upload.ts'

const file = (id: string) => ({ mode: '100644', id }) as const
const current: Snapshot = new Map([
  ['a', file('blob-a')],
  ['b', file('blob-b')],
  ['sub/c', file('blob-c')],
])
const sha1s = new Map(['a', 'b', 'c', 'new'].map(name => [`blob-${name}`, `sha-${name}`]))
const plan = (listed: Record<string, string>, uploaded: Record<string, string>, pruneBelow: string | null = '') =>
  planUpload({
    listed: new Map(Object.entries(listed)),
    uploaded: new Map(Object.entries(uploaded)),
    current,
    sha1s,
    pruneBelow,
  })

test('files that are uploaded are written, those that are there stay, the rest goes', () => {
  expect(plan({ a: 'sha-a', d: 'sha-new' }, { d: 'blob-new' })).toEqual(
    new Map([
      ['b', null],
      ['sub/c', null],
      ['d', { id: 'blob-new' }],
    ]),
  )
})

test('nothing changes when everything is there', () => {
  expect(plan({ a: 'sha-a', b: 'sha-b', 'sub/c': 'sha-c' }, { a: 'blob-a' }).size).toBe(0)
})

test('without pruning, and below a folder alone, other files stay', () => {
  expect(plan({ d: 'sha-new' }, { d: 'blob-new' }, null)).toEqual(new Map([['d', { id: 'blob-new' }]]))
  expect(plan({}, {}, 'sub/')).toEqual(new Map([['sub/c', null]]))
})

test('what a deploy that was cut off had sent is passed over where the branch has what is listed', () => {
  expect(plan({ a: 'sha-a', b: 'sha-b', 'sub/c': 'sha-c' }, { a: 'blob-new' }).size).toBe(0)
})

test.each([
  ['neither uploaded nor there', { x: 'sha-new' }, {}],
  ['there with another hash', { a: 'sha-new' }, {}],
  ['uploaded with another hash', { x: 'sha-new' }, { x: 'blob-b' }],
  ['uploaded and there with others', { a: 'sha-b' }, { a: 'blob-new' }],
])('a listed file that is %s is refused', (_, listed, uploaded) => {
  expect(() => plan(listed, uploaded)).toThrow(expect.objectContaining({ code: 'upload_incomplete' }))
})
