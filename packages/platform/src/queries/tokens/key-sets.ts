import type { JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Effects } from '../../effects.ts'
import { type KeySet, readKeySet } from './read-key-set.ts'
import { tokenErrors } from './token-error.ts'

/** An unknown key id asks the provider again at most this often, or anybody could make it be asked at will. */
const searchPauseMs = 30_000
/** After a failure the provider is left alone for this long. */
const failurePauseMs = 10_000
/** For how long keys hold that the provider no longer answers for. */
const staleMs = 24 * 3_600_000

interface Known {
  set?: { readonly keys: readonly JWK[]; readonly readAt: number; readonly freshUntil: number }
  reading?: Promise<void>
  searchedAt?: number
  failedAt?: number
}

export interface KeySetsNeed {
  readonly effects: Pick<Effects, 'now'>
  /** Told why a provider's keys could not be read. */
  readonly report: (error: unknown) => void
  readonly read?: (url: string) => Promise<KeySet>
}

export interface KeySets {
  /**
   * The keys of a provider with this id: more than one only where the provider gives an id twice.
   *
   * @param owner providers are remembered for each owner apart
   * @throws {DataError} 403 when the provider has none of that id, 503 when it cannot be asked and was never
   */
  find(owner: number, url: string, kid: string): Promise<readonly JWK[]>
}

/**
 * Remembers the public keys of identity providers. They are read once for all who wait, read again when they are old or a key
 * id is not among them, and hold on for a day while the provider does not answer.
 */
export function createKeySets({ effects, report, read = readKeySet }: KeySetsNeed): KeySets {
  const known = new LRUCache<string, Known>({ max: 1000 })
  const now = () => effects.now().getTime()

  function refresh(state: Known, url: string): Promise<void> {
    state.reading ??= readInto(state, url).finally(() => {
      delete state.reading
    })
    return state.reading
  }

  async function readInto(state: Known, url: string): Promise<void> {
    try {
      const { keys, freshMs } = await read(url)
      state.set = { keys, readAt: now(), freshUntil: now() + freshMs }
      delete state.failedAt
    } catch (error) {
      state.failedAt = now()
      report(new Error('the keys of CUBEJS_JWK_URL could not be read', { cause: error }))
    }
  }

  const mayAsk = ({ failedAt }: Known) => failedAt === undefined || now() - failedAt >= failurePauseMs
  const mayFind = ({ set }: Known, kid: string) => (set?.keys ?? []).filter(key => key.kid === kid)

  return {
    async find(owner, url, kid) {
      const name = `${owner} ${url}`
      const state = known.get(name) ?? {}
      known.set(name, state)
      if ((state.set === undefined || now() >= state.set.freshUntil) && mayAsk(state)) await refresh(state, url)
      if (state.set === undefined || now() - state.set.readAt > staleMs) throw tokenErrors.keysUnavailable()
      const found = mayFind(state, kid)
      if (found.length > 0) return found
      const maySearch = state.searchedAt === undefined || now() - state.searchedAt >= searchPauseMs
      if (state.reading || (maySearch && mayAsk(state))) {
        if (!state.reading) state.searchedAt = now()
        await refresh(state, url)
      }
      const later = mayFind(state, kid)
      if (later.length === 0) throw tokenErrors.keyNotFound(kid)
      return later
    },
  }
}
