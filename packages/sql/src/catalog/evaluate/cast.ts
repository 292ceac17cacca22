import { CatalogError, notSupported } from '../catalog-error.ts'
import type { CatalogView } from '../catalog-view.ts'
import { type ArrayText, readArrayText, writeArrayText } from '../values/array-text.ts'
import {
  elementOf,
  isArrayType,
  isNumeric,
  isTextual,
  isVector,
  readType,
  registered,
  typeByName,
  typeByOid,
  writeType,
} from '../values/types.ts'
import { isArray, isRow, type Value } from '../values/value.ts'
import { quoteIdentifier, readIdentifiers } from './identifiers.ts'

const integerRange: Readonly<Record<string, readonly [number, number]>> = {
  int2: [-32_768, 32_767],
  int4: [-2_147_483_648, 2_147_483_647],
  int8: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  oid: [0, 4_294_967_295],
  xid: [0, 4_294_967_295],
  cid: [0, 4_294_967_295],
}

/** Reads the text of a value of a type. @throws {CatalogError} 22P02, 22003, 42P01, 42704 */
export function readValue(view: CatalogView, type: string, text: string): Value {
  if (isTextual(type) || type === 'regconfig') return type === 'name' ? text.slice(0, 63) : text
  if (type === 'bool') return readBoolean(text)
  if (isVector(type))
    return text.trim() === ''
      ? []
      : text
          .trim()
          .split(/\s+/)
          .map(item => readNumber(elementOf(type), item))
  if (isArrayType(type)) return readList(view, elementOf(type), readArrayText(text))
  if (registered.has(type)) return readRegistered(view, type, text)
  if (isNumeric(type)) return readNumber(type, text)
  if (passed.has(type)) return readPassed(type, text)
  throw notSupported(`a value of type ${type}`)
}

const passed = new Set([
  'timestamp',
  'timestamptz',
  'date',
  'time',
  'interval',
  'json',
  'jsonb',
  'uuid',
  'bytea',
  'inet',
  'pg_node_tree',
  'pg_lsn',
  'aclitem',
  'xml',
])

function readPassed(type: string, text: string): Value {
  const moment = type === 'timestamp' || type === 'timestamptz' || type === 'date'
  if (moment && !/^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d(:?\d\d)?|Z)?)?$/.test(text.trim())) {
    throw new CatalogError(
      '22007',
      `invalid input syntax for type ${writeType(typeByName(type)?.oid ?? 0, null)}: "${text.slice(0, 100)}"`,
    )
  }
  return type === 'date' ? text.trim().slice(0, 10) : text
}

function readBoolean(text: string): boolean {
  const word = text.trim().toLowerCase()
  if (word !== '' && ['true', 'yes'].some(each => each.startsWith(word))) return true
  if (word !== '' && ['false', 'no'].some(each => each.startsWith(word))) return false
  if (word === 'on' || word === '1') return true
  if (word === 'off' || word === 'of' || word === '0') return false
  throw invalid('boolean', text)
}

const invalid = (type: string, text: string) =>
  new CatalogError('22P02', `invalid input syntax for type ${type}: "${text.slice(0, 100)}"`)

function readNumber(type: string, text: string): number {
  const shown = writeType(typeByName(type)?.oid ?? 0, null)
  const trimmed = text.trim()
  const range = integerRange[type]
  if (!range) {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) throw invalid(shown, text)
    return Number(trimmed)
  }
  if (!/^[+-]?\d+$/.test(trimmed)) throw invalid(shown, text)
  return checkRange(type, Number(trimmed), trimmed)
}

function checkRange(type: string, value: number, text = String(value)): number {
  const range = integerRange[type]
  if (!range || (value >= range[0] && value <= range[1])) return value
  const shown = writeType(typeByName(type)?.oid ?? 0, null)
  throw new CatalogError('22003', `value "${text}" is out of range for type ${shown}`)
}

const readList = (view: CatalogView, element: string, items: ArrayText): Value =>
  items.map(item =>
    item === null ? null : typeof item === 'string' ? readValue(view, element, item) : readList(view, element, item),
  )

