import type { DbtColumn } from './read-manifest.ts'

export type DimensionType = 'string' | 'number' | 'time' | 'boolean'

const numbers =
  /^(u?(tiny|small|medium|big|huge)?int(eger)?\d*|int\d+|u?int\d*|serial\d*|bigserial|byteint|number|numeric|bignumeric|decimal\d*|bigdecimal|dec|float\d*|double( precision)?|real|money|long|short|byte)$/
const times =
  /^(date\d*|datetime\d*|smalldatetime|timestamp(_?(ltz|ntz|tz|s|ms|ns))?|timestamptz|timestamp with(out)? (local )?time zone)$/
const booleans = /^(bool|boolean)$/

/**
 * Type of a dimension: by the declared type of the column, else by its name, else text (contract/behaviour/devmode-deploy.md section 4).
 * What is semi-structured is text.
 */
export function typeOf({ name, dataType }: Pick<DbtColumn, 'name' | 'dataType'>): DimensionType {
  if (dataType !== null) return declaredType(dataType)
  const lower = name.toLowerCase()
  if (lower === 'id' || lower.endsWith('_id')) return 'number'
  return /(^|_)(at|date|timestamp)$/.test(lower) ? 'time' : 'string'
}

function declaredType(declared: string): DimensionType {
  const isNested = /[<[\]]/.test(declared)
  // `Nullable(Int64)` of ClickHouse is its argument; `numeric(12, 2)` is what stands before its arguments.
  const bare = declared
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:nullable|lowcardinality)\()+([^()]*(?:\([^)]*\))?)\)+$/, '$1')
  const base = bare
    .replace(/\([^)]*\)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ (un)?signed$/, '')
    .trim()
  if (isNested) return 'string'
  if (numbers.test(base)) return 'number'
  if (times.test(base)) return 'time'
  return booleans.test(base) ? 'boolean' : 'string'
}
