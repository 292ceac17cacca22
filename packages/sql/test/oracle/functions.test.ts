import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Databases, openDatabases } from './databases.ts'
import { bag } from './rows.ts'

let databases: Databases
beforeAll(async () => {
  databases = await openDatabases()
})
afterAll(() => databases.close())

/** Calls over a row, and what PostgreSQL calls them where it has no function of the name. */
const ofRows: readonly (readonly [call: string, native?: string])[] = [
  ...['<', '>', '<=', '>=', '=', '<>'].map(name => [`a ${name} b`] as const),
  ...['a IS NULL', 'a IS NOT NULL', 'a BETWEEN 0 AND b', 'a IN (1, 2)', 'a NOT IN (1, 2)'].map(text => [text] as const),
  ...['abs', 'ceil', 'degrees', 'floor', 'radians', 'round', 'sign', 'trunc', 'cos', 'cot', 'sin', 'tan', 'atan'].map(
    name => [`${name}(a + 5)`] as const,
  ),
  ...['ln', 'log', 'log10', 'sqrt', 'exp'].map(name => [`${name}(abs(b) + 1)`] as const),
  ['acos(a / 10)'],
  ['asin(b / 20)'],
  ['atan2(a, b)'],
  ['pi()'],
  ['power(b, 2)'],
  ['log(2, abs(b) + 1)'],
  ['round(b * 1.333, 1)'],
  ['trunc(b * 1.333, 1)'],
  ['trunc(b * -1.999)'],
  ['round(b * 2)'],
  ['round(CAST(b * 2 AS double precision) / 4)'],
  ['round(CAST(2.5 AS double precision))'],
  ['round(2.5)'],
  ["s || '-' || a"],
  ['concat(s, a)'],
  ["concat(f, s, a > 1, 'x')"],
  ["concat_ws(',', f, s)"],
  ["f || 'x'"],
  ...['bit_length', 'char_length', 'lower', 'octet_length', 'upper', 'btrim', 'ltrim', 'rtrim', 'ascii'].map(
    name => [`${name}(s)`] as const,
  ),
  ["btrim(s, 'a')"],
  ["ltrim(s, 'ab')"],
  ["rtrim(s, 'c')"],
  ['trim(s)'],
  ["trim(BOTH 'a' FROM s)"],
  ["position('b' IN s)"],
  ['substring(s, 2)'],
  ['substring(s FROM 2 FOR 1)'],
  ['substring(s, 0, 2)'],
  ['substring(s, -1, 3)'],
  ['substring(s, -1)'],
  ['substring(s FROM CAST(id AS int) - 3 FOR 3)'],
  ['substring(s, CAST(NULL AS int), 2)'],
  ['substr(s, 2, 0)'],
  ['lpad(s, 5)'],
  ["rpad(s, 5) || '|'"],
  ["lpad(s, 5, '*')"],
  ['left(s, 2)'],
  ['left(s, -1)'],
  ['right(s, 2)'],
  ['right(s, -1)'],
  ['repeat(s, 2)'],
  ['repeat(s, -1)'],
  ["replace(s, 'b', 'xy')"],
  ["starts_with(s, 'a')"],
  ["s LIKE '%b%'"],
  ["s NOT LIKE 'a_c'"],
  ["s LIKE '%!b%' ESCAPE '!'"],
  ["('50%' || s) NOT LIKE '50!%a%' ESCAPE '!'"],
  ["s ILIKE 'A%' ESCAPE ''"],
  ["('a\\' || s) LIKE 'a\\%' ESCAPE '!'"],
  ['(a, f) IN ((1, true), (2, false))'],
  ['(a, f) NOT IN ((1, true), (2, NULL))'],
  ['(a, id) = (1, 2)'],
  ['(a, id) <> (1, 2)'],
  ['(a, b, id) >= (1, 0.5, 1)'],
  ['(a, b) < (1, 2.25)'],
  ['(a, f) IS DISTINCT FROM (1, true)'],
  ["(s || chr(10) || 'z') ~ 'c.z'"],
  ["(s || chr(10) || 'z') !~* 'C.Z'"],
  ["to_char(d, '')"],
  [`to_char(d, '"only !"')`],
  ["regexp_substr(s || chr(10), 'c.')"],
  ["regexp_substr(s, '[bc]+')"],
  ["regexp_substr(s, '^[A-Z].')"],
  ["regexp_substr(s, 'q*')"],
  ...[
    'YYYY-MM-DD HH24:MI:SS.MS',
    'YYYY-MM-DD"T"HH24:MI:SS.US',
    'DD/MM/YY HH12:MI AM',
    'HH:MI:SS pm',
    'Month|MONTH|month',
    'FMMonth FMDD, YYYY',
    'Mon MON mon',
    'Day|DAY|day|FMDay',
    'Dy DY dy',
    'D DDD WW "Q"Q IW IYYY ID',
    'FMMM/FMDD/FMHH24/FMHH12/FMMI',
    'yyyy-mm',
    '"year: "YYYY',
  ].map(pattern => [`to_char(d, '${pattern}')`] as const),
  ["to_char(CAST(d AS date), 'YYYYMMDD')"],
  ["date_add(d, INTERVAL '1 month')", "d + INTERVAL '1 month'"],
  ["date_trunc('week', d)"],
  ['extract(year FROM d)'],
  ['extract(epoch FROM d)'],
  ["datediff('day', TIMESTAMP '2024-01-10 12:00:00', d)", "d::date - DATE '2024-01-10'"],
  ["datediff('week', TIMESTAMP '2024-01-10 12:00:00', d)", "(date_trunc('week', d)::date - DATE '2024-01-08') / 7"],
  ["datediff('month', DATE '2023-11-30', d)", '(extract(year FROM d) - 2023) * 12 + extract(month FROM d) - 11'],
  ["datediff('quarter', DATE '2023-11-30', d)", '(extract(year FROM d) - 2023) * 4 + extract(quarter FROM d) - 4'],
  ["datediff('year', d, TIMESTAMP '2020-06-01')", '2020 - extract(year FROM d)'],
  [
    "datediff('hour', TIMESTAMP '2024-01-10 12:59:59', d)",
    "extract(epoch FROM date_trunc('hour', d) - TIMESTAMP '2024-01-10 12:00:00') / 3600",
  ],
  [
    "datediff('minute', TIMESTAMP '2024-01-10 12:59:59', d)",
    "extract(epoch FROM date_trunc('minute', d) - TIMESTAMP '2024-01-10 12:59:00') / 60",
  ],
  ["datediff('second', d, TIMESTAMP '2024-01-10 12:59:59')", "extract(epoch FROM TIMESTAMP '2024-01-10 12:59:59' - d)"],
  ['to_timestamp(id * 1000000)'],
  ['to_timestamp(b * 1000)'],
  ['to_timestamp(1705000000)'],
  ["d AT TIME ZONE 'America/New_York'"],
  ["d AT TIME ZONE 'UTC' AT TIME ZONE 'Asia/Kolkata'"],
  ["CAST(d AS timestamptz) AT TIME ZONE 'Europe/Berlin'"],
  ["CAST(d AS date) AT TIME ZONE 'Europe/Berlin'"],
  ["date_trunc('month', CAST(d AS timestamptz) AT TIME ZONE 'America/New_York')"],
  ["timezone('Asia/Tokyo', d)"],
  ['localtimestamp IS NULL'],
  ['now() IS NULL'],
  ["CASE WHEN f THEN 'yes' WHEN a > 1 THEN s ELSE 'no' END"],
  ['CASE a WHEN 1 THEN s END'],
  ["coalesce(s, 'none')"],
  ['nullif(a, 1)'],
  ['nullif(a, 1.5) / 4'],
  ['nullif(a, CAST(1.5 AS double precision)) / 4'],
  ['nullif(a, 100) / 4'],
  ['greatest(a, b, 1)'],
  ['least(a, b, 1)'],
]

