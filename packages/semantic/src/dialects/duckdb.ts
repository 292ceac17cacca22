import type { Dialect } from './dialect.ts'
import { standard } from './standard.ts'

export const duckdb: Dialect = {
  ...standard,
  placeholder: position => `$${position}`,
  bindsRowCounts: true,
  urlEncoded: text => `url_encode(${text})`,
}
