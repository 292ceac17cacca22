import { createTestDatabase, type TestDatabase } from '@hedron/store/testing'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, createView } from '../catalog.ts'
import { toolStatements } from '../statements.ts'

/** Statements whose answer is the server's own: its version, users, databases, types, settings, files. */
const ofTheServer =
  /version\(|current_schema\(\)|session_user|pg_database|pg_roles|pg_authid|pg_namespace n\s+(WHERE|LEFT|ORDER)|FROM pg_namespace WHERE|pg_tablespace|pg_settings|pg_conf|pg_collation|pg_am\b(?! am)|pg_extension|FROM pg_catalog.pg_type t|FROM pg_type t|pg_tables\b|character_sets|pg_db_role|pg_language|ON typnamespace|pg_opclass|colliculocale|pg_size|pg_operator|pg_cast|typinput|AS typ\b|pg_event_trigger|pg_foreign|pg_default_acl|amhandler|pg_proc|relkind IN \('r','s',''\)|relacl|n_live_tup|current_setting|^SELECT n\.nspname as "Schema"(?![\s\S]*<> 'pg_catalog')/i

let database: TestDatabase<object>
let client: Client
beforeAll(async () => {
  database = await createTestDatabase<object>()
  client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    create table orders (id bigint primary key, status text, amount numeric, created_at timestamp);
    create table users (city text, count bigint);
    comment on table orders is 'All orders';
    comment on column orders.status is 'State'`)
})
afterAll(async () => {
  await client?.end()
  await database?.close()
})

const statements = toolStatements.filter(({ text }) => !ofTheServer.test(text))

test('there are statements to compare', () => {
  expect(statements.length).toBeGreaterThan(50)
})

test.each(statements)('$tool: the answer is that of PostgreSQL: $text', async ({ text }) => {
  const theirs = await client.query<unknown[]>({
    text,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  })
  const ours = await answer(text)
  expect(ours.columns.map(({ name }) => name)).toEqual(theirs.fields.map(({ name }) => name))
  const typeOids = new Map(
    createView()
      .table('pg_catalog', 'pg_type')
      ?.rows()
      .map(row => [row[1], row[0]]),
  )
  expect(ours.columns.map(({ type }) => typeOids.get(type))).toEqual(theirs.fields.map(({ dataTypeID }) => dataTypeID))
  expect(withoutOids(ours.rows)).toEqual(withoutOids(theirs.rows))
})

/** Oids of tables and names of their owners are each server's own. */
function withoutOids(rows: readonly (readonly unknown[])[]): unknown[] {
  return rows.map(row =>
    row.map(cell =>
      typeof cell !== 'string'
        ? cell
        : /^\d{5,}$/.test(cell)
          ? '<oid>'
          : cell.replace(/^(cube|postgres|hedron\w*)$/, '<owner>'),
    ),
  )
}
