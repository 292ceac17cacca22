import { readFile } from 'node:fs/promises'
import { Client, Pool } from 'pg'
import Cursor from 'pg-cursor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, setVariables } from '../data-api/project.ts'
import { signHmac } from '../data-api/tokens.ts'
import { createKey, eventually } from '../support/api.ts'
import { policies } from './policies.ts'
import { fixture, type SqlPlatform, startSqlPlatform } from './sql-platform.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'
const red = signHmac({ cubeCloud: { groups: ['red'] } }, secret)
const blue = signHmac({ cubeCloud: { groups: ['blue'] } }, secret)

/** How long a data source waits for a reader. */
const stallSeconds = 5

let sql: SqlPlatform
beforeAll(async () => {
  sql = await startSqlPlatform(
    policies,
    {
      CUBEJS_API_SECRET: secret,
      CUBEJS_SQL_USER: 'analyst',
      CUBEJS_SQL_PASSWORD: 'p4ss wörd',
      CUBEJS_SQL_SUPER_USER: 'analyst',
      CUBESQL_AUTH_EXPIRE_SECS: '1',
    },
    {
      HEDRON_SQL_TLS_CERT: fixture('cert.pem'),
      HEDRON_SQL_TLS_KEY: fixture('key.pem'),
      HEDRON_STREAM_STALL_SECONDS: String(stallSeconds),
    },
  )
})
afterAll(() => sql.platform.dispose())

/** Rows of one statement as a token's bearer. */
async function ask(text: string, values: unknown[] = [], more = {}) {
  const client = await sql.connect(more)
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    error => error.code,
  )

describe('who connects', () => {
  test('the SQL user proves his password by SCRAM, without sending it', async () => {
    expect(await ask('SELECT current_user', [], { user: 'analyst', password: 'p4ss wörd' })).toEqual([
      { current_user: 'analyst' },
    ])
    expect(await codeOf(ask('SELECT 1', [], { user: 'analyst', password: 'wrong' }))).toBe('28P01')
    expect(await codeOf(ask('SELECT 1', [], { user: 'analyst', password: sql.platform.apiKey }))).toBe('28P01')
  })

  test('an API key and a data-API token are passwords of any other user; nothing tells a wrong one from an unknown database', async () => {
    expect(await ask('SELECT current_database() AS name', [], { user: 'anyone' })).toHaveLength(1)
    expect(
      await ask('SELECT count FROM (SELECT MEASURE(count) AS count FROM orders) AS o', [], { password: red }),
    ).toEqual([{ count: '2' }])
    const messages = await Promise.all(
      [
        { password: 'sk-0123456789012345678901234567890123456789' },
        { database: '999999' },
        { password: 'no.token.really' },
      ].map(more => ask('SELECT 1', [], more).catch(error => error.message)),
    )
    expect(new Set(messages)).toEqual(new Set(['password authentication failed for user "cube"']))
  })

  test("whom a project's checkAuth lets in, its token the password, sees what the context allows", async () => {
    const script = `module.exports = { checkAuth: (req, auth) => {
      if (!auth.startsWith('opaque-')) throw new Error('no')
      return { securityContext: { cubeCloud: { groups: [auth.slice(7)] } } }
    } }`
    const own = await createProject(sql.api, { ...policies, 'cube.js': script })
    const count = 'SELECT MEASURE(count) AS count FROM orders'
    const database = String(own)
    expect(await ask(count, [], { database, password: 'opaque-red' })).toEqual([{ count: '2' }])
    expect(await codeOf(ask(count, [], { database, password: 'other-red' }))).toBe('28P01')
  })

  test('a database is a deployment by id or name, with a branch behind a slash or as an option', async () => {
    const { body } = await sql.api.get(`/api/v1/deployments/${sql.deploymentId}`)
    const name = String(body.name)
    const count = 'SELECT MEASURE(count) AS count FROM numbers'
    for (const more of [{ database: name }, { database: `${name}/main` }, { options: '-c branch=main' }]) {
      expect(await ask(count, [], more)).toEqual([{ count: '100000' }])
    }
    expect(await codeOf(ask(count, [], { database: `${sql.deploymentId}/nothing` }))).toBe('3D000')
  })

  test('a connection can be encrypted', async () => {
    const ca = await readFile(fixture('cert.pem'))
    const rows = await ask('SELECT 1 AS one', [], { ssl: { ca, servername: 'localhost' } })
    expect(rows).toEqual([{ one: 1 }])
  })

  test('a key that was revoked ends its sessions when they must show it again', async () => {
    const key = await createKey(sql.api)
    const client = await sql.connect({ password: key })
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    const { body } = await sql.api.get('/api/v1/api-keys')
    const list = JSON.parse(JSON.stringify(body)).items ?? []
    for (const { id, name } of list) if (String(name).startsWith('key-')) await sql.api.delete(`/api/v1/api-keys/${id}`)
    const code = await eventually(
      () => codeOf(client.query('SELECT 1 AS one')),
      found => found !== null,
    )
    expect(code).toBe('28P01')
  })
})

