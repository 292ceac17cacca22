import fc from 'fast-check'

/** Makes texts out of texts. */
const all = (parts: TemplateStringsArray, ...values: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...values).map(texts => parts.reduce((before, part, index) => `${before}${texts[index - 1] ?? ''}${part}`))

const one = (...texts: readonly string[]) => fc.constantFrom(...texts)

/** Values over the columns of a table `t(id, a, b, s, f, d)`. */
function valuesOf(table: string) {
  const column = (name: string) => one(`${table}.${name}`)
  const steps = ['day', 'week', 'month', 'quarter', 'year']
    .map(unit => `date_trunc('${unit}', ${table}.d)`)
    .concat(`CAST(${table}.d AS date)`)
  return fc.letrec<{ number: string; text: string; flag: string; time: string }>(tie => {
    const [number, text, flag, time] = [tie('number'), tie('text'), tie('flag'), tie('time')]
    const literal = one('0', '1', '2', '-3', '0.5', '7.25', '10')
    return {
      number: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        column('a'),
        column('b'),
        column('id'),
        literal,
        all`(${number} ${one('+', '-', '*')} ${number})`,
        all`(${number} / ${one('2', '4.0', '-5')})`,
        all`(${number} / NULLIF(${column('a')}, 0))`,
        all`abs(${number})`,
        all`(- ${number})`,
        all`round(${column('b')}, ${one('0', '1')})`,
        all`floor(${column('b')})`,
        all`coalesce(${number}, ${literal})`,
        all`nullif(${number}, ${literal})`,
        all`greatest(${number}, ${literal})`,
        all`least(${number}, ${number})`,
        all`length(${text})`,
        all`position(${one("'a'", "'b'")} in ${text})`,
        all`CASE WHEN ${flag} THEN ${number} ELSE ${number} END`,
        all`CASE ${column('a')} WHEN 1 THEN ${number} WHEN 2 THEN ${literal} END`,
        all`extract(${one('year', 'month', 'day', 'hour', 'dow', 'doy', 'quarter', 'week')} from ${time})`,
        all`mod(${column('a')}, 3)`,
      ),
      text: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        column('s'),
        one("'abc'", "'it''s'", "''", "'%'"),
        all`upper(${text})`,
        all`lower(${text})`,
        all`(${text} || ${text})`,
        all`substring(${text} from 2 for 2)`,
        all`left(${text}, ${one('1', '2')})`,
        all`right(${text}, 1)`,
        all`replace(${text}, 'a', 'xy')`,
        all`coalesce(${text}, 'none')`,
        all`trim(${text})`,
        all`concat(${text}, ${text})`,
        all`lpad(${text}, 5, '*')`,
        all`split_part(${text}, 'b', 1)`,
        all`CASE WHEN ${flag} THEN ${text} END`,
      ),
      flag: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        column('f'),
        all`(${number} ${one('=', '<>', '<', '<=', '>', '>=')} ${number})`,
        all`(${text} ${one('=', '<>')} ${text})`,
        all`(${text} LIKE ${one("'%a%'", "'a_c'", "'%'", "'A%'")})`,
        all`(${text} ILIKE ${one("'%A%'", "'a%'", "'%C'")})`,
        all`(${text} ~ ${one("'^a'", "'b|c'")})`,
        all`(${number} IS ${one('', 'NOT ')}NULL)`,
        all`(${text} IS NULL)`,
        all`(${number} ${one('', 'NOT ')}BETWEEN ${literal} AND ${literal})`,
        all`(${number} ${one('', 'NOT ')}IN (1, 2, ${literal}))`,
        all`(${text} ${one('', 'NOT ')}IN ('abc', 'x'))`,
        all`(${flag} AND ${flag})`,
        all`(${flag} OR ${flag})`,
        all`(NOT ${flag})`,
        all`(${flag} IS ${one('', 'NOT ')}${one('TRUE', 'FALSE')})`,
        all`(${time} ${one('<', '<=', '>', '>=', '=')} ${one("'2024-02-01'", "timestamp '2024-03-10 07:30:00'", "'2024-01-15 10:00:00'")})`,
        all`(${one(...steps)} ${one('<', '<=', '>', '>=', '=')} ${one("'2024-01-01'", "'2024-02-01'", "'2024-02-29'", "date '2024-01-15'")})`,
        all`(${one(...steps)} BETWEEN '2024-01-01' AND ${one("'2024-02-01'", "'2024-02-29'", "'2024-12-30'")})`,
        all`(${number} IS DISTINCT FROM ${number})`,
        all`(${text} = ANY (ARRAY['abc', 'Bcd']))`,
      ),
      time: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        column('d'),
        column('d'),
        all`date_trunc(${one("'day'", "'week'", "'month'", "'quarter'", "'year'", "'hour'")}, ${column('d')})`,
        all`(${column('d')} ${one('+', '-')} interval ${one("'1 day'", "'1 month'", "'90 minutes'")})`,
        all`CAST(${column('d')} AS date)`,
      ),
    }
  })
}

