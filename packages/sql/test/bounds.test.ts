import { expect, test } from 'vitest'
import { parseStatements } from '../src/parse/parse-statements.ts'

const list = (count: number, item: string) => Array.from({ length: count }, () => item).join(',')

test.each([
  ['values', `SELECT id FROM orders WHERE id IN (${list(25_000, '1')})`],
  ['texts', `SELECT id FROM orders WHERE upper(note) IN (${list(25_000, "''")})`],
  ['names', `SELECT ${list(25_000, 'a')} FROM orders`],
  ['quoted names', `SELECT ${list(25_000, '"a"')} FROM orders`],
  ['texts in dollars', `SELECT ${list(25_000, '$$$$')} FROM orders`],
  ['brackets around nothing', `SELECT id FROM orders GROUP BY ${list(25_000, '()')}`],
  ['rows', `VALUES ${list(15_000, '(1)')}`],
])(
  'a statement of so many %s that reading it would keep others waiting is refused before it is read',
  async (_, text) => {
    const started = performance.now()
    await expect(parseStatements(text)).rejects.toMatchObject({
      code: '54001',
      message: expect.stringMatching('Join a table'),
    })
    // Reading them takes seconds.
    expect(performance.now() - started).toBeLessThan(1_500)
  },
)

test('a list of ten thousand values is read', async () => {
  const [first] = await parseStatements(`SELECT id FROM orders WHERE id IN (${list(10_000, '1')})`)
  expect(first?.statement.kind).toBe('select')
})
