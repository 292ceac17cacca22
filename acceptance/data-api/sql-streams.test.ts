import { beforeAll, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { askSql, sqlRows } from './sql-client.ts'

const api = sharedApi()
const count = 1_000_000
const files = {
  'model/numbers.yml': `cubes:
  - name: numbers
    sql: SELECT range AS id, range % 7 AS rest, 'number ' || range AS label FROM range(${count})
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: rest, sql: rest, type: number }
      - { name: label, sql: label, type: string }
    measures: [{ name: count, type: count }]
  - name: names
    data_source: other
    sql: SELECT * FROM (VALUES (0, 'none'), (1, 'one'), (2, 'two')) AS v(id, name)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string }
`,
}
const variables = {
  CUBEJS_DATASOURCES: 'default,other',
  CUBEJS_DB_TYPE: 'duckdb',
  CUBEJS_DS_DEFAULT_DB_TYPE: 'duckdb',
  CUBEJS_DS_OTHER_DB_TYPE: 'duckdb',
}

let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, files, variables))
})

const send = (query: string, signal: AbortSignal | null = null) =>
  fetch(`${data.url()}/cubesql`, {
    method: 'POST',
    headers: { authorization: data.token, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal,
  })

test('a million rows come whole', async () => {
  const response = await send('SELECT id, label FROM numbers')
  let rows = 0
  let rest = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) rows += Object(JSON.parse(line)).data?.length ?? 0
  }
  expect([rows, rest]).toEqual([count, ''])
})

test('who goes away in the middle leaves room for others', async () => {
  for (let round = 0; round < 8; round++) {
    const gone = new AbortController()
    const response = await send('SELECT id, label FROM numbers', gone.signal)
    await response.body?.getReader().read()
    gone.abort()
  }
  expect(await sqlRows(data, 'SELECT MEASURE(count) FROM numbers')).toEqual([[String(count)]])
})

test('parts of several data sources are computed together, all rows of them', async () => {
  const query = `SELECT n.name, q.many FROM names n JOIN (SELECT rest, MEASURE(count) AS many FROM numbers GROUP BY 1) q ON q.rest = n.id ORDER BY n.id`
  const { body } = await data.post('sql', { format: 'sql', query })
  expect(Object(body.sql).query_type).toBe('post_processing')
  expect(await sqlRows(data, query)).toEqual([
    ['none', '142858'],
    ['one', '142857'],
    ['two', '142857'],
  ])
})

test('nothing is computed over a cut-off set: a part of more rows than any answer has is computed whole', async () => {
  const many = 120_000
  const joined = `FROM numbers q JOIN names n ON n.id = q.rest AND n.name <> 'none' WHERE q.id < ${many}`
  const { body } = await data.post('sql', { format: 'sql', query: `SELECT count(*) ${joined}` })
  expect(Object(body.sql).query_type).toBe('post_processing')
  const wanted = Array.from({ length: many }, (_, id) => id).filter(id => id % 7 === 1 || id % 7 === 2)
  const sum = wanted.reduce((all, id) => all + id, 0)
  const [computed = []] = await sqlRows(data, `SELECT count(*), sum(q.id) ${joined}`)
  expect(computed.map(Number)).toEqual([wanted.length, sum])
  const inSource =
    'SELECT count(*), sum(id) FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM numbers) q WHERE place > 1'
  const [row = []] = await sqlRows(data, inSource)
  expect(row.map(Number)).toEqual([count - 1, (count * (count - 1)) / 2])
})

test('an error in the middle of the rows is the last line', async () => {
  const { status, error, rows } = await askSql(data, 'SELECT 1 / (id - 900000) FROM numbers')
  expect(error).toContain('division by zero')
  expect(status === 400 || rows.length > 0).toBe(true)
})
