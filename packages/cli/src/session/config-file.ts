import { chmod, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { parse, stringify, type TomlTable } from 'smol-toml'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { isRecord, type JsonRecord } from '../framework/json.ts'
import { withFileLock } from './file-lock.ts'

/** Credentials for one server. */
export interface SavedContext {
  readonly url: string
  /** An API key, or an access token where there is a refresh token. */
  readonly apiKey: string
  readonly refreshToken?: string | undefined
}

export interface Config {
  readonly defaultContext: string | undefined
  /** By name, in alphabetical order. */
  readonly contexts: ReadonlyMap<string, SavedContext>
}

type ConfigEffects = Pick<Effects, 'environment' | 'platform' | 'homeDirectory' | 'now' | 'sleep' | 'randomId'>

/** A change takes a moment. */
const lockTimes = { patience: 5_000, lifetime: 10_000 }

/** `$XDG_CONFIG_HOME/hedron/config.toml`, else below `~/.config`; below `%APPDATA%` on Windows. */
export function configPath({ environment, platform, homeDirectory }: ConfigEffects): string {
  const roaming = environment.APPDATA ?? ''
  if (platform === 'win32' && roaming !== '') return join(roaming, 'hedron', 'config.toml')
  const base = environment.XDG_CONFIG_HOME ?? ''
  // The XDG specification has relative paths ignored.
  return join(isAbsolute(base) ? base : join(homeDirectory, '.config'), 'hedron', 'config.toml')
}

/**
 * The saved contexts; none where there is no file yet.
 *
 * @throws {Failure} `config_unreadable`, `config_invalid`
 */
export async function readConfig(effects: ConfigEffects): Promise<Config> {
  const path = configPath(effects)
  return configOf(await readTable(path), path)
}

/**
 * Changes the file under a lock: it is read afresh, changed and replaced in one step, so that runs side by side lose nothing
 * of each other's. Keys that this version does not know stay. Gives the path of the file.
 *
 * @throws {Failure} `config_locked` when another run holds the lock for longer than five seconds
 */
export async function updateConfig(effects: ConfigEffects, change: (config: Config) => Config): Promise<string> {
  const path = configPath(effects)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await chmod(dirname(path), 0o700).catch(() => {})
  } catch (error) {
    throw new Failure('config_unwritable', { path }, error)
  }
  await withFileLock(`${path}.lock`, effects, lockTimes, async assertHeld => {
    const table = await readTable(path)
    const next = merged(table, change(configOf(table, path)))
    try {
      await replaceFile(path, stringify(next), effects.randomId(), assertHeld)
    } catch (error) {
      throw error instanceof Failure ? error : new Failure('config_unwritable', { path }, error)
    }
  })
  return path
}

/** Contexts, sorted by name; the file's order is not kept. */
export const sortedContexts = (contexts: Iterable<readonly [string, SavedContext]>): Map<string, SavedContext> =>
  new Map([...contexts].sort(([a], [b]) => (a < b ? -1 : 1)))

async function readTable(path: string): Promise<TomlTable> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return {}
    throw new Failure('config_unreadable', { path }, error)
  }
  try {
    return parse(text)
  } catch (error) {
    throw new Failure('config_invalid', { path, reason: error instanceof Error ? error.message : String(error) })
  }
}

function configOf(table: TomlTable, path: string): Config {
  const invalid = (reason: string) => new Failure('config_invalid', { path, reason })
  const textAt = (record: Readonly<Record<string, unknown>>, key: string, where: string) => {
    const value = record[key]
    if (value !== undefined && typeof value !== 'string') throw invalid(`${where}${key} is not a string`)
    return value
  }
  const saved = table.contexts ?? {}
  if (!isRecord(saved)) throw invalid('contexts is not a table')
  const contexts = Object.entries(saved).map(([name, value]) => {
    if (!isRecord(value)) throw invalid(`contexts.${name} is not a table`)
    const url = textAt(value, 'url', `contexts.${name}.`)
    const apiKey = textAt(value, 'api_key', `contexts.${name}.`)
    if (url === undefined) throw invalid(`contexts.${name}.url is missing`)
    if (apiKey === undefined) throw invalid(`contexts.${name}.api_key is missing`)
    return [name, { url, apiKey, refreshToken: textAt(value, 'refresh_token', `contexts.${name}.`) }] as const
  })
  return { defaultContext: textAt(table, 'default_context', ''), contexts: sortedContexts(contexts) }
}

/** The file's table with the contexts as they now are; whatever else stands in it is kept. */
function merged(table: TomlTable, { defaultContext, contexts }: Config): JsonRecord {
  const { default_context: _, contexts: previous, ...others } = table
  const known = isRecord(previous) ? previous : {}
  const entries = [...sortedContexts(contexts)].map(([name, { url, apiKey, refreshToken }]) => {
    const before = known[name]
    const { refresh_token: __, ...kept } = isRecord(before) ? before : {}
    return [
      name,
      { ...kept, url, api_key: apiKey, ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }) },
    ]
  })
  return {
    ...(defaultContext === undefined ? {} : { default_context: defaultContext }),
    ...others,
    contexts: Object.fromEntries(entries),
  }
}

/** Writes beside the file and renames over it; follows a symbolic link, so that a linked file stays one. */
async function replaceFile(path: string, text: string, id: string, assertHeld: () => Promise<void>): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${id}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await assertHeld()
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const isSystemError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
