import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Databases, openDatabases } from './databases.ts'
import { bag } from './rows.ts'

let databases: Databases
beforeAll(async () => {
  databases = await openDatabases()
})
afterAll(() => databases.close())

const x = '(SELECT id, a FROM t WHERE id < 5) x'
const y = '(SELECT id, b FROM t WHERE id > 2) y'
const z = '(SELECT id, s FROM t WHERE id <> 4) z'

/** What PostgreSQL's clients write, by what it is about. */
const statements: Readonly<Record<string, readonly string[]>> = {
  'a column of USING is one, of the side that keeps all of its rows': [
    `SELECT * FROM ${x} JOIN ${y} USING (id)`,
    `SELECT id, x.id, y.id FROM ${x} LEFT JOIN ${y} USING (id)`,
    `SELECT id, x.id, y.id FROM ${x} RIGHT JOIN ${y} USING (id)`,
    `SELECT id, count(*) FROM ${x} FULL JOIN ${y} USING (id) GROUP BY id`,
    `SELECT * FROM ${x} FULL JOIN ${y} USING (id) FULL JOIN ${z} USING (id) WHERE id > 1`,
    `SELECT * FROM ${x} JOIN (SELECT a, b FROM t) w USING (a) JOIN ${z} USING (id)`,
    `SELECT * FROM ${z} JOIN (${x} JOIN ${y} USING (id)) USING (id)`,
    `SELECT y.*, a FROM ${x} JOIN ${y} USING (id)`,
    'SELECT id, sum(a) FROM t JOIN (SELECT id, b AS c FROM t) w USING (id) GROUP BY id',
  ],
  'a natural join is by every name that both sides have': [
    `SELECT * FROM ${x} NATURAL JOIN ${y}`,
    `SELECT id, x.id, y.id FROM ${x} NATURAL LEFT JOIN ${y}`,
    `SELECT * FROM ${x} NATURAL RIGHT JOIN ${y}`,
    `SELECT id, count(*) FROM ${x} NATURAL FULL JOIN ${y} NATURAL FULL JOIN ${z} GROUP BY id`,
    `SELECT * FROM ${x} NATURAL JOIN (SELECT a, id AS c, b FROM t) w NATURAL LEFT JOIN ${y}`,
    `SELECT * FROM (SELECT a FROM t) v NATURAL JOIN (SELECT b FROM t) w`,
    `SELECT * FROM (SELECT a FROM t) v NATURAL LEFT JOIN (SELECT b FROM t WHERE b > 1000) w`,
    `WITH v AS (SELECT id, a FROM t), w AS (SELECT a, id, s FROM t) SELECT * FROM v NATURAL JOIN w`,
    `SELECT * FROM ${z} NATURAL JOIN (${x} JOIN ${y} USING (id))`,
  ],
  'each grouping set is a grouping of its own': [
    'SELECT a, s, count(*), sum(b), avg(b), count(DISTINCT s) FROM t GROUP BY ROLLUP (a, s)',
    'SELECT a, f, GROUPING(a, f) AS g, min(d) FROM t GROUP BY CUBE (a, f) HAVING count(*) > 1 OR GROUPING(a) = 1',
    'SELECT a, s, count(*) FROM (SELECT a, s FROM t) q GROUP BY GROUPING SETS ((a, s), (a), (s), ())',
    "SELECT date_trunc('month', d) AS m, f, sum(a) FROM t GROUP BY f, ROLLUP (1)",
    "SELECT coalesce(s, 'all') AS k, sum(a) * 2, max(a) + count(*) FROM t GROUP BY ROLLUP (s) ORDER BY GROUPING(s), sum(a) DESC, 1 LIMIT 4",
    'SELECT a, count(*), sum(count(*)) OVER (PARTITION BY GROUPING(a)) FROM t GROUP BY ROLLUP (a)',
    'SELECT a, GROUPING(a) FROM t WHERE id > 1000 GROUP BY ROLLUP (a)',
    'SELECT 1 FROM t WHERE false GROUP BY ()',
    'SELECT count(*) FROM t WHERE id > 1000 GROUP BY GROUPING SETS ((), ())',
    'SELECT a, f, count(*) FROM t GROUP BY DISTINCT ROLLUP (a, f), ROLLUP (a)',
    'SELECT a, f, count(*) FROM t GROUP BY ROLLUP (a), CUBE (f)',
    'SELECT a, f, id, sum(b) FROM t GROUP BY ROLLUP ((a, f), id)',
    'SELECT a, GROUPING(a), count(*) FROM t GROUP BY a',
    'SELECT DISTINCT GROUPING(a, f) FROM t GROUP BY CUBE (a, f)',
    'WITH q AS (SELECT id, a, b FROM t) SELECT a, sum(b) FILTER (WHERE id > 2), avg(a) FROM q GROUP BY ROLLUP (a)',
    'SELECT a, (SELECT count(*) FROM t u WHERE u.a = t.a) AS n FROM t GROUP BY ROLLUP (a)',
    'SELECT k, sum(n) FROM (SELECT s AS k, count(*) AS n FROM t GROUP BY CUBE (s)) x GROUP BY k',
    'SELECT id, (SELECT max(n) FROM (SELECT count(*) AS n FROM t u WHERE u.a = t.a GROUP BY ROLLUP (f)) x) FROM t',
  ],
  'NULL and quoted values of set operations take the type beside them': [
    'SELECT NULL AS v UNION ALL SELECT id FROM t',
    'SELECT d FROM t UNION SELECT NULL',
    "SELECT id, d FROM t EXCEPT SELECT 1, '2024-01-01'",
    "SELECT id FROM t UNION ALL SELECT '99'",
    "SELECT f FROM t UNION SELECT 'true'",
    'SELECT v + 1 FROM (SELECT NULL AS v UNION ALL SELECT id FROM t) q',
    "SELECT 'all' AS k, NULL AS d, count(*) AS n FROM t UNION ALL SELECT s, d, 1 FROM t",
  ],
  'INTERVAL with a field is a number of it': [
    "SELECT id, d + INTERVAL '7' DAY, d - INTERVAL '-1' MONTH, d + INTERVAL '90' MINUTE FROM t",
    "SELECT id FROM t WHERE d > DATE '2024-03-10' - INTERVAL '2' MONTH",
  ],
  'a series of moments stands beside what was counted by them': [
    "SELECT g FROM generate_series(timestamp '2024-01-31', timestamp '2024-06-01', interval '1 month') g",
    "SELECT g FROM generate_series(date '2024-01-10', date '2024-01-01', '-3 days') g",
    "SELECT count(*) FROM generate_series(timestamp '2024-01-02', timestamp '2024-01-01', interval '1 hour') g",
    "SELECT day::date, n FROM generate_series(timestamp '2024-01-01', date '2024-01-20', '1 week') s(day) LEFT JOIN (SELECT date_trunc('week', d) AS w, count(*) AS n FROM t GROUP BY 1) q ON q.w = day",
    "SELECT g, count(t.id) FROM generate_series(date_trunc('month', timestamp '2024-01-15'), timestamp '2024-04-01', interval '1 month') g LEFT JOIN t ON date_trunc('month', t.d) = g GROUP BY 1 ORDER BY 1",
    'SELECT n, count(id) FROM generate_series(1, 3) s(n) LEFT JOIN t ON a = n GROUP BY n',
  ],
  'LIMIT takes a number of any type': [
    'SELECT id FROM t ORDER BY id LIMIT CAST(3 AS bigint)',
    "SELECT id FROM t ORDER BY id LIMIT '2' OFFSET CAST('1' AS int)",
  ],
}

