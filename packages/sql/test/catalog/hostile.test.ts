import { expect, test } from 'vitest'
import { answer } from './catalog.ts'

/** Each is refused, and none takes more than a moment. */
const refused = [
  'SELECT * FROM pg_authid',
  'SELECT * FROM pg_catalog.pg_shadow',
  'SELECT passwd FROM pg_shadow',
  `SELECT pg_read_file('/etc/passwd')`,
  `SELECT * FROM pg_ls_dir('/')`,
  `SELECT lo_import('/etc/passwd')`,
  `SELECT pg_sleep(1000)`,
  `SELECT query_to_xml('select 1', true, true, '')`,
  `SELECT * FROM dblink('host=x', 'select 1') AS t(a int)`,
  `SELECT set_config('role', 'hedron', false) FROM nothing`,
  `SELECT * FROM read_csv('x.csv')`,
  'SELECT * FROM orders',
  'SELECT count(*) FROM pg_class a, pg_class b, pg_attribute c, pg_attribute d',
  'SELECT * FROM generate_series(1, 1000000000)',
  'SELECT count(*) FROM generate_series(1, 90000) a, generate_series(1, 90000) b',
  `WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t`,
  `SELECT relname ~ '(a{200}){200}' FROM pg_class`,
  `SELECT relname ~ '(?=x)' FROM pg_class`,
  'SELECT 1 / 0',
  'SELECT relname FROM pg_class GROUP BY relkind',
  'SELECT oid FROM pg_class a JOIN pg_namespace b ON true',
  `SELECT 'nothing'::regclass`,
  'SELECT 99999999999::int4',
  'SELECT * FROM pg_class FOR UPDATE',
  'SELECT (SELECT oid FROM pg_class)',
]

test.each(refused)('refused: %s', async text => {
  const started = performance.now()
  await expect(answer(text)).rejects.toThrow()
  expect(performance.now() - started).toBeLessThan(60_000)
})

test('a pattern that would take for ever elsewhere is matched in no time', async () => {
  const { rows } = await answer(`SELECT '${'a'.repeat(5000)}!' ~ '^(a+)+$', '${'a'.repeat(50)}' ~ '^(a|aa)+$'`)
  expect(rows).toEqual([['f', 't']])
})

test('a statement stops when whoever waits no longer does', async () => {
  const { parse } = await import('libpg-query')
  const { understandCatalogStatement } = await import('../../src/index.ts')
  const { createView } = await import('./catalog.ts')
  const { stmts = [] } = await parse('SELECT count(*) FROM pg_attribute a, pg_attribute b')
  const node = stmts[0]?.stmt
  if (!node) throw new Error('no statement')
  expect(() => understandCatalogStatement(createView(), node, []).run([], () => true)).toThrow('took too long')
})
