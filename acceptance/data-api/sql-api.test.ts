import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'
import { askSql, sqlRows } from './sql-client.ts'

const api = sharedApi()
let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, shop))
})

const kindOf = async (query: string) => {
  const { body } = await data.post('sql', { format: 'sql', query })
  return Object(body.sql)
}

describe('POST /v1/cubesql', () => {
  test('gives columns, then rows', async () => {
    const answer = await askSql(
      data,
      'SELECT status, MEASURE(count) AS n, SUM(total) FROM orders GROUP BY 1 ORDER BY 1',
    )
    expect(answer.status).toBe(200)
    expect(answer.columns).toEqual([
      { name: 'status', column_type: 'String' },
      { name: 'n', column_type: 'Int64' },
      { name: 'sum', column_type: 'Double' },
    ])
    expect(answer.rows).toEqual([
      ['new', '2', '10.50'],
      ['paid', '3', '65.25'],
      [null, '1', '100.00'],
    ])
  })

  test('says in its first line that it holds all rows', async () => {
    const response = await fetch(`${data.url()}/cubesql`, {
      method: 'POST',
      headers: { authorization: data.token, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'SELECT id FROM orders' }),
    })
    const [first = ''] = (await response.text()).split('\n')
    expect(JSON.parse(first)).toMatchObject({ complete: true, lastRefreshTime: expect.any(String) })
  })

  test('is filtered where a column of it is, names what is, and refuses what is no condition', async () => {
    const query = 'SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1'
    const filtered = (...filters: object[]) => askSql(data, query, { filters })
    const paid = { member: 'orders.status', operator: 'equals', values: ['paid'] }
    const answer = await filtered(paid, { member: 'orders.id', operator: 'equals', values: ['1'] })
    expect(answer.rows).toEqual([['paid', '3']])
    expect(answer.head.filtered).toEqual(['orders.status'])
    // What was planned for one is not what another gets.
    expect((await filtered({ ...paid, values: ['new'] })).rows).toEqual([['new', '2']])
    const plain = await askSql(data, query)
    expect(plain.rows).toHaveLength(3)
    expect(plain.head).not.toHaveProperty('filtered')
    for (const wrong of [{ ...paid, operator: 'drop' }, { member: 5 }, { ...paid, or: [] }]) {
      expect((await filtered(wrong)).status).toBe(400)
    }
  })

  test.for<[what: string, query: string, rows: unknown]>([
    [
      'a time cut to months',
      `SELECT date_trunc('month', created_at), count(*) FROM orders GROUP BY 1 ORDER BY 1 LIMIT 2`,
      [
        ['2024-01-01T00:00:00.000', '3'],
        ['2024-02-01T00:00:00.000', '1'],
      ],
    ],
    [
      'a view',
      `SELECT customers_name, SUM(total) FROM sales WHERE paid GROUP BY 1 ORDER BY 2 DESC`,
      [
        ['Grace', '45.00'],
        ['Ada', '20.25'],
      ],
    ],
    [
      'cubes joined as the model says',
      `SELECT c.city, SUM(o.total) FROM orders o CROSS JOIN customers c WHERE c.city IS NOT NULL GROUP BY 1 ORDER BY 1`,
      [
        ['Berlin', '30.75'],
        ['New York', '45.00'],
      ],
    ],
    [
      'cubes joined by __cubeJoinField',
      `SELECT c.city, SUM(o.total) FROM orders o LEFT JOIN customers c ON o.__cubeJoinField = c.__cubeJoinField GROUP BY 1 HAVING SUM(o.total) > 40 ORDER BY 1`,
      [
        ['New York', '45.00'],
        [null, '100.00'],
      ],
    ],
    [
      'an expression of dimensions to group by',
      `SELECT upper(status), MEASURE(buyers) FROM orders GROUP BY 1 ORDER BY 1`,
      [
        ['NEW', '2'],
        ['PAID', '2'],
        [null, '1'],
      ],
    ],
    [
      'an aggregate over an expression',
      `SELECT SUM(CASE WHEN status = 'paid' THEN id END), COUNT(DISTINCT status) FROM orders`,
      [['9', '2']],
    ],
    [
      'the rate of return of payments over days',
      `SELECT round(XIRR(CASE id WHEN 1 THEN -100 ELSE 121 END, DATE '2021-01-01' + CAST(id - 1 AS integer) * 730), 9) FROM orders WHERE id < 3`,
      [['0.1']],
    ],
    [
      'a calculation with measures',
      `SELECT status, SUM(total) / MEASURE(count) AS each FROM orders WHERE status = 'paid' GROUP BY 1`,
      [['paid', '21.75']],
    ],
    [
      'a common table expression',
      `WITH t AS (SELECT status, SUM(total) AS s FROM orders GROUP BY 1) SELECT max(s) FROM t`,
      [['100.00']],
    ],
    [
      'a window function',
      `SELECT id, row_number() OVER (ORDER BY id DESC) FROM orders ORDER BY id LIMIT 1`,
      [['1', '6']],
    ],
    [
      'a union',
      `SELECT status FROM orders WHERE id = 1 UNION ALL SELECT city FROM customers WHERE name = 'Ada' ORDER BY 1`,
      [['Berlin'], ['new']],
    ],
    ['a sub-query in IN', `SELECT count(*) FROM orders WHERE customer_key IN (1)`, null],
    [
      'a join by values',
      `SELECT c.name, count(*) FROM customers c JOIN (SELECT id FROM orders WHERE id < 4) o ON length(c.name) = o.id GROUP BY 1 ORDER BY 1`,
      [['Ada', '1']],
    ],
    ['no table', `SELECT 1 + 1 AS two, 'x' || 'y'`, [['2', 'xy']]],
    [
      'rows as they are',
      `SELECT id, status FROM orders WHERE created_at >= '2024-03-01' ORDER BY id`,
      [
        ['5', null],
        ['6', 'new'],
      ],
    ],
    ['whole numbers divided', `SELECT count(*) / 4 FROM orders`, [['1']]],
    [
      'a semi-join',
      `SELECT id FROM orders WHERE status IN (SELECT status FROM orders WHERE id = 1) ORDER BY id`,
      [['1'], ['6']],
    ],
  ])('answers %s', async ([, query, rows]) => {
    if (rows === null) return expect((await askSql(data, query)).error).toContain('does not exist')
    expect(await sqlRows(data, query)).toEqual(rows)
  })

  test('refuses what it does not know with the place and what may be meant', async () => {
    const answer = await askSql(data, 'SELECT statu\nFROM orders')
    expect([answer.status, answer.error]).toEqual([
      400,
      `column "statu" does not exist (line 1, column 8). Did you mean 'status'?`,
    ])
    expect(answer.body).toMatchObject({ code: '42703', position: { line: 1, column: 8 } })
  })

  test('refuses a measure by another aggregate with the published text', async () => {
    const { error } = await askSql(data, 'SELECT AVG(total) FROM orders')
    expect(error).toContain(`Measure aggregation type doesn't match`)
  })

  test('gives a time in the zone that is asked for', async () => {
    const { rows } = await askSql(data, 'SELECT created_at FROM orders WHERE id = 2', { timezone: 'Europe/Berlin' })
    expect(rows).toEqual([['2024-01-02T00:30:00.000']])
  })
})

