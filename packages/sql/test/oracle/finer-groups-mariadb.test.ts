import { existsSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MariaDb, startMariaDb } from '../../../semantic/test/support/mariadb.ts'
import { modelOf, planText, statementOf } from '../support/plan-text.ts'
import { bag } from './rows.ts'

const rows = {
  orders: `(1, 'a', 10, '2024-01-05 00:00:00', 1), (2, 'A', 20, '2024-02-05 23:59:59.5', 1), (3, 'b', NULL, '2024-02-09 23:30:00.25', 2),
    (4, NULL, 5, '2025-01-01 04:59:59.5', 3), (5, 'B', 7, '2024-03-31 01:30:00', NULL), (6, 'a', 3, '2024-10-27 00:30:00', 2),
    (7, 'A', 4, '2024-10-27 01:30:00', 2), (8, 'c', 2, NULL, 4)`,
  buyers: `(1, 'x'), (2, 'Y'), (3, 'y'), (5, 'z')`,
}

const model = modelOf({
  'model/shop.yml': `cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: buyers, sql: "{CUBE}.buyer_id = {buyers}.id", relationship: many_to_one }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: kind, sql: kind, type: string }
      - { name: d, sql: d, type: time }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: least, sql: amount, type: min }
      - { name: most, sql: amount, type: max }
  - name: buyers
    sql_table: buyers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
    measures: [{ name: buyers, type: count }]
`,
  'model/view.yml': `views:
  - name: sales
    cubes:
      - { join_path: orders, includes: [kind, d, count, total, least, most] }
      - { join_path: orders.buyers, includes: [city] }
`,
})

/** Types in which the embedded engine holds what the source gave. */
const types: Readonly<Record<string, string>> = {
  text: 'VARCHAR',
  numeric: 'DECIMAL(38,6)',
  int8: 'BIGINT',
  timestamp: 'TIMESTAMP',
}

describe.skipIf(!existsSync('/usr/sbin/mariadbd'))('on MariaDB itself', () => {
  let mariaDb: MariaDb | null
  let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>
  beforeAll(async () => {
    duckdb = await (await DuckDBInstance.create(':memory:')).connect()
    mariaDb = await startMariaDb()
    const tables = (text: string, time: string) => [
      `CREATE TABLE orders (id integer, kind ${text}, amount decimal(10, 2), d ${time}, buyer_id integer)`,
      `CREATE TABLE buyers (id integer, city ${text})`,
      `INSERT INTO orders VALUES ${rows.orders}`,
      `INSERT INTO buyers VALUES ${rows.buyers}`,
    ]
    for (const sql of tables('varchar(20)', 'datetime(6)')) mariaDb?.run(sql)
    for (const sql of tables('varchar', 'timestamp')) await duckdb.run(sql)
  })
  afterAll(async () => {
    duckdb.closeSync()
    await mariaDb?.stop()
  })

  /** All of it as one statement of DuckDB. */
  async function direct(text: string, timezone: string) {
    const { sql, parameters, positions } = statementOf(await planText(text, { model, timezone }))
    const found = (await duckdb.runAndReadAll(sql, [...parameters])).getRows()
    return bag(found.map(row => positions.map(position => row[position])))
  }

  /** The part asked of MariaDB, and the rest over what it gave. */
  async function throughMariaDb(text: string, timezone: string) {
    const { kind, parts, statement } = await planText(text, { model, timezone, dialect: 'mysql' })
    const [part] = parts
    if (!mariaDb || !part || !statement) throw new Error(`a plan of kind ${kind} without its part`)
    const columns = part.columns.map(({ name, type }) => `"${name}" ${types[type]}`).join(', ')
    await duckdb.run(`CREATE OR REPLACE TABLE "${part.name}" (${columns})`)
    for (const row of mariaDb.query(part.compiled)) {
      const cells = row.map(cell => (cell === 'NULL' ? null : cell))
      await duckdb.run(
        `INSERT INTO "${part.name}" VALUES (${cells.map((_, place) => `$${place + 1}`).join(', ')})`,
        cells,
      )
    }
    return bag((await duckdb.runAndReadAll(statement.sql, [...statement.parameters])).getRows())
  }

  const statements = [
    'SELECT upper(kind), MEASURE(count), MEASURE(total), MEASURE(least), MEASURE(most) FROM orders GROUP BY 1',
    'SELECT extract(hour FROM d), MEASURE(count) FROM orders GROUP BY 1',
    `SELECT date_trunc('month', d), upper(kind), MEASURE(total), MIN(d) FROM orders GROUP BY 1, 2`,
    'SELECT d, upper(kind), MEASURE(count) FROM orders GROUP BY 1, 2',
    `SELECT to_char(d, 'YYYY-MM-DD HH24:MI:SS.MS'), MEASURE(count) FROM orders GROUP BY 1`,
    `SELECT MEASURE(count), MEASURE(total) FROM orders WHERE extract(day FROM d) = 27 AND upper(kind) = 'A'`,
    `SELECT upper(kind), COUNT(*) FROM orders WHERE d >= '2024-02-09' AND d < '2024-10-27 02:00:00' GROUP BY 1`,
    `SELECT upper(city), length(kind), MEASURE(count), MEASURE(most) FROM sales GROUP BY 1, 2`,
    `SELECT upper(b.city), o.kind, MEASURE(o.total) FROM orders o CROSS JOIN buyers b GROUP BY 1, 2`,
  ]
  test.each(['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu'])(
    'finer groups give in %s what one statement of DuckDB gives',
    async timezone => {
      for (const text of statements) {
        const wanted = await direct(text, timezone)
        expect({ text, rows: await throughMariaDb(text, timezone) }).toEqual({ text, rows: wanted })
      }
    },
  )
})
