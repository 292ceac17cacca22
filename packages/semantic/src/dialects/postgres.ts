import type { Dialect } from './dialect.ts'

export const postgres: Dialect = {
  textType: 'TEXT',
  numberType: () => 'NUMERIC',
  // Without an extension PostgreSQL has no approximation; the exact count is one that is never off.
  countDistinctApprox: input => `count(DISTINCT ${input})`,
  intervalBucket(time, { months, seconds }, origin) {
    if (seconds > 0) return `date_bin(INTERVAL '${seconds} seconds', ${time}, ${origin})`
    // date_bin knows no months: whole months since the origin, rounded down to a multiple, are added to it.
    const since = `age(${time}, ${origin})`
    const whole = `extract(year FROM ${since}) * 12 + extract(month FROM ${since}) - CASE WHEN ${time} < ${origin} AND ${since} <> date_trunc('month', ${since}) THEN 1 ELSE 0 END`
    return `${origin} + INTERVAL '1 month' * (floor((${whole}) / ${months}) * ${months})`
  },
}