const aggregates: readonly string[] = [
  ...['avg(b)', 'count(b)', 'count(*)', 'count(DISTINCT s)', 'max(d)', 'min(s)', 'sum(b)', 'sum(a * b)'],
  ...['covar_pop(a, b)', 'covar_samp(a, b)', 'corr(a, b)'],
  ...['stddev', 'stddev_pop', 'stddev_samp', 'variance', 'var_pop', 'var_samp'].map(name => `${name}(b)`),
  "string_agg(s, ',' ORDER BY id)",
  'percentile_cont(0.25) WITHIN GROUP (ORDER BY b)',
  'percentile_cont(0.5) WITHIN GROUP (ORDER BY a DESC)',
  'percentile_disc(0.75) WITHIN GROUP (ORDER BY b)',
]

const windows: readonly string[] = ['lag(b) OVER (ORDER BY id)', "lead(s, 2, 'end') OVER (PARTITION BY f ORDER BY id)"]

const answers = async (text: string, native: string) => {
  const wanted = bag(await databases.asPostgres(native))
  expect({ text, postgres: bag(await databases.throughPostgres(text)) }).toEqual({ text, postgres: wanted })
  expect({ text, duckdb: bag(await databases.throughDuckDb(text)) }).toEqual({ text, duckdb: wanted })
}

