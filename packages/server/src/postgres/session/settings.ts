import { isTimezone } from '@hedron/semantic'
import type { SettingRow } from '@hedron/sql'
import { PgError } from '../protocol/pg-error.ts'

interface SettingDefinition {
  readonly initial: string
  readonly description: string
  /** Clients are told its value at the start and whenever it changes. */
  readonly reported?: string
  /** It cannot be set. */
  readonly fixed?: true
  /** @returns the value to keep. @throws {PgError} 22023 */
  readonly check?: (value: string) => string
}

const invalid = (name: string, value: string, hint?: string) =>
  new PgError(
    '22023',
    `invalid value for parameter "${name}": "${value.slice(0, 100)}"`,
    hint === undefined ? {} : { hint },
  )

const oneOf = (name: string, allowed: readonly string[]) => (value: string) => {
  const found = allowed.find(each => each.toLowerCase() === value.toLowerCase())
  if (found === undefined) throw invalid(name, value, `Available values: ${allowed.join(', ')}.`)
  return found
}
const isolations = ['read uncommitted', 'read committed', 'repeatable read', 'serializable']
const booleans = (name: string) => (value: string) => {
  if (/^(on|true|yes|1)$/i.test(value)) return 'on'
  if (/^(off|false|no|0)$/i.test(value)) return 'off'
  throw invalid(name, value)
}
const units: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }
const duration = (name: string) => (value: string) => {
  const [, count = '', unit = ''] = /^\s*(\d{1,10})\s*(ms|s|min|h|d|)\s*$/.exec(value) ?? []
  const milliseconds = Number(count) * (units[unit] ?? 1)
  if (count === '' || milliseconds > 2_147_483_647) throw invalid(name, value)
  return String(milliseconds)
}

