import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient } from './data-client.ts'
import { createProject, type ProjectFiles, setVariables } from './project.ts'

const secret = 'the-secret-of-the-other'

const cube = (sql: string): ProjectFiles => ({
  'model/files.yml': `cubes:\n  - name: files\n    sql: ${JSON.stringify(sql)}\n    measures:\n      - name: content\n        sql: "string_agg({CUBE}::VARCHAR, '|')"\n        type: number\n`,
})
const query = { measures: ['files.content'] }

let platform: RunningPlatform
let api: Api
let own = ''
let other = ''
beforeAll(async () => {
  platform = await startPlatform()
  api = createApi(platform.baseUrl, platform.apiKey)
  own = await folderOf(await createProject(api, cube("FROM 'a.csv'")))
  other = await folderOf(await createProject(api, cube("FROM 'a.csv'")))
  await writeFile(join(other, 'a.csv'), `word\n${secret}\n`)
  await writeFile(join(own, 'a.csv'), 'word\nown\n')
})
afterAll(() => platform?.dispose())

async function folderOf(deploymentId: number): Promise<string> {
  const folder = join(platform.dataDirectory, 'deployments', String(deploymentId), 'data')
  await mkdir(folder, { recursive: true })
  return folder
}

const idOf = (folder: string) => Number(folder.split('/').at(-2))

/** Asks a deployment whose model says this. */
async function askModel(sql: string, prepare: (folder: string) => Promise<void> = async () => {}) {
  const id = await createProject(api, cube(sql))
  const folder = await folderOf(id)
  await writeFile(join(folder, 'a.csv'), 'word\nown\n')
  await prepare(folder)
  const data = await createDataClient(api, id)
  return { ...(await data.load(query)), data }
}

