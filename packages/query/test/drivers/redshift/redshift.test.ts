import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createRedshiftDriver } from '../../../src/drivers/redshift/redshift.ts'
import { createPostgres, sourceOf } from '../../support/postgres.ts'
import { runWhole } from '../../support/run-whole.ts'

/** Redshift cannot be had here. What the driver says is said to PostgreSQL, of which Redshift's protocol is a part. */
let postgres: Awaited<ReturnType<typeof createPostgres>>
beforeAll(async () => {
  postgres = await createPostgres()
  await postgres.administer('CREATE TABLE cities (name text)')
})
afterAll(() => postgres.close())

async function open() {
  const opened = await createRedshiftDriver().open(sourceOf({ ...postgres.variables, CUBEJS_DB_TYPE: 'redshift' }))
  onTestFinished(() => opened.close())
  return opened
}

test('it reads in UTC, with parameters, and cannot write', async () => {
  const opened = await open()
  const sql = "SELECT current_setting('timezone'), CAST($1 AS bigint), timestamptz '2024-07-01 12:00:00+02'"
  const { rows } = await runWhole(opened, { sql, parameters: ['9007199254740993'] })
  expect(rows).toEqual([['UTC', '9007199254740993', '2024-07-01T10:00:00.000']])
  await expect(runWhole(opened, { sql: 'DELETE FROM cities RETURNING 1' })).rejects.toMatchObject({
    code: 'statement_refused',
  })
})

test('more values than Redshift numbers are refused', async () => {
  const parameters = Array.from({ length: 32_768 }, () => 'x')
  await expect(runWhole(await open(), { sql: 'SELECT 1', parameters })).rejects.toThrow(
    'The query has 32768 values and Redshift takes 32767.',
  )
})