describe('rights hold over the wire', () => {
  test('two tenants see their own rows, masks and members, in statements and in the catalogs', async () => {
    const text = 'SELECT tenant, cost FROM orders ORDER BY id'
    expect(await ask(text, [], { password: red })).toEqual([
      { tenant: 'red', cost: '-1' },
      { tenant: 'red', cost: '-1' },
    ])
    expect(await ask(text, [], { password: blue })).toEqual([{ tenant: 'blue', cost: '9' }])
    const columns = `SELECT column_name FROM information_schema.columns WHERE table_name = 'orders' AND column_name IN ('margin', 'revenue') ORDER BY 1`
    expect(await ask(columns, [], { password: red })).toEqual([{ column_name: 'revenue' }])
    expect(await ask(columns, [], { password: blue })).toEqual([{ column_name: 'margin' }, { column_name: 'revenue' }])
    expect(await ask(`SELECT relname FROM pg_class WHERE relname = 'secrets'`, [], { password: red })).toEqual([])
    expect(await codeOf(ask('SELECT MEASURE(margin) FROM orders', [], { password: red }))).not.toBeNull()
    expect(await codeOf(ask('SELECT MEASURE(number) FROM secrets', [], { password: red }))).not.toBeNull()
  })

  test('only the super user speaks for others', async () => {
    const client = await sql.connect({ user: 'analyst', password: 'p4ss wörd' })
    await client.query(`SET USER 'ann'`)
    expect((await client.query('SELECT current_user AS name, MEASURE(count) FROM numbers')).rows).toEqual([
      { name: 'ann', measure: '100000' },
    ])
    await client.end()
    expect(await codeOf(ask(`SET USER 'ann'`, [], { password: red }))).toBe('42501')
  })

  test('__user speaks for another in one statement, with what is known of him and no more', async () => {
    const analyst = { user: 'analyst', password: 'p4ss wörd' }
    const text = (name: string) =>
      `SELECT owner, MEASURE(points) AS points FROM mine WHERE __user = '${name}' GROUP BY 1`
    expect(await ask(text('ann'), [], analyst)).toEqual([{ owner: 'ann', points: '1' }])
    expect(await ask(text('bob'), [], analyst)).toEqual([{ owner: 'bob', points: '6' }])
    expect(await ask(text(`bob'' OR ''1'' = ''1`), [], analyst)).toEqual([])
    expect(await ask(`SELECT owner FROM mine WHERE __user = 'ann' AND owner = 'bob'`, [], analyst)).toEqual([])
    // A name is not a group: of him nothing else is known.
    expect(await ask(`SELECT id FROM orders WHERE __user = 'red'`, [], analyst).catch(() => [])).toEqual([])
    const client = await sql.connect(analyst)
    expect((await client.query(text('ann'))).rows).toHaveLength(1)
    expect((await client.query('SELECT current_user AS name')).rows).toEqual([{ name: 'analyst' }])
    await client.end()
  })

  test('__user raises nobody: neither a token, nor whose name a super user bears', async () => {
    for (const more of [{ password: red }, { password: red, user: 'analyst2' }, {}]) {
      expect(await codeOf(ask(`SELECT owner FROM mine WHERE __user = 'bob'`, [], more))).toBe('42501')
      expect(await codeOf(ask('SELECT owner FROM mine WHERE __user = $1', ['bob'], more))).not.toBeNull()
      expect(
        await codeOf(ask(`SELECT * FROM (SELECT owner FROM mine WHERE __user = 'bob') m`, [], more)),
      ).not.toBeNull()
      expect(await codeOf(ask(`SELECT owner FROM mine WHERE __user = 'bob' OR true`, [], more))).not.toBeNull()
    }
    expect(await codeOf(ask(`SELECT 1`, [], { user: 'analyst', password: red }))).toBe('28P01')
  })
})

