import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SqlPlatform, startSqlPlatform } from './sql-platform.ts'

const files = {
  'model/events.yml': `cubes:
  - name: events
    sql: >
      SELECT * FROM (VALUES (1, 'a', TIMESTAMP '2024-01-01 00:00:00'), (2, 'b', TIMESTAMP '2024-01-01 05:00:00'),
        (3, NULL, TIMESTAMP '2024-01-02 00:00:00'), (4, 'c,"d', NULL)) AS v(id, name, happened)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string }
      - { name: happened, sql: happened, type: time }
    measures: [{ name: count, type: count }]
`,
}

let sql: SqlPlatform
beforeAll(async () => {
  sql = await startSqlPlatform(files, {})
})
afterAll(() => sql?.platform.dispose())

let client: Client
beforeEach(async () => {
  client = await sql.connect()
})
afterEach(() => client.end())

/** Ids of the rows that a condition with parameters leaves. */
async function ids(condition: string, values: unknown[], types?: number[]): Promise<number[]> {
  const text = `SELECT id FROM events WHERE ${condition} ORDER BY id`
  // node-postgres sends what it is given here as the types of parameters, and asks it how to read columns.
  const declared = types && { types: Object.assign(types, { getTypeParser: () => String }) }
  const { rows } = await client.query(Object.assign({ text, values }, declared))
  return rows.map(({ id }) => Number(id))
}
const shown = async (name: string) => Object.values((await client.query(`SHOW ${name}`)).rows[0])[0]

test.each<[string, unknown[], number[]]>([
  ['name = ANY($1)', [['a', 'c,"d', null]], [1, 4]],
  ['name = ANY($1::text[])', [['b']], [2]],
  ['id = ANY($1)', [[1, 3]], [1, 3]],
  ['id = ANY($1::int[]) AND name = $2', [[1, 2], 'b'], [2]],
  ['name <> ALL($1)', [['a']], [2, 4]],
  ['id = ANY($1)', [[]], []],
  ['id = ANY($1)', [null], []],
])('a list is a parameter: %s of %j', async (condition, values, found) => {
  expect(await ids(condition, values)).toEqual(found)
})

test('a parameter that is declared a moment with a zone is one, whatever the zone of the session', async () => {
  await client.query("SET TIME ZONE 'America/New_York'")
  const timestamptz = 1184
  expect(await ids('happened = $1', ['2024-01-01 05:00:00+00'], [timestamptz])).toEqual([2])
  expect(await ids('happened >= $1 AND happened < $2', ['2024-01-01 01:00:00+01', '2024-01-02 00:00:00+00'], [timestamptz, timestamptz])).toEqual([1, 2]) // biome-ignore format: one row
  expect(await ids('happened = $1', ['2024-01-01 00:00:00'])).toEqual([2])
})

describe('SET', () => {
  test('LOCAL holds in its transaction alone', async () => {
    const notices: string[] = []
    client.on('notice', ({ code }) => notices.push(String(code)))
    await client.query('SET LOCAL statement_timeout = 1')
    expect([await shown('statement_timeout'), notices]).toEqual(['0', ['25P01']])
    await client.query('BEGIN')
    await client.query('SET statement_timeout = 60000')
    await client.query('SET LOCAL statement_timeout = 50000')
    await client.query("SELECT set_config('app.tenant', 'a', true)")
    expect([await shown('statement_timeout'), await shown('app.tenant')]).toEqual(['50000', 'a'])
    await client.query('COMMIT')
    expect(await shown('statement_timeout')).toBe('60000')
    await expect(shown('app.tenant')).rejects.toMatchObject({ code: '42704' })
  })

  test('in a transaction that is rolled back, or fails, has changed nothing', async () => {
    await client.query("SET TIME ZONE 'Asia/Tokyo'")
    for (const end of ['ROLLBACK', 'COMMIT']) {
      await client.query('BEGIN')
      await client.query("SET TIME ZONE 'Europe/Berlin'")
      await client.query("SET app.tenant = 'b'")
      if (end === 'COMMIT') await expect(client.query('SELECT nothing FROM events')).rejects.toThrow('nothing')
      await client.query(end)
      expect(await shown('timezone')).toBe('Asia/Tokyo')
      await expect(shown('app.tenant')).rejects.toMatchObject({ code: '42704' })
    }
  })

  test.each([
    ['-5', 'Etc/GMT+5', '2023-12-31 19'],
    ["'GMT-02:00'", 'Etc/GMT-2', '2024-01-01 02'],
    ['LOCAL', 'UTC', '2024-01-01 00'],
  ])('TIME ZONE %s is one that questions are asked in', async (zone, name, hour) => {
    await client.query(`SET TIME ZONE ${zone}`)
    expect(await shown('timezone')).toBe(name)
    const { rows } = await client.query(
      'SELECT to_char(happened, $$YYYY-MM-DD HH24$$) AS hour FROM events WHERE id = 1',
    )
    expect(rows).toEqual([{ hour }])
  })

  test.each(["'+05:00'", "INTERVAL '-05:00' HOUR TO MINUTE", "'Nowhere/X'", '99'])(
    'TIME ZONE %s is refused, and nothing is changed',
    async zone => {
      await expect(client.query(`SET TIME ZONE ${zone}`)).rejects.toMatchObject({ code: '22023' })
      expect(await ids('happened = $1', ['2024-01-01'])).toEqual([1])
    },
  )

  test('what is fixed can be set to what it is, as pools do when a session is given back', async () => {
    await client.query('SET SESSION AUTHORIZATION DEFAULT')
    await client.query("SET lc_messages = 'C'")
    await expect(client.query("SET lc_messages = 'de_DE'")).rejects.toMatchObject({ code: '55P02' })
  })
})
