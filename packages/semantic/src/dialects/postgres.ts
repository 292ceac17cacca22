import type { Dialect } from './dialect.ts'
import { urlEncoded } from './url-encoded.ts'

export const postgres: Dialect = {
  textType: 'TEXT',
  numberType: () => 'NUMERIC',
  // Without an extension PostgreSQL has no approximation; the exact count is one that is never off.
  countDistinctApprox: input => `count(DISTINCT ${input})`,
  urlEncoded,
  secondsBucket: (time, seconds, origin) => `date_bin(INTERVAL '${seconds} seconds', ${time}, ${origin})`,
  monthsBucket(time, months, origin) {
    const since = `(${monthNumber(time)} - ${monthNumber(origin)})`
    return `(${origin} + INTERVAL '1 month' * (floor(${since} / ${months}) * ${months}))`
  },
}

/** date_bin knows no months, so they are counted. */
const monthNumber = (time: string) => `(extract(year FROM ${time}) * 12 + extract(month FROM ${time}))`
