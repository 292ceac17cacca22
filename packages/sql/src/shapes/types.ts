/** PostgreSQL's names of the types that values can have here; `unknown` is a quoted literal or parameter that nothing has decided. */
export const sqlTypes = [
  'bool',
  'int4',
  'int8',
  'numeric',
  'float8',
  'text',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'interval',
  'text[]',
  'int8[]',
  'numeric[]',
  'unknown',
] as const
export type SqlType = (typeof sqlTypes)[number]

const numbers: readonly SqlType[] = ['int4', 'int8', 'numeric', 'float8']

export const isNumber = (type: SqlType): boolean => numbers.includes(type)
export const isInteger = (type: SqlType): boolean => type === 'int4' || type === 'int8'
export const isMoment = (type: SqlType): boolean => type === 'date' || type === 'timestamp' || type === 'timestamptz'
export const isArray = (type: SqlType): boolean => type.endsWith('[]')

/** The type that two values get beside each other, as in CASE or UNION; null: there is none. */
export function commonType(left: SqlType, right: SqlType): SqlType | null {
  if (left === right || right === 'unknown') return left
  if (left === 'unknown') return right
  if (isNumber(left) && isNumber(right)) return numbers.indexOf(left) > numbers.indexOf(right) ? left : right
  if (isMoment(left) && isMoment(right)) {
    return left === 'timestamptz' || right === 'timestamptz' ? 'timestamptz' : 'timestamp'
  }
  return null
}

/** Names of types in casts; those of other spellings come from the grammar as these. */
const castNames: Readonly<Record<string, SqlType>> = {
  bool: 'bool',
  boolean: 'bool',
  int2: 'int4',
  int4: 'int4',
  int8: 'int8',
  int: 'int4',
  integer: 'int4',
  bigint: 'int8',
  numeric: 'numeric',
  decimal: 'numeric',
  float4: 'float8',
  float8: 'float8',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  char: 'text',
  name: 'text',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  interval: 'interval',
}

export const typeNamed = (name: string): SqlType | undefined =>
  Object.hasOwn(castNames, name) ? castNames[name] : undefined

const arrays: Partial<Record<SqlType, SqlType>> = {
  text: 'text[]',
  unknown: 'text[]',
  int4: 'int8[]',
  int8: 'int8[]',
  numeric: 'numeric[]',
  float8: 'numeric[]',
}
export const arrayOf = (type: SqlType): SqlType | undefined => arrays[type]
export const elementOf = (type: SqlType): SqlType =>
  type === 'int8[]' ? 'int8' : type === 'numeric[]' ? 'numeric' : 'text'