describe.each(Object.entries(statements))('%s', (_, texts) => {
  test.each(texts)('%s', async text => {
    const wanted = bag(await databases.asPostgres(text))
    expect(bag(await databases.throughPostgres(text))).toEqual(wanted)
    expect(bag(await databases.throughDuckDb(text))).toEqual(wanted)
  })
})

test.each([
  [`SELECT id FROM ${x} JOIN ${y} USING (nothing)`, '42703'],
  [`SELECT id FROM (SELECT id, id FROM t) v JOIN ${y} USING (id)`, '42702'],
  [`SELECT id FROM (SELECT id, id FROM t) v NATURAL JOIN ${y}`, '42702'],
  [`SELECT id FROM t NATURAL JOIN ${y}`, '0A000'],
  ['SELECT a, s FROM t GROUP BY ROLLUP (a)', '42803'],
  ['SELECT a, GROUPING(s) FROM t GROUP BY ROLLUP (a)', '42803'],
  ['SELECT a FROM t WHERE GROUPING(a) = 0 GROUP BY a', '42803'],
  ['SELECT sum(GROUPING(a)) FROM t GROUP BY a', '42803'],
  ['SELECT count(*) FROM t GROUP BY CUBE (id, a, b, s, f, d, (id, a))', '54001'],
  ['SELECT count(*) FROM t GROUP BY CUBE (id, a, b, s), ROLLUP (f, d, a, b)', '54001'],
  ["SELECT id FROM t UNION SELECT 'x'", '22P02'],
  ['SELECT id FROM t UNION SELECT s FROM t', '42804'],
  ["SELECT id FROM t WHERE s LIKE 'a' ESCAPE 'xy'", '22025'],
  ["SELECT id FROM t WHERE s LIKE 'a!' ESCAPE '!'", '22025'],
  ['SELECT id FROM t WHERE s LIKE s ESCAPE $$!$$', '0A000'],
  ["SELECT g FROM generate_series(timestamp '2024-01-01', timestamp '2024-02-01') g", '42883'],
  ["SELECT g FROM generate_series(timestamp '2024-01-01', 5, interval '1 day') g", '42883'],
  ["SELECT g FROM t, generate_series(d, timestamp '2024-02-01', interval '1 day') g", '42703'],
  ["SELECT INTERVAL '1 day 2 hours' DAY FROM t", '0A000'],
  ["SELECT INTERVAL '1-2' YEAR TO MONTH FROM t", '0A000'],
  ["SELECT d AT TIME ZONE 'Europe/Nowhere' FROM t", '22023'],
  ["SELECT d AT TIME ZONE '+05:00' FROM t", '22023'],
  ['SELECT d AT TIME ZONE s FROM t', '0A000'],
  ["SELECT a AT TIME ZONE 'UTC' FROM t", '42883'],
  ['SELECT id FROM t WHERE (a, id) = (1, 2, 3)', '42601'],
  ['SELECT id FROM t WHERE (a, id) IN (SELECT a, id FROM t)', '0A000'],
])('%s is refused', async (text, code) => {
  await expect(databases.throughDuckDb(text)).rejects.toMatchObject({ code })
})