/** A zone that there is a history of, or whole hours: east of Greenwich alone, west behind a name, as PostgreSQL has both. */
function timeZone(value: string): string {
  if (isTimezone(value)) return value
  const [, name = '', sign = '+', digits = ''] = /^\s*(gmt|utc|)\s*([-+]?)(\d{1,2})(?::?00)?\s*$/i.exec(value) ?? []
  const hours = Number(digits) * (sign === '-' ? -1 : 1) * (name === '' ? -1 : 1)
  const zone = hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '+' : ''}${hours}`
  if (digits === '' || (name === '' && value.includes(':')) || !isTimezone(zone)) throw invalid('TimeZone', value)
  return zone
}

function dateStyle(value: string): string {
  const words = value.toLowerCase().split(/[\s,]+/)
  const order = words.includes('dmy') ? 'DMY' : words.includes('ymd') ? 'YMD' : 'MDY'
  if (words.some(word => !['iso', 'mdy', 'dmy', 'ymd', 'us', 'european', ''].includes(word))) {
    throw invalid('DateStyle', value, 'Moments are written in ISO style.')
  }
  return `ISO, ${order}`
}

function encoding(value: string): string {
  if (/^(utf-?8|unicode|default)$/i.test(value)) return 'UTF8'
  throw invalid('client_encoding', value, 'The only encoding is UTF8.')
}

const any = (initial: string, description: string): SettingDefinition => ({ initial, description })
const fixed = (initial: string, description: string, reported?: string): SettingDefinition => ({
  initial,
  description,
  fixed: true,
  ...(reported === undefined ? {} : { reported }),
})

/** Every setting by its name in lower case; others are unknown, but those with a dot, which are the client's own. */
const definitions: ReadonlyMap<string, SettingDefinition> = new Map(
  Object.entries<SettingDefinition>({
    application_name: { ...any('', 'Name of the client'), reported: 'application_name' },
    client_encoding: { ...any('UTF8', 'Encoding of the client'), reported: 'client_encoding', check: encoding },
    datestyle: { ...any('ISO, MDY', 'How moments are written'), reported: 'DateStyle', check: dateStyle },
    timezone: {
      ...any('UTC', 'Time zone of date ranges and of cutting moments'),
      reported: 'TimeZone',
      check: timeZone,
    },
    intervalstyle: {
      ...any('postgres', 'How intervals are written'),
      reported: 'IntervalStyle',
      check: oneOf('IntervalStyle', ['postgres']),
    },
    standard_conforming_strings: {
      ...any('on', 'Backslashes in texts are themselves'),
      reported: 'standard_conforming_strings',
      check: oneOf('standard_conforming_strings', ['on']),
    },
    default_transaction_read_only: {
      ...any('off', 'Nothing is ever written'),
      reported: 'default_transaction_read_only',
      check: booleans('default_transaction_read_only'),
    },
    cube_cache: {
      ...any('stale-if-slow', 'How results of the cache are used'),
      check: oneOf('cube_cache', ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache']),
    },
    statement_timeout: {
      ...any('0', 'Longest time of a statement in milliseconds; 0: no limit of its own'),
      check: duration('statement_timeout'),
    },
    lock_timeout: { ...any('0', 'Nothing is locked'), check: duration('lock_timeout') },
    idle_in_transaction_session_timeout: {
      ...any('0', 'Transactions hold nothing'),
      check: duration('idle_in_transaction_session_timeout'),
    },
    idle_session_timeout: {
      ...any('0', 'Longest time without a statement in milliseconds; 0: the limit of the server'),
      check: duration('idle_session_timeout'),
    },
    search_path: any('"$user", public', 'Where tables are looked for: in public'),
    extra_float_digits: any('1', 'Numbers are written with all their digits'),
    bytea_output: { ...any('hex', 'How bytes are written'), check: oneOf('bytea_output', ['hex']) },
    client_min_messages: any('notice', 'Notices are always sent'),
    transaction_isolation: {
      ...any('read committed', 'Each statement sees the data of its time'),
      check: oneOf('transaction_isolation', isolations),
    },
    default_transaction_isolation: {
      ...any('read committed', 'Each statement sees the data of its time'),
      check: oneOf('default_transaction_isolation', isolations),
    },
    transaction_read_only: { ...any('off', 'Nothing is ever written'), check: booleans('transaction_read_only') },
    transaction_deferrable: { ...any('off', 'Nothing is ever written'), check: booleans('transaction_deferrable') },
    default_transaction_deferrable: {
      ...any('off', 'Nothing is ever written'),
      check: booleans('default_transaction_deferrable'),
    },
    synchronous_commit: any('on', 'Nothing is ever written'),
    row_security: { ...any('on', 'Access policies always hold'), check: oneOf('row_security', ['on']) },
    work_mem: any('4MB', 'Memory is the server’s to give'),
    geqo: any('on', 'Plans are made without a search'),
    enable_seqscan: any('on', 'Plans are made without a search'),
    jit: any('off', 'Statements are not compiled'),
    role: { ...any('none', 'Roles are not changed'), check: oneOf('role', ['none']) },
    server_version: fixed('15.0', 'Version of PostgreSQL whose protocol is spoken', 'server_version'),
    server_version_num: fixed('150000', 'The same as a number'),
    server_encoding: fixed('UTF8', 'Encoding of the server', 'server_encoding'),
    integer_datetimes: fixed('on', 'Moments are sent as integers', 'integer_datetimes'),
    in_hot_standby: fixed('off', 'This is no replica', 'in_hot_standby'),
    is_superuser: fixed('off', 'Nobody is a superuser', 'is_superuser'),
    max_identifier_length: fixed('63', 'Longest name'),
    max_index_keys: fixed('32', 'Columns of an index'),
    block_size: fixed('8192', 'Size of a block'),
    lc_collate: fixed('C.UTF-8', 'Order of texts'),
    lc_ctype: fixed('C.UTF-8', 'Classes of characters'),
    lc_messages: fixed('C', 'Language of messages'),
    lc_monetary: fixed('C', 'How money is written'),
    lc_numeric: fixed('C', 'How numbers are written'),
    max_connections: fixed('1024', 'Sessions at once'),
    ssl: fixed('off', 'Whether connections can be encrypted'),
    wal_level: fixed('minimal', 'Nothing is ever written'),
    default_tablespace: any('', 'There are no tablespaces'),
    default_table_access_method: any('heap', 'Nothing is ever written'),
    xmloption: any('content', 'There is no XML'),
    tcp_keepalives_idle: any('60', 'Silence before a client is asked whether it is there'),
    session_authorization: fixed('', 'User of the session', 'session_authorization'),
  }),
)

const longNames: Readonly<Record<string, string>> = {
  'time zone': 'timezone',
  names: 'client_encoding',
  'transaction isolation level': 'transaction_isolation',
  'session authorization': 'session_authorization',
}

interface SettingState {
  readonly value: string | null
  readonly isChosen: boolean
}

interface Undo {
  readonly committed: SettingState
  readonly rolledBack: SettingState
}

/** The run-time settings of one session. */
export function createSettings(
  user: string,
  startup: ReadonlyMap<string, string>,
  changed: (name: string, value: string) => void,
) {
  const initials = new Map([...definitions].map(([name, { initial }]) => [name, initial]))
  initials.set('session_authorization', user)
  const values = new Map(initials)
  const own = new Map<string, string>()
  const chosen = new Set<string>()

  /** What the settings that a transaction changed are at its end. */
  let undoing: Map<string, Undo> | null = null

  const keyOf = (name: string) => longNames[name.toLowerCase()] ?? name.toLowerCase()
  const unknown = (name: string) => new PgError('42704', `unrecognized configuration parameter "${name.slice(0, 100)}"`)

  const stateOf = (key: string): SettingState => ({
    value: values.get(key) ?? own.get(key) ?? null,
    isChosen: chosen.has(key),
  })

  function change(name: string, key: string, value: string | null): string {
    const definition = definitions.get(key)
    if (!definition) {
      if (!key.includes('.') || own.size >= 100) throw unknown(name)
      restore(key, { value: value?.slice(0, 10_000) ?? null, isChosen: false })
      return value ?? ''
    }
    // As DISCARD ALL and drivers set them, to what they are.
    if (definition.fixed && (value === null || value === values.get(key))) return values.get(key) ?? ''
    if (definition.fixed) throw new PgError('55P02', `parameter "${name}" cannot be changed`)
    const kept = value === null ? (initials.get(key) ?? '') : (definition.check?.(value) ?? value.slice(0, 1000))
    restore(key, { value: kept, isChosen: value !== null || startup.has(key) })
    return kept
  }

  function restore(key: string, { value, isChosen }: SettingState): void {
    const definition = definitions.get(key)
    if (!definition) {
      if (value === null) own.delete(key)
      else own.set(key, value)
      return
    }
    if (isChosen) chosen.add(key)
    else chosen.delete(key)
    if (value === null || values.get(key) === value) return
    values.set(key, value)
    if (definition.reported) changed(definition.reported, value)
  }

  const settings = {
    get: (name: string): string | undefined => values.get(keyOf(name)) ?? own.get(keyOf(name)),
    /** Whether it was chosen rather than left as it is by itself. */
    isSet: (name: string): boolean => chosen.has(keyOf(name)),
    /**
     * @param value null: what it was at the start
     * @param isLocal until the end of the transaction
     * @throws {PgError} 42704, 22023, 55P02
     */
    set(name: string, value: string | null, isLocal = false): string {
      const key = keyOf(name)
      const before = stateOf(key)
      const kept = change(name, key, value)
      const undo = undoing?.get(key)
      undoing?.set(key, {
        rolledBack: undo?.rolledBack ?? before,
        committed: isLocal ? (undo?.committed ?? before) : stateOf(key),
      })
      return kept
    },
    startTransaction(): void {
      undoing = new Map()
    },
    /** What was set locally, or in a transaction that is rolled back, is what it was before. */
    endTransaction(isCommitted: boolean): void {
      const states = undoing ?? new Map<string, Undo>()
      undoing = null
      for (const [key, { committed, rolledBack }] of states) restore(key, isCommitted ? committed : rolledBack)
    },
    resetAll(): void {
      for (const [name, { fixed: isFixed }] of definitions) if (!isFixed) settings.set(name, null)
      own.clear()
    },
    /** What a client is told at the start. */
    reported: (): readonly (readonly [string, string])[] =>
      [...definitions].flatMap(([name, { reported }]) =>
        reported ? [[reported, values.get(name) ?? ''] as const] : [],
      ),
    all: (): readonly SettingRow[] =>
      [...definitions]
        .map(([name, { initial, description, reported }]) => ({
          name: reported ?? name,
          value: values.get(name) ?? '',
          initial,
          description,
        }))
        .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
    /** Every value by its name in lower case. */
    snapshot: (): ReadonlyMap<string, string> => new Map([...own, ...values]),
    /** As `SHOW` heads its column. */
    titleOf: (name: string): string => definitions.get(keyOf(name))?.reported ?? keyOf(name),
  }
  for (const [name, value] of startup) {
    if (definitions.has(keyOf(name)) || name.includes('.')) initials.set(keyOf(name), settings.set(name, value))
    else throw unknown(name)
  }
  return settings
}
export type Settings = ReturnType<typeof createSettings>
