import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bag } from '../oracle/rows.ts'
import { statements } from '../oracle/statements.ts'
import { everyone, modelOf, planText, statementOf } from '../support/plan-text.ts'

const rows = `(VALUES (1, 1, 0.5, 'abc', true, TIMESTAMP '2024-01-01 00:00:00'),
  (2, 1, 2.25, 'Bcd', false, TIMESTAMP '2024-01-15 10:00:00'),
  (3, 2, -1.75, NULL, NULL, TIMESTAMP '2024-02-29 23:59:59'),
  (4, NULL, 10, 'abc', true, NULL),
  (5, -3, NULL, '', false, TIMESTAMP '2024-03-10 07:30:00'),
  (6, 0, 0, ' aB ', true, TIMESTAMP '2024-12-31 12:00:00')) AS v(id, a, b, s, f, d)`

const dimension = (name: string, type: string, more = '') =>
  `{ name: ${name}, sql: ${name}, type: ${type}, public: true${more} }`
const dimensions = [
  dimension('id', 'number', ', primary_key: true'),
  dimension('a', 'number'),
  dimension('b', 'number', ', mask: -1'),
  dimension('s', 'string', `, mask: { sql: "'hidden'" }`),
  dimension('f', 'boolean'),
  dimension('d', 'time'),
]
const cube = (policy: string) => `cubes:
  - name: t
    sql: ${JSON.stringify(`SELECT * FROM ${rows}`)}
    dimensions: [${dimensions.join(', ')}]
    measures: [{ name: total, sql: b, type: sum }, { name: n, type: count }]
    ${policy}
`

/** A policy, and the table that it leaves of the whole one. */
const policies = {
  'rows of a cube': {
    policy: `access_policy: [{ group: '*', row_level: { filters: [{ member: a, operator: gt, values: ['0'] }] } }]`,
    left: `SELECT * FROM ${rows} WHERE a > 0`,
  },
  'values that are masked': {
    policy: `access_policy: [{ group: '*', member_level: { includes: [id, a, f, d] }, member_masking: { includes: [b, s] } }]`,
    left: `SELECT id, a, -1 AS b, 'hidden' AS s, f, d FROM ${rows}`,
  },
  'rows and values that are masked': {
    policy: `access_policy: [{ group: '*', member_level: { includes: [id, a, f, d] }, member_masking: { includes: [b, s] }, row_level: { filters: [{ member: f, operator: equals, values: ['true'] }] } }]`,
    left: `SELECT id, a, -1 AS b, 'hidden' AS s, f, d FROM ${rows} WHERE f`,
  },
  'values that are masked on some rows': {
    policy: `access_policy: [{ group: '*', member_level: { includes: [id, a, s, f, d] }, member_masking: { includes: [b] } }, { group: '*', row_level: { filters: [{ member: a, operator: gt, values: ['0'] }] } }]`,
    left: `SELECT id, a, CASE WHEN a > 0 THEN b ELSE -1 END AS b, s, f, d FROM ${rows}`,
  },
  'no row': {
    policy: `access_policy: [{ group: '*', row_level: { filters: [{ member: id, operator: lt, values: ['0'] }] } }]`,
    left: `SELECT * FROM ${rows} WHERE false`,
  },
} as const

let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => duckdb.closeSync())

const plain = modelOf({ 'model/t.yml': cube('') })
type PlanOf = Parameters<typeof planText>[1]

async function answer(text: string, options: PlanOf): Promise<string[]> {
  const { sql, parameters, positions } = statementOf(await planText(text, options))
  const reader = await duckdb.runAndReadAll(sql, [...parameters])
  return bag(reader.getRows().map(row => positions.map(position => row[position])))
}

describe.each(Object.entries(policies))('%s', (_, { policy, left }) => {
  const guarded = modelOf({ 'model/t.yml': cube(policy) })
  const cut = modelOf({
    'model/t.yml': cube('').replace(JSON.stringify(`SELECT * FROM ${rows}`), JSON.stringify(left)),
  })

  test('statements see what the policy leaves, wherever they look', async () => {
    await fc.assert(
      fc.asyncProperty(statements, async text => {
        expect({ text, rows: await answer(text, { model: guarded }) }).toEqual({
          text,
          rows: await answer(text, { model: cut }),
        })
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })
})

test('every grouping set is of the rows that a policy leaves, and a measure in it of its own rows', async () => {
  const model = modelOf({ 'model/t.yml': cube(policies['rows of a cube'].policy) })
  const text = 'SELECT a, GROUPING(a) AS g, MEASURE(total), MEASURE(n), avg(b) FROM t GROUP BY ROLLUP (a)'
  expect(await answer(text, { model })).toEqual(
    bag([
      [1, 0, 2.75, 2, 1.375],
      [2, 0, -1.75, 1, -1.75],
      [null, 1, 1, 3, 1 / 3],
    ]),
  )
  await expect(
    planText('SELECT s FROM t GROUP BY ROLLUP (s)', {
      model: modelOf({
        'model/t.yml': cube(`access_policy: [{ group: '*', member_level: { includes: [id, a, n] } }]`),
      }),
    }),
  ).rejects.toThrow('column "s" does not exist')
})

test('a policy makes a difference to what the tests ask', async () => {
  const text = 'SELECT sum(b), count(*) FROM t'
  const { policy } = policies['rows of a cube']
  expect(await answer(text, { model: modelOf({ 'model/t.yml': cube(policy) }) })).not.toEqual(
    await answer(text, { model: plain }),
  )
})

describe('members that a policy does not show', () => {
  const model = modelOf({
    'model/t.yml': cube(`access_policy: [{ group: '*', member_level: { includes: [id, a, n] } }]`),
  })

  test.each([
    'SELECT b FROM t',
    'SELECT upper(s) FROM t',
    'SELECT count(*) FROM t WHERE b > 1',
    'SELECT sum(b) FROM t',
    'SELECT MEASURE(total) FROM t',
    'SELECT id FROM t WHERE id IN (SELECT id FROM t WHERE b > 1)',
    'SELECT id FROM t ORDER BY b',
    'WITH q AS (SELECT b FROM t) SELECT 1 FROM q',
    'SELECT (SELECT max(b) FROM t)',
  ])('%s', async text => {
    await expect(planText(text, { model })).rejects.toThrow(/does not exist/)
  })

  test('are not among those of *', async () => {
    expect((await planText('SELECT * FROM t', { model })).columns.map(({ name }) => name)).toEqual(['n', 'id', 'a'])
  })

  test('count(*) counts the rows that are left', async () => {
    expect(await answer('SELECT count(*), sum(a) FROM t', { model })).toEqual([JSON.stringify([6, 1])])
  })
})

test('a cube of which a caller may see nothing is not there', async () => {
  const model = modelOf({ 'model/t.yml': cube(`access_policy: [{ group: staff }]`) })
  await expect(planText('SELECT id FROM t', { model })).rejects.toThrow('relation "t" does not exist')
  const staff = { ...everyone, groups: ['staff'] }
  expect((await planText('SELECT id FROM t', { model, context: staff })).kind).toBe('regular')
})
