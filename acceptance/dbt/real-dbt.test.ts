import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, buildOf, createApi, createDeployment, eventually, load } from '../support/api.ts'
import { type FileRepository, serveRepository } from '../support/git-files.ts'
import { type RunningPlatform, startPlatform, temporaryDirectory } from '../support/start-platform.ts'
import { brokenProject, salesProject, starProject } from './projects.ts'

/** scripts/test-dbt.ts installs one in CI. */
const dbt = process.env.HEDRON_TEST_DBT ?? ''

let platform: RunningPlatform
let api: Api
let folder: string
const repositories: FileRepository[] = []

beforeAll(async () => {
  if (dbt === '') return
  folder = await temporaryDirectory()
  platform = await startPlatform({ environment: { HEDRON_DBT_PROGRAM: dbt } })
  api = createApi(platform.baseUrl, platform.apiKey)
})
afterAll(async () => {
  for (const repository of repositories) repository.close()
  await platform?.dispose()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

/** A deployment that syncs a project, with the tables that dbt would have made. */
async function createProject(
  name: string,
  files: Readonly<Record<string, string>>,
  statements: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const place = join(folder, name)
  await mkdir(place)
  const repository = await serveRepository(place, files)
  repositories.push(repository)
  const id = await createDeployment(api)
  const database = await DuckDBInstance.create(
    join(platform.dataDirectory, 'deployments', String(id), 'data', 'w.duckdb'),
  )
  const connection = await database.connect()
  await connection.run(statements)
  connection.closeSync()
  database.closeSync()
  const all = {
    CUBEJS_DB_TYPE: 'duckdb',
    CUBEJS_DB_DUCKDB_DATABASE_PATH: 'w.duckdb',
    HEDRON_DBT_REPOSITORY: repository.url,
    ...variables,
  }
  const { status } = await api.put(`/api/v1/deployments/${id}/env-vars`, {
    env_variables: Object.entries(all).map(([key, value]) => ({ name: key, value })),
  })
  expect(status).toBe(200)
  return id
}

async function sync(id: number) {
  const { body } = await api.post(`/api/v1/deployments/${id}/dbt-sync`, {})
  const place = `/api/v1/deployments/${id}/dbt-sync/${body.syncJobId}`
  const ended = await eventually(
    async () => (await api.get(place)).body,
    ({ status }) => ['COMPLETED', 'FAILED'].includes(String(status)),
    110_000,
  )
  return { branch: String(body.branchName), ended, place }
}

describe.skipIf(dbt === '')('dbt itself, run by the server over real projects', () => {
  test('tests and constraints become keys and joins; the cubes compile and answer', async () => {
    const id = await createProject(
      'sales',
      salesProject,
      `create schema main_marts;
       create table main_marts.customers as select * from (values (1, 'Ada'), (2, 'Grace')) t(customer_id, name);
       create table main_marts.orders as
         select * from (values (1, 1, 10.5, date '2026-04-01'), (2, 1, 5, date '2026-04-02'), (3, 2, 20, date '2026-05-01'))
           t(order_id, customer_id, amount, ordered_at);
       create table main_marts.order_items as
         select * from (values (1, 1, 4.0), (1, 2, 6.5), (2, 1, 5.0), (3, 1, 20.0)) t(order_id, line, price);`,
      { DBT_TARGET_SCHEMA: 'main' },
    )
    const { branch, ended, place } = await sync(id)
    expect(ended).toMatchObject({ status: 'COMPLETED', error: null })
    const log = JSON.stringify((await api.get(`${place}/logs`)).body)
    for (const phase of ['repo-clone', 'dbt-deps', 'dbt-parse', 'convert']) expect(log).toContain(`"phase":"${phase}"`)
    expect((await buildOf(api, id, branch)).body).toMatchObject({ status: 'built' })
    const answer = await load(
      api,
      id,
      {
        measures: ['dbt_orders.count', 'dbt_orders.total_amount', 'dbt_order_items.count'],
        dimensions: ['dbt_customers.name'],
        order: { 'dbt_customers.name': 'asc' },
      },
      { branch },
    )
    // Each order once, however many items it has.
    expect(answer.body.data).toEqual([
      {
        'dbt_customers.name': 'Ada',
        'dbt_orders.count': '2',
        'dbt_orders.total_amount': '15.5',
        'dbt_order_items.count': '3',
      },
      {
        'dbt_customers.name': 'Grace',
        'dbt_orders.count': '1',
        'dbt_orders.total_amount': '20.0',
        'dbt_order_items.count': '1',
      },
    ])
  })

  test('a project of versions, aliases, seeds and a local package: what are no models is left alone', async () => {
    const id = await createProject('star', starProject, 'select 1', {
      HEDRON_DBT_FOLDER: 'warehouse',
    })
    const { branch, ended, place } = await sync(id)
    expect(ended).toMatchObject({ status: 'COMPLETED', error: null })
    const { generatedFiles, manifestStats } = (await api.get(`${place}/result`)).body
    expect(generatedFiles).toEqual([
      { path: 'model/cubes/dbt/dbt_dim_dates.yml' },
      { path: 'model/cubes/dbt/dbt_fct_sales_v1.yml' },
      { path: 'model/cubes/dbt/dbt_fct_sales_v2.yml' },
    ])
    expect(manifestStats).toMatchObject({ models: 4 })
    expect((await buildOf(api, id, branch)).body).toMatchObject({ status: 'built' })
  })

  test('what dbt says of a project that is wrong is the reason', async () => {
    const id = await createProject('broken', brokenProject, 'select 1')
    const { ended } = await sync(id)
    expect(ended).toMatchObject({ status: 'FAILED', error: expect.stringContaining('dbt parse failed') })
    expect(String(ended.error)).toContain('no_such_model')
  })
})