const t = valuesOf('t')
const any = fc.oneof(t.number, t.text, t.flag, t.time)

const aggregate = fc.oneof(
  one('count(*)'),
  all`sum(${t.number})`,
  all`avg(${t.number})`,
  all`min(${t.number})`,
  all`max(${t.number})`,
  all`count(${any})`,
  all`count(DISTINCT ${any})`,
  all`sum(DISTINCT ${t.number})`,
  all`bool_or(${t.flag})`,
  all`min(${t.time})`,
  all`sum(${t.number}) FILTER (WHERE ${t.flag})`,
  all`count(*) FILTER (WHERE ${t.flag})`,
  all`(sum(${t.number}) + count(*))`,
  all`coalesce(max(${t.number}), 0) * 2`,
)

const key = fc.oneof(t.text, t.flag, t.time, t.number)
const where = fc.oneof(one(''), all` WHERE ${t.flag}`)
const having = fc.oneof(one(''), one(' HAVING count(*) > 1'), all` HAVING sum(${t.number}) > 1`)

/** Statements over `t` that have one answer, whatever the order of its rows. */
export const statements: fc.Arbitrary<string> = fc.oneof(
  all`SELECT id, ${any}, ${any} FROM t${where}`,
  all`SELECT ${key}, ${aggregate}, ${aggregate} FROM t${where} GROUP BY 1${having}`,
  all`SELECT ${key}, ${key}, ${aggregate} FROM t${where} GROUP BY 1, 2`,
  all`SELECT ${aggregate}, ${aggregate} FROM t${where}${having}`,
  all`SELECT DISTINCT ${key}, ${key} FROM t${where}`,
  all`SELECT id, ${t.number} AS n FROM t${where} ORDER BY id ${one('', 'DESC')} LIMIT 3 OFFSET ${one('0', '1')}`,
  all`SELECT id, ${t.number} AS n FROM t ORDER BY a DESC, id LIMIT 4`,
  all`SELECT y, sum(x), count(*) FROM (SELECT ${t.number} AS x, ${t.text} AS y FROM t${where}) q GROUP BY y`,
  all`WITH q AS (SELECT ${key} AS k, ${aggregate} AS v FROM t${where} GROUP BY 1) SELECT count(*), count(k) FROM q WHERE v IS NOT NULL`,
  all`SELECT ${t.number} FROM t${where} ${one('UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT')} SELECT ${t.number} FROM t${where}`,
  all`SELECT id, ${one('sum(a)', 'count(*)', 'row_number()', 'max(b)', 'lag(a)', 'rank()')} OVER (PARTITION BY ${key} ORDER BY id) FROM t${where}`,
  all`SELECT id FROM t WHERE ${t.number} ${one('', 'NOT ')}IN (SELECT ${valuesOf('u').number} FROM t u WHERE ${valuesOf('u').flag})`,
  all`SELECT id FROM t WHERE ${one('', 'NOT ')}EXISTS (SELECT 1 FROM t u WHERE u.a = t.a AND u.id <> t.id AND ${valuesOf('u').flag})`,
  all`SELECT t.id, u.id, ${t.number} FROM t ${one('JOIN', 'LEFT JOIN')} t u ON u.a = t.a AND ${t.flag}`,
  all`SELECT id, (SELECT ${one('max(u.b)', 'count(*)', 'sum(u.a)')} FROM t u WHERE u.s = t.s) FROM t${where}`,
  all`SELECT a, (SELECT ${one('max(u.b)', 'count(*)', 'sum(u.id)')} FROM t u WHERE u.a = t.a), ${aggregate} FROM t${where} GROUP BY a`,
  all`SELECT a, f, GROUPING(a, f), ${aggregate}, ${aggregate} FROM t${where} GROUP BY ${one('ROLLUP (a, f)', 'CUBE (a, f)', 'GROUPING SETS ((a), (f))', 'a, ROLLUP (f)')}${having}`,
  all`SELECT x, y, GROUPING(y), sum(z), count(*) FROM (SELECT a AS x, ${t.text} AS y, ${t.number} AS z FROM t) q GROUP BY ${one('ROLLUP (x, y)', 'CUBE (y, x)', 'GROUPING SETS ((y, x), ())')}`,
  all`SELECT * FROM (SELECT id, ${t.number} AS x FROM t) q NATURAL ${one('', 'LEFT ', 'FULL ')}JOIN (SELECT id, ${t.text} AS y FROM t${where}) w`,
  one('SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY b), count(*) FROM t'),
  all`SELECT k, n FROM (SELECT ${key} AS k, count(*) AS n FROM t GROUP BY 1) q WHERE n > 1`,
)