describe('the npm client pg', () => {
  let client: Client
  beforeAll(async () => {
    client = await sql.connect()
  })
  afterAll(() => client.end())

  test('values have the types of their columns, as text and in binary form', async () => {
    const text = `SELECT n, MEASURE(count), n = 3 AS three FROM numbers WHERE n IN ($1, $2) GROUP BY 1, 3 ORDER BY 1`
    expect((await client.query(text, [3, 99_999])).rows).toEqual([
      { n: '3', measure: '1', three: true },
      { n: '99999', measure: '1', three: false },
    ])
    const binary = await sql.connect({ password: blue })
    const { rows } = await binary.query(
      `SELECT id, created_at, is_large, tenant, MEASURE(count) FROM orders GROUP BY 1, 2, 3, 4`,
    )
    expect(rows).toEqual([{ id: '3', created_at: expect.any(Date), is_large: true, tenant: 'blue', measure: '1' }])
    await binary.end()
  })

  test('a named statement is prepared once and run with other values', async () => {
    const ask = (n: number) => client.query({ name: 'one', text: 'SELECT n FROM numbers WHERE n = $1', values: [n] })
    expect((await ask(5)).rows).toEqual([{ n: '5' }])
    expect((await ask(6)).rows).toEqual([{ n: '6' }])
  })

  test('an error has a code and a place, and the session goes on', async () => {
    await expect(client.query('SELECT nope FROM numbers')).rejects.toMatchObject({ code: '42703', position: '8' })
    await expect(client.query('SELEC 1')).rejects.toMatchObject({ code: '42601', position: '1' })
    await expect(client.query('SELECT * FROM nothing')).rejects.toMatchObject({ code: '42P01' })
    for (const text of [
      'DELETE FROM orders',
      'DROP TABLE orders',
      'COPY orders TO STDOUT',
      `SELECT * FROM 'x.parquet'`,
      'SELECT * FROM pg_catalog.pg_authid',
      `SELECT pg_read_file('/etc/passwd')`,
      'SELECT 1; DROP TABLE orders',
    ]) {
      await expect(client.query(text), text).rejects.toThrow()
    }
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('a failed transaction answers nothing until it ends', async () => {
    await client.query('BEGIN')
    await expect(client.query('SELECT nope')).rejects.toMatchObject({ code: '42703' })
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' })
    expect((await client.query('COMMIT')).command).toBe('ROLLBACK')
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('a cursor is read in portions and can be left', async () => {
    const cursor = client.query(new Cursor('SELECT n FROM numbers ORDER BY n'))
    expect((await cursor.read(3)).map(row => row.n)).toEqual(['0', '1', '2'])
    expect((await cursor.read(2)).map(row => row.n)).toEqual(['3', '4'])
    await cursor.close()
    expect((await client.query('SELECT n FROM numbers ORDER BY n DESC LIMIT 1')).rows).toEqual([{ n: '99999' }])
  })

  test('a cursor whose statement fails is told so at once, before it sends a Sync', async () => {
    const cursor = client.query(new Cursor('SELECT nope FROM numbers'))
    await expect(cursor.read(3)).rejects.toMatchObject({ code: '42703' })
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('portals and cursors can be left for longer than a data source waits for a reader', {
    timeout: 120_000,
  }, async () => {
    const other = await sql.connect()
    const cursor = client.query(new Cursor('SELECT n FROM numbers ORDER BY n'))
    expect(await cursor.read(3)).toHaveLength(3)
    await other.query('BEGIN')
    await other.query('DECLARE c CURSOR FOR SELECT n FROM numbers ORDER BY n DESC')
    await new Promise(resolve => setTimeout(resolve, (stallSeconds + 1.5) * 1_000))
    expect((await cursor.read(100_000)).map(row => row.n).at(-1)).toBe('99999')
    await cursor.close()
    expect((await other.query('FETCH ALL FROM c')).rows).toHaveLength(100_000)
    await other.end()
  })

  test('all rows come, whatever the limit of other interfaces', async () => {
    expect((await client.query('SELECT n FROM numbers')).rows).toHaveLength(100_000)
  })

  test('a running statement is cancelled from another connection, and its session goes on', async () => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    expect(rows[0].pid).toBeGreaterThan(0)
    const running = codeOf(client.query('SELECT MEASURE(total) FROM endless'))
    await new Promise(resolve => setTimeout(resolve, 500))
    const canceller = new Client(sql.config())
    Reflect.get(canceller, 'cancel').call(
      canceller,
      client,
      Reflect.get(client, 'activeQuery') ?? Reflect.get(client, '_activeQuery'),
    )
    expect(await running).toBe('57014')
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('statement_timeout ends what takes longer', async () => {
    await client.query('SET statement_timeout = 300')
    expect(await codeOf(client.query('SELECT MEASURE(total) FROM endless'))).toBe('57014')
    await client.query('RESET statement_timeout')
  })

  test('a hundred connections are served at once', async () => {
    const pool = new Pool({ ...sql.config(), max: 100 })
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) => pool.query('SELECT n FROM numbers WHERE n = $1', [n])),
    )
    expect(answers.map(({ rows }) => rows[0].n)).toEqual(Array.from({ length: 300 }, (_, n) => String(n)))
    await pool.end()
  })

  test('a deployment limits its sessions', async () => {
    await setVariables(sql.api, sql.deploymentId, { CUBEJS_MAX_SESSIONS: '2' })
    const clients = await Promise.allSettled([1, 2, 3].map(() => sql.connect()))
    expect(
      clients
        .filter(({ status }) => status === 'rejected')
        .map(each => Reflect.get(Reflect.get(each, 'reason'), 'code')),
    ).toContain('53300')
    await Promise.all(clients.map(each => (each.status === 'fulfilled' ? each.value.end() : undefined)))
    await setVariables(sql.api, sql.deploymentId, { CUBEJS_MAX_SESSIONS: '1024' })
    await eventually(
      () => codeOf(ask('SELECT 1')),
      code => code === null,
    )
  })
})