describe('the data folder of a deployment', () => {
  test('is what its model reads, the same words in another deployment another', async () => {
    const content = async (folder: string) =>
      (await (await createDataClient(api, idOf(folder))).rows(query))[0]?.['files.content']
    expect(await content(own)).toContain('own')
    expect(await content(other)).toContain(secret)
    expect(await content(own)).not.toContain(secret)
  })

  const attempts: Record<string, () => string> = {
    'by its path': () => `FROM read_csv('${other}/a.csv')`,
    'by its path, as a table': () => `FROM '${other}/a.csv'`,
    'by climbing': () => `FROM read_csv('../../${idOf(other)}/data/a.csv')`,
    'by climbing, as a table': () => `FROM '../../${idOf(other)}/data/a.csv'`,
    'by climbing out of an own path': () => `FROM read_csv('${own}/../../${idOf(other)}/data/a.csv')`,
    'by a pattern': () => `FROM read_csv('../../*/data/*.csv')`,
    'by a pattern from the root': () => `FROM read_text('${platform.dataDirectory}/deployments/**')`,
    'beside an own file': () => `FROM read_csv(['a.csv', '${other}/a.csv'])`,
    'by a name that is put together': () => `FROM read_csv('${other}' || '/a.csv')`,
    'as bytes': () => `FROM read_blob('${other}/a.csv')`,
    'by a list of files': () => `FROM glob('${other}/*')`,
    'in a subquery': () => `SELECT (SELECT string_agg(content, '') FROM read_text('${other}/a.csv')) AS content`,
    'in a lateral join': () => `SELECT * FROM (SELECT '${other}/a.csv' AS path) AS p, LATERAL (FROM read_text(p.path))`,
    'by a file address': () => `FROM read_csv('file://${other}/a.csv')`,
    'by a query in a text': () => `FROM query('FROM read_csv(''${other}/a.csv'')')`,
    'by a table named in a text': () => `FROM query_table('${other}/a.csv')`,
  }
  test.for(Object.keys(attempts))('is closed to others %s', async attempt => {
    const { status, body } = await askModel(attempts[attempt]?.() ?? '')
    expect([status, body.error]).toEqual([400, expect.stringMatching(/\S/)])
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('is closed to others through a link that lies in an own folder', async () => {
    const { status, body } = await askModel("FROM read_csv('link.csv')", folder =>
      symlink(join(other, 'a.csv'), join(folder, 'link.csv')),
    )
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain(secret)
    const folderLink = await askModel("FROM read_csv('link/a.csv')", folder => symlink(other, join(folder, 'link')))
    expect(folderLink.status).toBe(400)
    expect(JSON.stringify(folderLink.body)).not.toContain(secret)
  })
})

describe('a model', () => {
  test.for([
    "FROM read_text('/etc/passwd')",
    "FROM '/etc/hostname.csv'",
    "FROM read_text('../../../secret.key')",
    "FROM read_csv('../../../postgres/*')",
    "FROM read_text('/proc/self/environ')",
    "FROM read_csv('https://example.com/a.csv')",
    "FROM read_parquet('s3://bucket/a.parquet')",
    'FROM duckdb_settings()',
    'FROM duckdb_secrets()',
    "FROM sqlite_scan('a.db', 't')",
    "FROM postgres_scan('host=localhost', 'public', 'users')",
    "SELECT getenv('HEDRON_BOOTSTRAP_API_KEY') AS key",
    'SELECT 1 AS a; SELECT 2 AS b',
    "SELECT 1 AS a) AS x; COPY (SELECT 1) TO 'out.csv'; --",
    "ATTACH 'other.duckdb' AS other",
    "COPY (SELECT 1) TO 'out.csv'",
    'INSTALL httpfs',
    'SET GLOBAL enable_external_access = true',
    'CREATE TABLE t AS SELECT 1',
    'FROM enable_logging()',
    'PRAGMA database_list',
    'CALL pragma_version()',
    "EXPORT DATABASE 'here'",
  ])('that says %s gets an error and no data', async sql => {
    const { status, body, data } = await askModel(sql)
    expect([status, body.error]).toEqual([400, expect.stringMatching(/\S/)])
    const text = JSON.stringify(body)
    expect(text).not.toMatch(/root:|PATH=|[0-9a-f]{64}/)
    expect(text).not.toContain(platform.apiKey)
    expect(text, 'nor where the server keeps its files').not.toContain(platform.dataDirectory)
    expect((await fetch(data.url().replace('/cubejs-api/v1', '/readyz'))).status).toBe(200)
  })
})

describe('the variables of a deployment', () => {
  test.for([
    ['CUBEJS_DB_DUCKDB_DATABASE_PATH', '../2/data/x.duckdb'],
    ['CUBEJS_DB_DUCKDB_DATABASE_PATH', '/etc/passwd'],
    ['CUBEJS_DB_DUCKDB_DATABASE_PATH', 'md:cloud'],
    ['CUBEJS_DB_DUCKDB_MEMORY_LIMIT', 'much'],
    ['CUBEJS_CONCURRENCY', 'many'],
    ['CUBEJS_DB_QUERY_TIMEOUT', 'soon'],
    ['CUBEJS_DATASOURCES', 'one,two'],
  ] as const)('%s=%s is refused where it is set, and nothing is changed', async ([name, value]) => {
    const id = await createProject(api, cube('SELECT 1 AS one'))
    await expect(setVariables(api, id, { [name]: value })).rejects.toThrow(name)
    const data = await createDataClient(api, id)
    expect((await data.load(query)).status).toBe(200)
  })

  test.for([
    ['CUBEJS_DB_DUCKDB_DATABASE_PATH', 'not-there.duckdb'],
    ['CUBEJS_DB_TYPE', 'abacus'],
  ] as const)('%s=%s is an error that names it, until it is put right', async ([name, value]) => {
    const id = await createProject(api, cube('SELECT 1 AS one'))
    const data = await createDataClient(api, id)
    await setVariables(api, id, { [name]: value })
    const { status, body } = await data.load(query)
    expect([status, body.error]).toEqual([400, expect.stringContaining(name)])
    const ready = await fetch(`${api.baseUrl}/data/${id}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([500, { health: 'DOWN' }])
    expect((await fetch(`${api.baseUrl}/data/${id}/livez`)).status).toBe(200)
    expect((await data.get('meta', {})).status, 'the model can be looked at').toBe(200)
    await setVariables(api, id, { [name]: '' })
    expect((await data.load(query)).status).toBe(200)
  })
})