function readRegistered(view: CatalogView, type: string, text: string): number {
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed)
  if (trimmed === '-') return 0
  const unknown = (code: string, what: string) => new CatalogError(code, `${what} "${trimmed}" does not exist`)
  if (type === 'regtype') {
    const found = readType(trimmed)
    if (!found) throw unknown('42704', 'type')
    return found.oid
  }
  const names = readIdentifiers(trimmed.replace(/\(.*\)$/, ''))
  const [name = '', schema = null] = names.toReversed()
  if (type === 'regclass') {
    const found = view.relationByName(schema, name)
    if (!found) throw unknown('42P01', 'relation')
    return found.oid
  }
  if (type === 'regnamespace') {
    const found = view.schemas.get(name)
    if (found === undefined) throw unknown('3F000', 'schema')
    return found
  }
  if (type === 'regproc' || type === 'regprocedure') {
    const found = view.procedureByName(name)
    if (found === undefined) throw unknown('42883', 'function')
    return found
  }
  if (type === 'regrole') {
    const row = view
      .table('pg_catalog', 'pg_roles')
      ?.rows()
      .find(each => each[0] === name)
    const oid = row?.[12]
    if (typeof oid === 'number') return oid
    throw unknown('42704', 'role')
  }
  throw notSupported(`a value of type ${type}`)
}

/** Writes a value of a type as PostgreSQL's text. */
export function writeValue(view: CatalogView, type: string, value: Value): string | null {
  if (value === null) return null
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number') return registered.has(type) ? writeRegistered(view, type, value) : writeNumber(value)
  if (typeof value === 'string') return value
  if (isArray(value)) {
    if (isVector(type)) return value.map(String).join(' ')
    const element = elementOf(type)
    return writeArrayText(
      value.map(item => textOfItem(view, isArray(item) ? type : element, item)),
      typeByName(element)?.delimiter ?? ',',
    )
  }
  return writeRow(view, value)
}

function textOfItem(view: CatalogView, type: string, item: Value): string | null | ArrayText {
  return isArray(item) ? item.map(inner => textOfItem(view, type, inner)) : writeValue(view, type, item)
}

function writeRow(view: CatalogView, value: Value): string {
  if (!isRow(value)) return ''
  const cells = value.values.map((item, index) => {
    const text = writeValue(view, value.types[index] ?? 'text', item)
    if (text === null) return ''
    return text === '' || /[(),"\\\s]/.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text
  })
  return `(${cells.join(',')})`
}

const writeNumber = (value: number) => {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
}

function writeRegistered(view: CatalogView, type: string, oid: number): string {
  if (oid === 0) return '-'
  if (type === 'regtype') return typeByOid(oid) ? writeType(oid, null) : String(oid)
  if (type === 'regclass') {
    const found = view.relationByOid(oid)
    if (!found) return String(oid)
    const name = quoteIdentifier(found.name)
    return found.schema === 'information_schema' ? `information_schema.${name}` : name
  }
  if (type === 'regnamespace') {
    const found = [...view.schemas].find(([, each]) => each === oid)
    return found ? quoteIdentifier(found[0]) : String(oid)
  }
  if (type === 'regrole') {
    const row = view
      .table('pg_catalog', 'pg_roles')
      ?.rows()
      .find(each => each[12] === oid)
    return row ? quoteIdentifier(String(row[0])) : String(oid)
  }
  return view.procedureByOid(oid) ?? String(oid)
}

/** A value of one type as a value of another. @throws {CatalogError} where PostgreSQL has no such cast, or the value does not fit. */
export function castValue(view: CatalogView, from: string, to: string, value: Value): Value {
  if (value === null || from === to) return value
  if (to === 'name') return (writeValue(view, from, value) ?? '').slice(0, 63)
  if (to === 'char' && typeof value === 'string') return value.slice(0, 1)
  if (isTextual(to)) return typeof value === 'boolean' ? String(value) : writeValue(view, from, value)
  if (isTextual(from)) return readValue(view, to, typeof value === 'string' ? value : '')
  if (isNumeric(from) && isNumeric(to) && typeof value === 'number') {
    return integerRange[to] || registered.has(to) ? checkRange(to, roundHalf(value)) : value
  }
  if (from === 'bool' && to === 'int4') return Number(value)
  if (from === 'int4' && to === 'bool') return value !== 0
  if (isArrayType(from) && isArrayType(to) && isArray(value)) {
    return value.map(item => castValue(view, elementOf(from), elementOf(to), item))
  }
  if (typeof value === 'string' && passed.has(from) && passed.has(to)) {
    if (to === 'date') return value.slice(0, 10)
    return from === 'date' && to.startsWith('timestamp') ? `${value} 00:00:00` : value
  }
  throw new CatalogError('42846', `cannot cast type ${shownType(from)} to ${shownType(to)}`)
}

const shownType = (name: string) => writeType(typeByName(name)?.oid ?? 0, null)

/** To the nearest integer, halves to the even one, as PostgreSQL rounds floats. */
function roundHalf(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}
