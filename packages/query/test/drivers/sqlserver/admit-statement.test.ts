import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admitStatement } from '../../../src/drivers/sqlserver/admit-statement.ts'

test.for([
  'SELECT 1',
  ' ;WITH a AS (SELECT 1 AS n) SELECT n FROM a ORDER BY n OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY;\n',
  '(SELECT 1) UNION ALL (SELECT 2)',
  '-- what is read; then COMMIT\nSELECT 1 /* and /* never */ DELETE */',
  'SELECT \'it\'\'s; COMMIT\' AS [delete], [a]];COMMIT] AS b, "drop""update" FROM t',
  'SELECT created, updates, [set].x, @set, #into.y, t.committed FROM t AS inserted',
  'SELECT * FROM a INNER MERGE JOIN b ON a.n = b.n OPTION (MERGE JOIN)',
  "SELECT * FROM OPENROWSET(BULK 'x.parquet', FORMAT = 'PARQUET') AS r",
  "SELECT N'ä', 0xFF, 1.5e3, $1 FROM t FOR XML AUTO",
  '-- lines of Windows\r\nSELECT 1\r\n',
])('%j is a query', sql => {
  expect(() => admitStatement(sql)).not.toThrow()
})

test.for([
  ['SELECT 1; COMMIT; DELETE FROM t', 'more than one statement'],
  ['SELECT 1; SELECT 2', 'more than one statement'],
  ['SELECT 1 COMMIT', 'it says COMMIT'],
  ['SELECT 1\n/**/commit/**/tran\nDELETE t', 'it says COMMIT'],
  ['SELECT 1Commit', 'it says COMMIT'],
  ['SELECT 1.COMMIT', 'it says COMMIT'],
  ['SELECT 0xCOMMIT, 0xINSERT t', 'it says INSERT'],
  ['SELECT $1COMMIT', 'it says COMMIT'],
  ['SELECT €1COMMIT', 'it says COMMIT'],
  ['SELECT 1 ＲＯＬＬＢＡＣＫ', 'it says ROLLBACK'],
  ["SELECT 'a'ROLLBACK", 'it says ROLLBACK'],
  ['SELECT [a]ROLLBACK', 'it says ROLLBACK'],
  ['SELECT 1 ROLLBACK DELETE FROM t', 'it says ROLLBACK'],
  ['SELECT 1 SAVE TRAN x', 'it says SAVE'],
  ["SELECT 1 EXEC('COMMIT')", 'it says EXEC'],
  ['SELECT * INTO t2 FROM t', 'it says INTO'],
  ['WITH a AS (SELECT 1 AS n) DELETE FROM a', 'it says DELETE'],
  ['WITH a AS (SELECT 1 AS n) MERGE t USING a ON 1 = 1 WHEN MATCHED THEN DELETE;', 'it says MERGE'],
  ["SELECT * FROM OPENQUERY(other, 'DELETE FROM t')", 'it says OPENQUERY'],
  ["SELECT * FROM OPENROWSET('MSOLEDBSQL', 'x', 'DELETE FROM t')", 'it says OPENROWSET'],
  ['SELECT 1 -- a\rCOMMIT', 'may end its line'],
  ['SELECT 1 -- a\u2028COMMIT', 'may end its line'],
  ['SELECT 1 /* /* */ COMMIT', 'does not end'],
  ["SELECT 'a", 'does not end'],
  ['SELECT [a', 'does not end'],
  ["sp_rename 't', 'u'", 'neither SELECT nor WITH'],
  ["[sp_rename] 't', 'u'", 'neither SELECT nor WITH'],
  ['', 'neither SELECT nor WITH'],
] as const)('%j is refused', ([sql, message]) => {
  const refusal = expect(() => admitStatement(sql))
  refusal.toThrow(message)
})

test('all that the dialect writes is admitted', () => {
  const written = join(import.meta.dirname, '../../../../semantic/test/dialects/sqlserver.sql')
  const queries = readFileSync(written, 'utf8').split(/^-- \[.*\]$/m)
  expect(queries.length).toBeGreaterThan(10)
  for (const sql of queries.slice(0, -1)) expect(() => admitStatement(sql)).not.toThrow()
})

test('hundreds of kilobytes take no long time', () => {
  const started = performance.now()
  admitStatement(`SELECT ${'a, '.repeat(100_000)} 1 /* ${'/* '.repeat(10_000)} ${'*/ '.repeat(10_000)} */`)
  expect(() => admitStatement(`SELECT ${"'a".repeat(50_001)}`)).toThrow('does not end')
  expect(performance.now() - started).toBeLessThan(2_000)
})
