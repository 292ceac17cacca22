import { inspect } from 'node:util'
import { CamelCasePlugin, type Generated, sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { createTestDatabase, type TestDatabase, type TestServer } from '../src/testing.ts'
import { servers } from './support/servers.ts'

interface Schema {
  counters: { id: Generated<number>; value: number }
}

describe.each(servers)('database on $name', ({ start }) => {
  let server: TestServer
  let database: TestDatabase<Schema>

  beforeAll(async () => {
    server = await start()
    database = await createTestDatabase<Schema>({ serverUrl: server.url })
    await sql`create table counters (id bigint generated always as identity primary key, value bigint not null)`.execute(
      database.kysely,
    )
  })
  afterAll(async () => {
    await database?.close()
    await server?.stop()
  })

  const select = async (expression: string) =>
    (await sql.raw<{ value: unknown }>(`select ${expression} as value`).execute(database.kysely)).rows[0]?.value

  test.each([
    ['9007199254740991::int8', 9007199254740991],
    ['(-9007199254740991)::int8', -9007199254740991],
    ['count(*) from (values (1), (2)) as rows', 2],
    ["'{1,NULL,-3}'::int8[]", [1, null, -3]],
    ["'{}'::int8[]", []],
    ['1.10::numeric', '1.10'],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ["'2001-02-03 04:05:06.789+02'::timestamptz", new Date('2001-02-03T02:05:06.789Z')],
    ["'2001-02-03'::date", '2001-02-03'],
    ["'2001-02-03 04:05:06'::timestamp", '2001-02-03 04:05:06'],
    [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
    ["'2001-02-03 23:30:00-02'::timestamptz::date", '2001-02-04'],
  ])('%s is read as expected', async (expression, expected) => {
    const [head, from] = expression.split(' from ')
    const value = from === undefined ? await select(expression) : await selectFrom(head ?? '', from)
    expect(value).toEqual(expected)
  })

  const selectFrom = async (expression: string, from: string) =>
    (await sql.raw<{ value: unknown }>(`select ${expression} as value from ${from}`).execute(database.kysely)).rows[0]
      ?.value

  test.each(['9007199254740992', '-9007199254740993'])('%s does not become another number', async text => {
    await expect(select(`(${text})::int8`)).rejects.toMatchObject({ code: 'number_too_large' })
    expect(await select('1')).toBe(1)
  })

  test('bytes and bigints go in as they are', async () => {
    const bytes = Buffer.from([0, 1, 0xfe, 0xff])
    const { rows } = await sql<{ same: boolean; large: string }>`
      select ${bytes}::bytea = '\\x0001feff' as same, ${2n ** 62n}::int8::text as large`.execute(database.kysely)
    expect(rows).toEqual([{ same: true, large: '4611686018427387904' }])
  })

  test('sessions are named, in UTC, and bounded', async () => {
    expect(await select("current_setting('application_name')")).toBe('hedron')
    expect(await select("current_setting('timezone')")).toBe('UTC')
    expect(await select("current_setting('statement_timeout')")).toBe('30s')
    expect(await select("current_setting('idle_in_transaction_session_timeout')")).toBe('1min')
  })

  test('what a URL says wins over the defaults', async () => {
    const url = new URL(database.url)
    url.searchParams.set('application_name', 'mine')
    const other = await openDatabase<Schema>(
      { url: url.href },
      { statementMilliseconds: 50, plugins: [new CamelCasePlugin()] },
    )
    try {
      const { rows } = await sql`select current_setting('application_name') as own_name`.execute(other.kysely)
      expect(rows).toEqual([{ ownName: 'mine' }])
      await expect(sql`select pg_sleep(5)`.execute(other.kysely)).rejects.toMatchObject({ code: '57014' })
    } finally {
      await other.close()
    }
  })

  test('a transaction that loses against others is run again', async () => {
    const { id } = await database.kysely
      .insertInto('counters')
      .values({ value: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    let runs = 0
    const increment = () =>
      database.transaction(
        async transaction => {
          runs++
          const row = await transaction
            .selectFrom('counters')
            .select('value')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          await sql`select pg_sleep(0.01)`.execute(transaction)
          await transaction
            .updateTable('counters')
            .set({ value: row.value + 1 })
            .where('id', '=', id)
            .execute()
        },
        { isolation: 'serializable', attempts: 20 },
      )
    await Promise.all(Array.from({ length: 5 }, increment))
    const row = await database.kysely
      .selectFrom('counters')
      .select('value')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.value).toBe(5)
    expect(runs).toBeGreaterThan(5)
  })

  test('a deadlock ends in both transactions done', async () => {
    const rows = await database.kysely
      .insertInto('counters')
      .values([{ value: 0 }, { value: 0 }])
      .returning('id')
      .execute()
    const [first = 0, second = 0] = rows.map(row => row.id)
    let met = 0
    const both = Promise.withResolvers<void>()
    const addTo = (ids: readonly number[]) =>
      database.transaction(async transaction => {
        for (const id of ids) {
          await sql`update counters set value = value + 1 where id = ${id}`.execute(transaction)
          if (++met === 2) both.resolve()
          await both.promise
        }
      })
    await Promise.all([addTo([first, second]), addTo([second, first])])
    expect(
      await database.kysely.selectFrom('counters').select('value').where('id', 'in', [first, second]).execute(),
    ).toEqual([{ value: 2 }, { value: 2 }])
  })

  test('attempts are bounded and other errors are not repeated', async () => {
    let runs = 0
    const failing = (code: string) => {
      runs = 0
      return database.transaction(
        async transaction => {
          runs++
          await sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`).execute(transaction)
        },
        { attempts: 3 },
      )
    }
    await expect(failing('40001')).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(3)
    await expect(failing('22000')).rejects.toMatchObject({ code: '22000' })
    expect(runs).toBe(1)
  })

  test('connections that the server ends are replaced', async () => {
    const other = await openDatabase<Schema>({ url: database.url })
    try {
      const pid = async () =>
        (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.kysely)).rows[0]?.pid
      const first = await pid()
      await sql`select pg_terminate_backend(${first})`.execute(database.kysely)
      await expect.poll(() => other.pool.totalCount).toBe(0)
      expect(await pid()).not.toBe(first)
      await expect(
        other.transaction(async transaction => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
          await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.kysely)
          await expect
            .poll(
              async () =>
                (await sql`select 1 from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(database.kysely)).rows,
            )
            .toEqual([])
          await sql`select 1`.execute(transaction)
        }),
      ).rejects.toThrow()
      expect(await pid()).toBeGreaterThan(0)
    } finally {
      await other.close()
    }
  })

  test('a database that is not UTF8 is refused', async () => {
    const name = 'hedron_test_latin'
    const admin = new Client({ connectionString: server.url })
    await admin.connect()
    try {
      await admin.query(
        `create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
      )
      const url = new URL(server.url)
      url.pathname = `/${name}`
      await expect(openDatabase({ url: url.href })).rejects.toMatchObject({ code: 'database_encoding_unsuitable' })
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    }
  })

  test('closing twice is closing once, and afterwards nothing works', async () => {
    const other = await openDatabase<Schema>({ url: database.url })
    await Promise.all([other.close(), other.close()])
    await expect(sql`select 1`.execute(other.kysely)).rejects.toThrow()
  })
})

describe('errors of a database URL', () => {
  const secret = 'pa55word'
  test.each([
    ['mysql://u:pa55word@localhost/x', 'database_url_invalid'],
    ['u:pa55word@localhost', 'database_url_invalid'],
    ['postgres://u:12/pa55word@localhost/x', 'database_url_invalid'],
    ['postgres://u:12#pa55word@localhost/x', 'database_url_invalid'],
    ['postgres://u:12?pa55word@localhost/x', 'database_url_invalid'],
    ['postgres://u:pa55word@localhost:port/x', 'database_url_invalid'],
    ['postgres://u:pa55word@127.0.0.1:1/x', 'database_unreachable'],
    ['postgres://u:pa55word@nowhere.invalid/x', 'database_unreachable'],
    ['postgres://u:pa55word@localhost/x?sslmode=verify-full&sslrootcert=/nowhere.pem', 'database_unreachable'],
  ])('%s', async (url, code) => {
    const error: unknown = await openDatabase({ url }, { connectMilliseconds: 200 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code })
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret)
  })
})
