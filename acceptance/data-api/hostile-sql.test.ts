import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'
import { askSql } from './sql-client.ts'

const statements: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../../packages/sql/test/hostile/statements.json', import.meta.url), 'utf8'),
)

const api = sharedApi()
let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, shop))
})

const alive = async () => {
  const { rows } = await askSql(data, 'SELECT MEASURE(count) FROM orders')
  expect(rows).toEqual([['6']])
}

describe('statements that try to leave the model are refused before anything runs', () => {
  test.for(Object.keys(statements))('%s', async kind => {
    for (const query of statements[kind] ?? []) {
      const { status, error, rows } = await askSql(data, query)
      expect({ query, status: status === 403 ? 400 : status, rows }).toEqual({ query, status: 400, rows: [] })
      // It is refused by its words, not by a database that was asked.
      expect(String(error)).not.toMatch(
        /Binder Error|Catalog Error|Parser Error|No such file|Permission Error|IO Error/,
      )
    }
    await alive()
  })
})

describe('statements that are too much', () => {
  const repeated = (text: string, times: number) => text.repeat(times)
  test.for<[what: string, query: string]>([
    ['brackets', `SELECT ${repeated('(', 50_000)}1${repeated(')', 50_000)}`],
    ['NOT', `SELECT ${repeated('NOT ', 50_000)}true`],
    ['sums', `SELECT 1${repeated('+1', 50_000)}`],
    ['unions', `SELECT 1${repeated(' UNION SELECT 1', 20_000)}`],
    ['sub-queries', `${repeated('SELECT * FROM (', 5_000)}SELECT 1${repeated(') x', 5_000)}`],
    ['CASE', `SELECT ${repeated('CASE WHEN true THEN ', 5_000)}1${repeated(' END', 5_000)}`],
    [
      'joins',
      `SELECT 1 FROM orders o0${Array.from({ length: 5_000 }, (_, i) => ` CROSS JOIN orders o${i + 1}`).join('')}`,
    ],
    ['text', `SELECT '${repeated('x', 3_000_000)}'`],
    ['zero bytes', "SELECT '\u0000'"],
    ['half a character', "SELECT '\ud800'"],
    ['divisions inside each other', `SELECT ${repeated('1/(', 60)}id${repeated(')', 60)} FROM orders`],
  ])('%s', async ([, query]) => {
    const started = performance.now()
    const { status, error } = await askSql(data, query)
    expect([status, String(error).length < 5_000]).toEqual([400, true])
    expect(performance.now() - started).toBeLessThan(10_000)
    await alive()
  })

  test('a list of values may be long', async () => {
    const list = Array.from({ length: 19_900 }, (_, index) => index + 5).join(', ')
    expect((await askSql(data, `SELECT MEASURE(count) FROM orders WHERE id IN (${list})`)).rows).toEqual([['2']])
  })
})
