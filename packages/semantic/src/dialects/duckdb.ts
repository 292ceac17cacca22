import type { Dialect } from './dialect.ts'

/** Digits after the point that a DECIMAL of DuckDB can have beside 20 before it. */
const scaleLimit = 18

export const duckdb: Dialect = {
  textType: 'VARCHAR',
  numberType(digits) {
    const [, whole = '', fraction = ''] = /^-?(\d*)\.?(\d*)$/.exec(digits) ?? []
    if (/e/i.test(digits) || fraction.length > scaleLimit || whole.length > 20) return 'DOUBLE'
    return `DECIMAL(38, ${fraction.length})`
  },
  countDistinctApprox: input => `approx_count_distinct(${input})`,
  intervalBucket(time, { months, seconds }, origin) {
    const width = months > 0 ? `INTERVAL ${months} MONTH` : `INTERVAL ${seconds} SECOND`
    return `time_bucket(${width}, ${time}, ${origin})`
  },
}
