import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { askSql } from './sql-client.ts'

const model = `cubes:
  - name: words
    sql: SELECT range AS id, 'x' || range AS word FROM range(5000)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: word, sql: word, type: string }
    measures: [{ name: count, type: count }]
`

describe('texts that a statement makes of many rows', () => {
  let data: DataClient
  beforeAll(async () => {
    const api = sharedApi()
    data = await createDataClient(api, await createProject(api, { 'model/words.yml': model }))
  })

  test.for([
    'SELECT max(length(repeat(word, 500000))) FROM words',
    "SELECT max(length(lpad(word, 500000, 'y'))) FROM words",
    "SELECT max(length(rpad(word, 500000, 'y'))) FROM words",
    "SELECT repeat('x', 2000000000) FROM words",
    'SELECT max(length(made)) FROM (SELECT repeat(word, 500000) AS made, row_number() OVER (ORDER BY id) FROM words) AS inside',
  ])('are bounded, whatever memory the engine would take for them: %s', async statement => {
    const { error } = await askSql(data, statement)
    expect(error).toContain('a text of more than 10000 characters is not made')
  })

  test('are made where they are not that long', async () => {
    const statement =
      "SELECT repeat('ab', 3), lpad('a', 3, 'xy'), rpad('a', 3, 'xy'), length(repeat('x', 10000)) FROM words LIMIT 1"
    expect((await askSql(data, statement)).rows).toEqual([['ababab', 'xya', 'axy', '10000']])
  })
})
