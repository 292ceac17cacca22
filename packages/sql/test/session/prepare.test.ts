import { expect, test } from 'vitest'
import { CatalogError, readCommands } from '../../src/index.ts'

test.each([
  ['PREPARE x AS SELECT 1', 'x', [], 'SELECT 1'],
  [
    'prepare "as b"(int, numeric(10,2), text[], unknown) as select 1',
    'as b',
    ['int4', 'numeric', '_text', 'unknown'],
    'select 1',
  ],
  [
    '/* as */ PREPARE -- as\n a_s /*x*/ (timestamp with time zone) AS/**/(SELECT 1)',
    'a_s',
    ['timestamptz'],
    '(SELECT 1)',
  ],
  ['PREPARE basas as values (1)', 'basas', [], 'values (1)'],
  ['PREPARE/**/q AS WITH "as" AS (select 1) select * from "as"', 'q', [], 'WITH "as" AS (select 1) select * from "as"'],
  ['prepare ünï as select 1', 'ünï', [], 'select 1'],
])('what follows AS is kept as it was written: %s', async (text, name, types, inner) => {
  expect(await readCommands(text)).toEqual([{ kind: 'prepare', name, types, text: inner }])
})

test.each([
  'PREPARE x AS DELETE FROM orders',
  'PREPARE x AS SELECT 1 INTO t',
  'EXECUTE x(1, (SELECT 1))',
  `PREPARE x/*${'*/*'.repeat(100_000)} AS SELECT 1`,
])('what does not read is not prepared, and a query is no value: %#', async text => {
  await expect(readCommands(text)).rejects.toBeInstanceOf(CatalogError)
})
