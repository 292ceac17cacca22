import { CatalogError } from '../catalog-error.ts'
import { writeValue } from '../evaluate/cast.ts'
import { quoteIdentifier } from '../evaluate/identifiers.ts'
import { writeType } from '../values/types.ts'
import { isArray, type Value } from '../values/value.ts'
import { define, type FunctionDefinition } from './definitions.ts'

const yes = () => true
const nothing = () => null
const zero = () => 0

/** Relations that somebody may look into: all that the caller sees; nothing can be written. */
const mayRead = (values: readonly Value[]): boolean => {
  const wanted = String(values.at(-1) ?? '')
    .toLowerCase()
    .split(',')
    .map(word => word.trim())
  return wanted.some(
    word => word === 'select' || word === 'usage' || word === 'connect' || word === 'execute' || word === 'member',
  )
}

const privileges: FunctionDefinition[] = [
  ...[
    'has_table_privilege',
    'has_any_column_privilege',
    'has_schema_privilege',
    'has_database_privilege',
    'has_function_privilege',
    'has_sequence_privilege',
    'has_type_privilege',
    'has_language_privilege',
    'has_tablespace_privilege',
    'has_server_privilege',
    'has_foreign_data_wrapper_privilege',
  ].flatMap(name => [define(`${name}(any, any, text) bool`, mayRead), define(`${name}(any, text) bool`, mayRead)]),
  define('has_column_privilege(any, any, any, text) bool', mayRead),
  define('has_column_privilege(any, any, text) bool', mayRead),
  define('pg_has_role(any, any, text) bool', yes),
  define('pg_has_role(any, text) bool', yes),
]

/** What describes relations, types and comments (PostgreSQL documentation, "System Catalog Information Functions"). */
const descriptions: FunctionDefinition[] = [
  define('?format_type(oid, int4) text', ([oid, modifier]) =>
    typeof oid === 'number' ? writeType(oid, typeof modifier === 'number' ? modifier : null) : null,
  ),
  define('obj_description(oid, name) text', ([oid, catalog], { view }) =>
    catalog === 'pg_class' ? view.comment(Number(oid), 0) : null,
  ),
  define('obj_description(oid) text', ([oid], { view }) => view.comment(Number(oid), 0)),
  define('col_description(oid, int4) text', ([oid, column], { view }) => view.comment(Number(oid), Number(column))),
  define('shobj_description(oid, name) text', nothing),
  define('?pg_get_expr(any, oid) text', nothing),
  define('?pg_get_expr(any, oid, bool) text', nothing),
  define('pg_get_viewdef(any) text', nothing),
  define('pg_get_viewdef(any, any) text', nothing),
  define('pg_get_functiondef(oid) text', nothing),
  define('pg_get_function_result(oid) text', nothing),
  define('pg_get_function_arguments(oid) text', nothing),
  define('pg_get_function_identity_arguments(oid) text', nothing),
  define('pg_get_ruledef(oid) text', nothing),
  define('pg_get_ruledef(oid, bool) text', nothing),
  define('pg_get_triggerdef(oid) text', nothing),
  define('pg_get_triggerdef(oid, bool) text', nothing),
  define('pg_get_partkeydef(oid) text', nothing),
  define('pg_get_partition_constraintdef(oid) text', nothing),
  define('pg_get_statisticsobjdef_columns(oid) text', nothing),
  define('pg_get_serial_sequence(text, text) text', nothing),
  define('pg_get_constraintdef(oid) text', ([oid], { view }) => view.constraintText(Number(oid))),
  define('pg_get_constraintdef(oid, bool) text', ([oid], { view }) => view.constraintText(Number(oid))),
  define('pg_get_indexdef(oid) text', ([oid], { view }) => view.indexText(Number(oid), 0)),
  define('pg_get_indexdef(oid, int4, bool) text', ([oid, column, pretty], { view }) => {
    const text = view.indexText(Number(oid), Number(column))
    return pretty === true ? (text?.replace(' ON public.', ' ON ') ?? null) : text
  }),
  define('pg_get_userbyid(oid) name', ([oid], { view }) =>
    roleName(view.table('pg_catalog', 'pg_roles')?.rows() ?? [], oid ?? null),
  ),
  define('pg_table_is_visible(oid) bool', ([oid], { view }) => {
    const found = view.relationByOid(Number(oid))
    return found ? found.schema === 'public' || found.schema === 'pg_catalog' : null
  }),
  ...[
    'pg_type_is_visible',
    'pg_function_is_visible',
    'pg_operator_is_visible',
    'pg_opclass_is_visible',
    'pg_collation_is_visible',
    'pg_ts_config_is_visible',
    'pg_statistics_obj_is_visible',
  ].map(name => define(`${name}(oid) bool`, yes)),
  ...['to_regclass', 'to_regtype', 'to_regnamespace', 'to_regproc', 'to_regrole'].map(name => {
    const type = name.slice(3)
    return define(`${name}(text) ${type}`, ([text], { view }) => {
      if (type === 'regclass') {
        const [relation = '', schema = null] = String(text).split('.').toReversed()
        return view.relationByName(schema, relation)?.oid ?? null
      }
      return type === 'regnamespace' ? (view.schemas.get(String(text)) ?? null) : null
    })
  }),
  define('pg_relation_is_publishable(oid) bool', () => false),
  define('pg_column_is_updatable(oid, int2, bool) bool', () => false),
  define('pg_relation_is_updatable(oid, bool) int4', zero),
  define('pg_is_other_temp_schema(oid) bool', () => false),
  define('pg_my_temp_schema() oid', zero),
  ...[
    'pg_relation_size',
    'pg_table_size',
    'pg_total_relation_size',
    'pg_indexes_size',
    'pg_database_size',
    'pg_tablespace_size',
  ].map(name => define(`${name}(any) int8`, zero)),
  define('pg_relation_size(any, text) int8', zero),
  define('pg_size_pretty(int8) text', ([size]) => `${size ?? 0} bytes`),
  define('pg_tablespace_location(oid) text', () => ''),
  define('pg_relation_filenode(any) oid', zero),
  define('pg_sequence_last_value(any) int8', nothing),
  define('pg_encoding_to_char(int4) name', ([encoding]) => (encoding === 6 ? 'UTF8' : '')),
  define('pg_char_to_encoding(name) int4', ([name]) =>
    String(name).toUpperCase().replace('-', '') === 'UTF8' ? 6 : -1,
  ),
  define('pg_client_encoding() name', () => 'UTF8'),
  define('getdatabaseencoding() name', () => 'UTF8'),
  define('pg_typeof(any) regtype', (_, { view, types }) =>
    Number(
      view
        .table('pg_catalog', 'pg_type')
        ?.rows()
        .find(row => row[1] === types[0])?.[0] ?? 0,
    ),
  ),
]

