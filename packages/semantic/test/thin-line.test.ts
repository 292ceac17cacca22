import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeRows } from '../src/index.ts'
import { type Database, openDatabase } from './support/database.ts'
import { compileFor, modelOf } from './support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    "create table orders as select * from (values (1, 'new'), (2, 'new'), (3, 'done')) t(id, status)",
  )
})
afterAll(() => database.close())

const model = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    measures:
      - name: count
        type: count
    dimensions:
      - name: status
        sql: status
        type: string
`)

test('a question becomes SQL, and its rows an answer', async () => {
  const compiled = compileFor(model, { measures: ['orders.count'], dimensions: ['orders.status'] })
  const rows = await database.query(compiled)
  expect(JSON.parse(writeRows(compiled.columns, rows, 'default'))).toEqual([
    { 'orders.status': 'new', 'orders.count': '2' },
    { 'orders.status': 'done', 'orders.count': '1' },
  ])
})
