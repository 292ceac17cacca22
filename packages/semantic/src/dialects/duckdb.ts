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
  urlEncoded: text => `url_encode(${text})`,
  secondsBucket: (time, seconds, origin) => `time_bucket(INTERVAL ${seconds} SECOND, ${time}, ${origin})`,
  monthsBucket: (time, months, origin) => `time_bucket(INTERVAL ${months} MONTH, ${time}, ${origin})`,
}
