import { afterAll, beforeAll, expect, test } from 'vitest'
import { signHmac } from '../data-api/tokens.ts'
import { policies } from './policies.ts'
import { type SqlPlatform, startSqlPlatform } from './sql-platform.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'

let sql: SqlPlatform
beforeAll(async () => {
  sql = await startSqlPlatform(policies, { CUBEJS_API_SECRET: secret })
})
afterAll(() => sql.platform.dispose())

test('totals beside their groups are of the rows that the caller sees, with values as parameters', async () => {
  const client = await sql.connect({ password: signHmac({ cubeCloud: { groups: ['red'] } }, secret) })
  try {
    const { rows } = await client.query(
      'SELECT id, GROUPING(id) AS total, MEASURE(revenue) AS revenue, count(*) AS n FROM orders WHERE id < $1 GROUP BY ROLLUP (id) ORDER BY 2, 1',
      [10],
    )
    const groups = await client.query(
      'SELECT id, 0 AS total, MEASURE(revenue) AS revenue, count(*) AS n FROM orders GROUP BY id ORDER BY id',
    )
    expect(groups.rows).toHaveLength(2)
    expect(rows).toEqual([...groups.rows, { id: null, total: 1, revenue: '30.5', n: '2' }])
    const refused = client.query(
      'SELECT 1 FROM orders GROUP BY CUBE (id, tenant, created_at, is_large), CUBE (id, tenant, cost)',
    )
    await expect(refused).rejects.toMatchObject({ code: '54001' })
  } finally {
    await client.end()
  }
})