describe('/v1/sql with format=sql', () => {
  test.for([
    ['regular', 'SELECT status, MEASURE(count) FROM orders GROUP BY 1 LIMIT 10'],
    ['pushdown', 'SELECT MEASURE(count) + 1 FROM orders'],
    ['post_processing', 'SELECT 1'],
  ])('says %s', async ([kind, query = '']) => {
    expect(await kindOf(query)).toMatchObject({
      status: 'ok',
      query_type: kind,
      sql: [expect.any(String), expect.any(Array)],
    })
  })

  test('refuses post-processing where that is asked', async () => {
    const { body } = await data.post('sql', { format: 'sql', query: 'SELECT 1', disable_post_processing: true })
    expect(body.sql).toEqual({
      status: 'error',
      error: 'Provided query can not be executed without post-processing.',
      query_type: 'post_processing',
    })
  })
})

describe('EXPLAIN', () => {
  const linesOf = async (query: string) => (await sqlRows(data, query)).map(([line]) => String(line))

  test('shows the plan and runs nothing, with ANALYZE runs it and counts', async () => {
    const statement = 'SELECT status, MEASURE(count) FROM orders GROUP BY 1'
    const planned = await linesOf(`EXPLAIN ${statement}`)
    expect(planned[0]).toBe('A question to the model (regular)')
    const analyzed = await linesOf(`EXPLAIN ANALYZE ${statement}`)
    expect(analyzed.slice(0, planned.length)).toEqual(planned)
    expect(analyzed.slice(planned.length)).toEqual([
      'Rows: 3',
      expect.stringMatching(/^Time: \d+ ms$/),
      expect.stringMatching(/^Data of: \d{4}-/),
    ])
  })

  test('with ANALYZE ends as the statement does', async () => {
    const { error } = await askSql(data, 'EXPLAIN ANALYZE SELECT SUM(total) / 0 FROM orders')
    expect(error).toContain('division by zero')
  })
})