function roleName(rows: readonly (readonly Value[])[], oid: Value): Value {
  return rows.find(row => row[12] === oid)?.[0] ?? `unknown (OID=${String(oid)})`
}

/** What a session asks of itself (PostgreSQL documentation, "Session Information Functions"). */
const sessions: FunctionDefinition[] = [
  define('version() text', (_, { view }) => view.session.version),
  define('current_database() name', (_, { view }) => view.session.database),
  define('current_catalog() name', (_, { view }) => view.session.database),
  define('current_schema() name', () => 'public'),
  define('current_schemas(bool) _name', ([implicit]) => (implicit === true ? ['pg_catalog', 'public'] : ['public'])),
  define('pg_backend_pid() int4', (_, { view }) => view.session.processId),
  define('?inet_server_addr() inet', nothing),
  define('?inet_client_addr() inet', nothing),
  define('?inet_server_port() int4', nothing),
  define('?inet_client_port() int4', nothing),
  define('pg_is_in_recovery() bool', () => false),
  define('pg_is_wal_replay_paused() bool', () => false),
  define('pg_postmaster_start_time() timestamptz', (_, { view }) => moment(view.session.now)),
  define('pg_conf_load_time() timestamptz', (_, { view }) => moment(view.session.now)),
  define('txid_current() int8', () => 1),
  define('pg_current_xact_id() int8', () => 1),
  define('now() timestamptz', (_, { view }) => moment(view.session.now)),
  define('current_setting(text) text', ([name], { view }) => {
    const value = view.session.setting(String(name))
    if (value === undefined) throw new CatalogError('42704', `unrecognized configuration parameter "${String(name)}"`)
    return value
  }),
  define('current_setting(text, bool) text', ([name, missing], { view }) => {
    const value = view.session.setting(String(name))
    if (value === undefined && missing !== true)
      throw new CatalogError('42704', `unrecognized configuration parameter "${String(name)}"`)
    return value ?? null
  }),
  define('set_config(text, text, bool) text', ([name, value, isLocal], { view }) =>
    view.session.changeSetting(String(name), String(value), isLocal === true),
  ),
  define('pg_notification_queue_usage() float8', zero),
  define('pg_try_advisory_lock(int8) bool', yes),
  define('pg_advisory_unlock_all() void', () => ''),
]

const moment = (milliseconds: number) =>
  new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '+00')

