import { SqlError } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import { commonType, isNumber, type SqlType } from '../shapes/types.ts'

/** Gives a literal that has no type yet that of what it stands beside, and refuses what cannot stand there. */
export function coerce(value: Bound, type: SqlType): Bound {
  if (value.type === type || type === 'unknown') return value
  if (value.type === 'unknown' && value.kind === 'constant') return { ...value, type, value: readLiteral(value, type) }
  if (value.type === 'unknown') return { ...value, type }
  if (commonType(value.type, type) === null) {
    throw new SqlError(
      '42804',
      `a value of type ${value.type} cannot stand where ${type} is wanted`,
      value.at,
      'You can convert it by CAST',
    )
  }
  return value
}

/** Two or more values beside each other, all of one type. */
export function alike(
  values: readonly Bound[],
  what: string,
): { readonly values: readonly Bound[]; readonly type: SqlType } {
  let type: SqlType = 'unknown'
  for (const value of values) {
    const common = commonType(type, value.type)
    if (common === null) {
      throw new SqlError('42804', `${what} types ${type} and ${value.type} cannot be matched`, value.at)
    }
    type = common
  }
  const settled = type === 'unknown' ? 'text' : type
  return { values: values.map(value => coerce(value, settled)), type: settled }
}

const words: Readonly<Record<string, string>> = {
  t: 'true',
  true: 'true',
  y: 'true',
  yes: 'true',
  on: 'true',
  '1': 'true',
  f: 'false',
  false: 'false',
  n: 'false',
  no: 'false',
  off: 'false',
  '0': 'false',
}

const moment =
  /^\s*(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?)?\s*(z|[-+]\d{1,2}(?::?\d{2})?|utc)?\s*$/i

function readLiteral({ value, at }: Extract<Bound, { kind: 'constant' }>, type: SqlType): string | null {
  if (value === null) return null
  const invalid = () => new SqlError('22P02', `invalid input syntax for type ${type}: "${value.slice(0, 100)}"`, at)
  if (isNumber(type)) {
    const text = value.trim()
    const isInteger = type === 'int4' || type === 'int8'
    if (!(isInteger ? /^[-+]?\d{1,19}$/ : /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i).test(text)) throw invalid()
    return text.replace('+', '')
  }
  if (type === 'bool') {
    const word = words[value.trim().toLowerCase()]
    if (word === undefined) throw invalid()
    return word
  }
  if (type === 'date' || type === 'timestamp' || type === 'timestamptz')
    return readMoment(value, type) ?? fail(invalid())
  if (type === 'interval' && !/^[\s\w:.+-]{1,100}$/.test(value)) throw invalid()
  if (type === 'time' && !/^\s*\d{1,2}:\d{2}(:\d{2}(\.\d{1,6})?)?\s*$/.test(value)) throw invalid()
  return value
}

function fail(error: SqlError): never {
  throw error
}

/**
 * `YYYY-MM-DD`, or `YYYY-MM-DDTHH:mm:ss.SSS…`: a local time of the session; in UTC, with a Z at its end, where a zone is written (of
 * `timestamp`, PostgreSQL ignores a zone).
 */
function readMoment(text: string, type: SqlType): string | null {
  const found = moment.exec(text)
  if (!found) return null
  const [, year = '', month = '', day = '', hour = '0', minute = '00', second = '00', fraction = '', zone] = found
  const pad = (part: string) => part.padStart(2, '0')
  const date = `${year}-${pad(month)}-${pad(day)}`
  const check = new Date(`${date}T00:00:00Z`)
  if (year.length === 4 && (Number.isNaN(check.getTime()) || check.getUTCDate() !== Number(day))) return null
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return null
  if (type === 'date') return date
  const local = `${date}T${pad(hour)}:${minute}:${second}${fraction}`
  if (type !== 'timestamptz' || zone === undefined) return local
  const [, sign, hours = '0', minutes = '0'] = /^([-+])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const whole = new Date(Date.parse(`${date}T${pad(hour)}:${minute}:${second}Z`) - offset * 60_000)
  return Number.isNaN(whole.getTime()) ? null : `${whole.toISOString().slice(0, 19)}${fraction}Z`
}
