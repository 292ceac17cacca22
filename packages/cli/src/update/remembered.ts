import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { Effects } from '../effects.ts'
import { isRecord, parseJson } from '../framework/json.ts'

/** What an earlier look for releases found. */
export interface Remembered {
  /** Milliseconds since 1970. */
  readonly checkedAt: number
  readonly latest: string | null
}

type Place = Pick<Effects, 'environment' | 'platform' | 'homeDirectory'>

const never: Remembered = { checkedAt: 0, latest: null }

export async function readRemembered(place: Place): Promise<Remembered> {
  const value = parseJson(await readFile(pathOf(place), 'utf8').catch(() => ''))
  if (!isRecord(value) || typeof value.checkedAt !== 'number') return never
  return { checkedAt: value.checkedAt, latest: typeof value.latest === 'string' ? value.latest : null }
}

/** Where it cannot be kept nothing is kept: it only saves a request. */
export async function remember(place: Place, found: Remembered): Promise<void> {
  const path = pathOf(place)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, `${JSON.stringify(found)}\n`, { mode: 0o600 })
  } catch {
    // A read-only home or a full disk.
  }
}

function pathOf({ environment, platform, homeDirectory }: Place): string {
  const local = environment.LOCALAPPDATA ?? ''
  if (platform === 'win32' && local !== '') return join(local, 'hedron', 'update.json')
  const base = environment.XDG_CACHE_HOME ?? ''
  return join(isAbsolute(base) ? base : join(homeDirectory, '.cache'), 'hedron', 'update.json')
}