test('XIRR of payments in one direction ends with what is wrong with them', async () => {
  const { error } = await askSql(data, 'SELECT XIRR(id, created_at) FROM orders')
  expect(error).toContain('XIRR finds no rate')
})

describe('POST /v1/convert-query', () => {
  const convert = async (body: object) => {
    const response = await fetch(`${data.url()}/convert-query`, {
      method: 'POST',
      headers: { authorization: data.token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: Object(await response.json()) }
  }

  test('gives the query that a statement is, with the same rows', async () => {
    const query = `SELECT status, SUM(total) FROM orders WHERE status IN ('new', 'paid') GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 5`
    const { body } = await convert({ input: 'sql', output: 'rest', query })
    expect(body.status).toBe('ok')
    const rows = await data.rows(body.query)
    expect(rows.map(row => [row['orders.status'], row['orders.total']])).toEqual(await sqlRows(data, query))
  })

  test('says that missing values come last in the query where they come first in the statement', async () => {
    const query = 'SELECT status, SUM(total) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 5'
    const { body } = await convert({ input: 'sql', output: 'rest', query })
    expect(body).toMatchObject({ status: 'ok', query: { order: [['orders.total', 'desc']], limit: 5 } })
    expect(body.notice).toContain('Missing values of orders.total come first in the statement')
    const settled = await convert({ input: 'sql', output: 'rest', query: query.replace('DESC', 'DESC NULLS LAST') })
    expect(settled.body).toEqual({ status: 'ok', query: body.query })
  })

  test('asks for as many rows as there can be where the statement has no LIMIT', async () => {
    const { body } = await convert({ input: 'sql', output: 'rest', query: 'SELECT status FROM orders GROUP BY 1' })
    expect(body).toMatchObject({ status: 'ok', query: { dimensions: ['orders.status'], limit: 50_000 } })
  })

  test('says why there is none', async () => {
    const { body } = await convert({ input: 'sql', output: 'rest', query: 'SELECT MEASURE(count) * 2 FROM orders' })
    expect(body).toMatchObject({ status: 'error', error: expect.any(String) })
    expect((await convert({ input: 'x', output: 'rest', query: 'SELECT 1' })).body.error).toContain(
      `Unexpected input parameter value 'x'`,
    )
    for (const given of [{ query: '' }, { query: 5 }, {}]) {
      const { status, body: refused } = await convert({ input: 'sql', output: 'rest', ...given })
      expect([status, refused.error]).toEqual([500, 'Error: query parameter must be a non-empty string'])
    }
  })
})
