import { isTimeZone } from '@hedron/contract'
import { DataError } from '../queries/data-error.ts'
import { algorithmNames } from '../queries/tokens/algorithms.ts'
import { isScope, scopeNames } from '../queries/tokens/token-scopes.ts'

const faultCode = 'variable_invalid'

type Variables = Readonly<Record<string, string>>

/** What a variable's text means, or why it means nothing. The text has something in it, and nothing around it. */
type Read<T> = (text: string) => { readonly value: T } | { readonly refused: string }

const count: Read<number> = text =>
  /^\d{1,15}$/.test(text) && Number(text) > 0
    ? { value: Number(text) }
    : { refused: 'it is not a whole number above zero' }

const finite: Read<number> = text =>
  Number.isFinite(Number(text)) ? { value: Number(text) } : { refused: 'it is not a number' }

const yesOrNo: Read<boolean> = text => {
  if (/^(true|1|yes|on)$/i.test(text)) return { value: true }
  return /^(false|0|no|off)$/i.test(text) ? { value: false } : { refused: 'it is neither true nor false' }
}

const anyText: Read<string> = value => ({ value })

/** A folder of the project, without slashes at its ends. */
const folder: Read<string> = text => {
  const path = text.replace(/^(\.?\/)+|\/+$/g, '')
  const isPath = path !== '' && path.split('/').every(name => name !== '' && name !== '.' && name !== '..')
  return isPath ? { value: path } : { refused: "it is not the path of a folder below the project's root" }
}

const zone: Read<string> = text =>
  isTimeZone(text) ? { value: text } : { refused: 'it is not the name of a time zone, such as Europe/Berlin' }

/** @param what of a list of which each has to be one */
const listOf =
  (isOne: (item: string) => boolean, what: string): Read<readonly string[]> =>
  text => {
    const items = text.split(',').map(item => item.trim())
    const given = items.filter(item => item !== '')
    const strange = given.find(item => !isOne(item))
    if (strange === undefined) return { value: given }
    return { refused: `${JSON.stringify(strange.slice(0, 100))} in it is not ${what}` }
  }

/** The variables of a deployment that have to be read, but for those of its data sources, which `@hedron/query` reads. */
const readers = {
  CUBE_CLOUD_AGENTS_CONFIG_ENABLED: yesOrNo,
  CUBE_CLOUD_AGENTS_CONFIG_PATH: folder,
  CUBEJS_DB_QUERY_LIMIT: count,
  CUBEJS_DB_QUERY_DEFAULT_LIMIT: count,
  CUBEJS_MAX_SESSIONS: count,
  CUBESQL_AUTH_EXPIRE_SECS: count,
  CUBEJS_DEFAULT_TIMEZONE: zone,
  CUBEJS_SCHEDULED_REFRESH_TIMEZONES: listOf(isTimeZone, 'the name of a time zone, such as Europe/Berlin'),
  CUBEJS_ALLOW_UNGROUPED_WITHOUT_PRIMARY_KEY: yesOrNo,
  CUBEJS_ROLLUP_ONLY: yesOrNo,
  CUBEJS_PRE_AGGREGATIONS_BUILDER: yesOrNo,
  CUBEJS_WEB_SOCKETS: yesOrNo,
  CUBEJS_ACCESS_POLICY_MASK_STRING: anyText,
  CUBEJS_ACCESS_POLICY_MASK_NUMBER: finite,
  CUBEJS_ACCESS_POLICY_MASK_BOOLEAN: yesOrNo,
  CUBEJS_ACCESS_POLICY_MASK_TIME: anyText,
  CUBEJS_JWT_ALGS: listOf(name => algorithmNames.includes(name), `one of ${algorithmNames.join(', ')}`),
  CUBEJS_DEFAULT_API_SCOPES: listOf(isScope, `one of ${scopeNames.join(', ')}`),
} satisfies Readonly<Record<string, Read<unknown>>>

type Readers = typeof readers
type Value<N extends keyof Readers> = Readers[N] extends Read<infer T> ? T : never

/**
 * What a variable says; undefined where it is absent or blank.
 *
 * @throws {DataError} 500 with `code` `variable_invalid`, naming the variable: one that was stored before it was looked at
 */
export function readVariable<N extends keyof Readers>(variables: Variables, name: N): Value<N> | undefined
export function readVariable(variables: Variables, name: keyof Readers): unknown {
  const text = variables[name]?.trim()
  if (!text) return undefined
  const read = readers[name](text)
  if ('value' in read) return read.value
  throw new DataError(500, `Error: ${name} cannot be used: ${read.refused}`, { code: faultCode })
}

/** Whether it is what `readVariable` throws. */
export const isVariableFault = (error: unknown): boolean => error instanceof DataError && error.body.code === faultCode

/** Why a value cannot be given to a variable; undefined where it can, or nobody reads the variable. The value is not in it, parts of a list are. */
export function faultOf(name: string, value: string): string | undefined {
  const text = value.trim()
  const read = text === '' || !isReadVariable(name) ? undefined : readers[name](text)
  return read && 'refused' in read ? read.refused : undefined
}

/** Whether it is one of those that `readVariable` reads. */
export const isReadVariable = (name: string): name is keyof Readers => Object.hasOwn(readers, name)