describe('every function of the published list gives what PostgreSQL gives (contract/behaviour/query.md section 7)', () => {
  test.each(ofRows)('%s', async (call, native = call) => {
    await answers(`SELECT id, ${call} AS x FROM t`, `SELECT id, ${native} AS x FROM t`)
    await answers(
      `SELECT ${call} AS x, count(*) FROM t GROUP BY 1`,
      `SELECT ${native} AS x, count(*) FROM t GROUP BY 1`,
    )
  })

  test.each(aggregates)('%s', async call => {
    await answers(`SELECT ${call} AS x FROM t`, `SELECT ${call} AS x FROM t`)
    await answers(`SELECT f, ${call} AS x FROM t GROUP BY f`, `SELECT f, ${call} AS x FROM t GROUP BY f`)
    const inner = `FROM (SELECT a, b, d, f, s, id FROM t WHERE id > 1) q`
    await answers(`SELECT ${call} AS x ${inner}`, `SELECT ${call} AS x ${inner}`)
  })

  test.each(windows)('%s', call => answers(`SELECT id, ${call} AS x FROM t`, `SELECT id, ${call} AS x FROM t`))
})

test.each([
  ["SELECT to_char(d, 'DDSP') FROM t", /'SP' of TO_CHAR/],
  ["SELECT to_char(d, 'TZH') FROM t", /'TZH' of TO_CHAR/],
  ["SELECT to_char(now(), 'TZ') FROM t", /'TZ' of TO_CHAR/],
  ['SELECT to_char(d, s) FROM t', /pattern that is no constant/],
  ["SELECT to_char(b, 'B9') FROM t", /'B9' of TO_CHAR/],
  ["SELECT to_char(b, 'L9') FROM t", /'L9' of TO_CHAR/],
  ["SELECT to_char(sqrt(id), '9') FROM t", /TO_CHAR of float8/],
  ["SELECT to_char(s, 'YYYY') FROM t", /does not take a value of type text/],
  ["SELECT regexp_substr(s, 'a|ab') FROM t", /alternatives, groups/],
  ['SELECT regexp_substr(s, s) FROM t', /alternatives, groups/],
  ["SELECT datediff('decade', d, d) FROM t", /DATEDIFF in decade/],
])('on DuckDB %s is refused', async (text, message) => {
  await expect(databases.throughDuckDb(text)).rejects.toThrow(message)
})
