import rows from '../generated/pg_type.json' with { type: 'json' }

/** One type of PostgreSQL 15, as `pg_type` has it. */
export interface PostgresType {
  readonly oid: number
  readonly name: string
  /** Bytes; -1: varies. */
  readonly length: number
  readonly category: string
  /** Name of the type of the elements, where it is an array or a vector. */
  readonly element: string | undefined
  /** Name of the array of it. */
  readonly array: string | undefined
  /** What stands between the elements of an array of it. */
  readonly delimiter: string
}

const [header, ...list] = rows
const at = (name: string) => header?.indexOf(name) ?? -1
const nameAt = at('typname')
const byOidRow = new Map(list.map(row => [Number(row[0]), row]))
const nameOf = (oid: unknown) => {
  const name = byOidRow.get(Number(oid))?.[nameAt]
  return name === undefined ? undefined : String(name)
}

const types: readonly PostgresType[] = list.map(row => ({
  oid: Number(row[0]),
  name: String(row[nameAt]),
  length: Number(row[at('typlen')]),
  category: String(row[at('typcategory')]),
  element: nameOf(row[at('typelem')]),
  array: nameOf(row[at('typarray')]),
  delimiter: String(row[at('typdelim')]),
}))
const byName = new Map(types.map(type => [type.name, type]))
const byOid = new Map(types.map(type => [type.oid, type]))

/** @returns undefined for a type that PostgreSQL does not have built in. */
export const typeByName = (name: string): PostgresType | undefined => byName.get(name)
export const typeByOid = (oid: number): PostgresType | undefined => byOid.get(oid)

/** How SQL writes a type, where that is not its name. */
const written: Readonly<Record<string, string>> = {
  bool: 'boolean',
  char: '"char"',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'double precision',
  bpchar: 'character',
  varchar: 'character varying',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
  time: 'time without time zone',
  timetz: 'time with time zone',
  varbit: 'bit varying',
}
const readable = new Map(Object.entries(written).map(([name, text]) => [text, name]))

/** A type as `format_type` writes it. */
export function writeType(oid: number, modifier: number | null): string {
  const type = byOid.get(oid)
  if (!type) return oid === 0 ? '-' : '???'
  if (type.category === 'A' && type.name.startsWith('_') && type.element !== undefined) {
    return `${writeType(byName.get(type.element)?.oid ?? 0, modifier)}[]`
  }
  const text = written[type.name] ?? type.name
  if (modifier === null || modifier < 0) return text
  if (type.name === 'varchar' || type.name === 'bpchar') return `${text}(${modifier - 4})`
  if (type.name === 'numeric') return `${text}(${((modifier - 4) >> 16) & 0xffff},${(modifier - 4) & 0xffff})`
  return text
}

/** Finds a type by its name, by how SQL writes it, or as an array of either: `int4`, `character varying`, `text[]`, `name(64)`. */
export function readType(text: string): PostgresType | undefined {
  const plain = text
    .trim()
    .replace(/^(pg_catalog|information_schema)\./, '')
    .replace(/\(.*\)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.endsWith('[]')) {
    const element = readType(plain.slice(0, -2))
    return element?.array === undefined ? undefined : byName.get(element.array)
  }
  const name = plain.replace(/^"(.*)"$/, '$1')
  return plain.startsWith('"')
    ? byName.get(name)
    : byName.get(readable.get(name.toLowerCase()) ?? aliases[name.toLowerCase()] ?? name.toLowerCase())
}
const aliases: Readonly<Record<string, string>> = {
  int: 'int4',
  decimal: 'numeric',
  float: 'float8',
  string: 'text',
  character_data: 'varchar',
  sql_identifier: 'name',
  cardinal_number: 'int4',
  yes_or_no: 'varchar',
}

const textual = new Set(['text', 'name', 'varchar', 'bpchar', 'char', 'unknown', 'cstring'])
const numeric = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid', 'xid', 'cid'])
/** Oids that show themselves by name. */
export const registered = new Set([
  'regclass',
  'regtype',
  'regproc',
  'regprocedure',
  'regnamespace',
  'regrole',
  'regoper',
  'regoperator',
  'regcollation',
])
export const isTextual = (type: string): boolean => textual.has(type)
export const isNumeric = (type: string): boolean => numeric.has(type) || registered.has(type)
export const isVector = (type: string): boolean => type === 'int2vector' || type === 'oidvector'
export const isArrayType = (type: string): boolean => type.startsWith('_') || isVector(type)
export const elementOf = (type: string): string => byName.get(type)?.element ?? 'text'
export const arrayOf = (type: string): string => byName.get(type === 'unknown' ? 'text' : type)?.array ?? '_text'