const texts: FunctionDefinition[] = [
  define('quote_ident(text) text', ([text]) => quoteIdentifier(String(text))),
  define('quote_literal(text) text', ([text]) => `'${String(text).replaceAll("'", "''")}'`),
  define('lower(text) text', ([text]) => String(text).toLowerCase()),
  define('upper(text) text', ([text]) => String(text).toUpperCase()),
  define('length(text) int4', ([text]) => [...String(text)].length),
  define('char_length(text) int4', ([text]) => [...String(text)].length),
  define('btrim(text) text', ([text]) => String(text).replace(/^ +| +$/g, '')),
  define('ltrim(text) text', ([text]) => String(text).replace(/^ +/, '')),
  define('rtrim(text) text', ([text]) => String(text).replace(/ +$/, '')),
  define('left(text, int4) text', ([text, count]) => [...String(text)].slice(0, Number(count)).join('')),
  define('right(text, int4) text', ([text, count]) =>
    Number(count) === 0 ? '' : [...String(text)].slice(-Number(count)).join(''),
  ),
  define('substring(text, int4) text', ([text, from]) =>
    [...String(text)].slice(Math.max(0, Number(from) - 1)).join(''),
  ),
  define('substring(text, int4, int4) text', ([text, from, count]) =>
    [...String(text)].slice(Math.max(0, Number(from) - 1), Math.max(0, Number(from) - 1 + Number(count))).join(''),
  ),
  define('replace(text, text, text) text', ([text, from, to], { run }) => {
    const replaced = from === '' ? String(text) : String(text).replaceAll(String(from), () => String(to))
    run.spend(replaced.length / 10)
    return replaced
  }),
  define('position(text, text) int4', ([text, part]) => String(text).indexOf(String(part)) + 1),
  define('strpos(text, text) int4', ([text, part]) => String(text).indexOf(String(part)) + 1),
  define('starts_with(text, text) bool', ([text, start]) => String(text).startsWith(String(start))),
  ...(['btrim', 'ltrim', 'rtrim'] as const).map(name =>
    define(`${name}(text, text) text`, ([text, characters]) =>
      trimmed(String(text), new Set(String(characters)), name),
    ),
  ),
  define('?format(text, any...) text', ([pattern, ...values], { run, types, view }) => {
    if (pattern === null) return null
    let next = 0
    const text = String(pattern).replace(/%([sIL%])/g, (_, kind: string) => {
      if (kind === '%') return '%'
      const index = next++
      const value = values[index]
      if (value === undefined) throw new CatalogError('22023', 'too few arguments for format()')
      const written = writeValue(view, types[index + 1] ?? 'text', value)
      if (kind === 's') return written ?? ''
      if (kind === 'I') return quoteIdentifier(written ?? '')
      return written === null ? 'NULL' : `'${written.replaceAll("'", "''")}'`
    })
    run.spend(text.length / 10)
    return text
  }),
  define('split_part(text, text, int4) text', ([text, by, index]) =>
    by === ''
      ? String(text)
      : (String(text)
          .split(String(by))
          .at(Number(index) - 1) ?? ''),
  ),
  define('?concat(any...) text', (values, { run }) => {
    const text = values
      .filter(value => value !== null)
      .map(value => (value === true ? 't' : value === false ? 'f' : String(value)))
      .join('')
    run.spend(text.length / 10)
    return text
  }),
]

function trimmed(text: string, characters: ReadonlySet<string>, side: 'btrim' | 'ltrim' | 'rtrim'): string {
  const all = [...text]
  let [from, to] = [0, all.length]
  if (side !== 'rtrim') while (from < to && characters.has(all[from] ?? '')) from += 1
  if (side !== 'ltrim') while (to > from && characters.has(all[to - 1] ?? '')) to -= 1
  return all.slice(from, to).join('')
}

const lists: FunctionDefinition[] = [
  define('array_length(list, int4) int4', ([list, dimension]) =>
    isArray(list ?? null) && dimension === 1 ? sizeOf(list) || null : null,
  ),
  define('array_upper(list, int4) int4', ([list, dimension], { types }) =>
    dimension === 1 && sizeOf(list) > 0 ? sizeOf(list) - (isZeroBased(types) ? 1 : 0) : null,
  ),
  define('array_lower(list, int4) int4', ([list, dimension], { types }) =>
    dimension === 1 && sizeOf(list) > 0 ? (isZeroBased(types) ? 0 : 1) : null,
  ),
  define('cardinality(list) int4', ([list]) => sizeOf(list)),
  define('?array_append(list, any) same', ([list, item]) => [
    ...(isArray(list ?? null) ? listOf(list) : []),
    item ?? null,
  ]),
  define('?array_cat(list, any) same', ([list, other]) => [...listOf(list), ...listOf(other)]),
  define('?array_position(list, any) int4', ([list, item]) => {
    const index = listOf(list).indexOf(item ?? null)
    return index < 0 ? null : index + 1
  }),
  define('array_remove(list, any) same', ([list, item]) => listOf(list).filter(each => each !== item)),
]

const listOf = (value: Value | undefined): readonly Value[] => (value !== undefined && isArray(value) ? value : [])
const sizeOf = (value: Value | undefined): number => listOf(value).length
const isZeroBased = (types: readonly string[]) => types[0] === 'int2vector' || types[0] === 'oidvector'

const numbers: FunctionDefinition[] = [
  define('abs(any) same', ([value]) => Math.abs(Number(value))),
  define('nullif(any, any) same', ([left, right]) => (left === right ? null : (left ?? null))),
  define('age(xid) int4', zero),
  define('mxid_age(xid) int4', zero),
]

/** All functions of one row that statements over the catalogs can use; no other can be called. */
export const catalogFunctions: readonly FunctionDefinition[] = [
  ...privileges,
  ...descriptions,
  ...sessions,
  ...texts,
  ...lists,
  ...numbers,
]
