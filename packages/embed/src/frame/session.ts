import { readClaims, type SessionClaims } from './claims.ts'

/** How a session stands. */
export type SessionState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly claims: SessionClaims }
  /** No session id came with the address, and nobody is signed in with this browser. */
  | { readonly kind: 'none' }
  /** Its id was exchanged before, is unknown or older than five minutes; the server does not tell which. */
  | { readonly kind: 'used' }
  /** It was open and is not any more: revoked, too old, or its user is gone. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'off' }
  | { readonly kind: 'failed'; readonly message: string }

export interface Session {
  readonly state: SessionState
  subscribe(listener: () => void): () => void
  /** The token to send; waits for one that is being fetched. @throws {SessionOver} where there is none. */
  token(): Promise<string>
  /** A request was refused with it: gets another one. @returns whether there is one to try again with. */
  refused(token: string): Promise<boolean>
  /** Takes a new session id of the host's server in place of the one before. */
  replace(sessionId: string): Promise<void>
  /** Looks whether it is time to renew: after sleep, when the network is back, when the page is seen again. */
  wake(): void
  close(): void
}

/** Nobody is signed in with a session that is good. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver'
}

interface SessionNeed {
  /** Null: the page was opened without one, and is of whoever is signed in with this browser. */
  readonly sessionId: string | null
  /** What the page is of, where somebody who is signed in may look at it; null: nobody may without a session. */
  readonly privatePage: { readonly publicId?: string } | null
  readonly fetch: typeof fetch
  readonly now: () => number
  /** Told when the session ends soon or has ended, so that the host can be asked for another. */
  readonly onEnding: (reason: 'ending' | 'ended' | 'used', millisecondsLeft: number) => void
}

/** Told again at most this often where nobody gave another session, when somebody looks at the page. */
const tellAgainAfter = 30_000
/** How often it is looked whether to renew, since timers stand still while a machine sleeps. */
const lookEvery = 30_000
/** Renewed this long before its end, or at three quarters of its life where it is short. */
const renewBefore = 3_600_000
const longestPause = 30_000

/**
 * The session of a frame: its id is exchanged once for a token, which is kept in memory alone and renewed before it ends
 * (contract/behaviour/embed.md section 1). Ends are reckoned by the server's clock as the token's `iat` tells it, so a wrong clock of the machine
 * changes nothing.
 */
export function createSession(need: SessionNeed): Session {
  let state: SessionState =
    need.sessionId === null && need.privatePage === null ? { kind: 'none' } : { kind: 'opening' }
  let held: { readonly token: string; readonly claims: SessionClaims; readonly skew: number } | null = null
  /** The exchange or renewal under way: one for all who wait. */
  let pending: Promise<void> | null = null
  let failures = 0
  let retryAt = 0
  let wasTold = false
  /** The end that the host was told of, while there is no other session. */
  let told: { readonly reason: 'ended' | 'used'; readonly at: number } | null = null
  const listeners = new Set<() => void>()
  const timer = setInterval(look, lookEvery)
  const privatePage = need.sessionId === null ? need.privatePage : null
  if (need.sessionId !== null) void begin(() => exchange(need.sessionId ?? ''))
  else if (privatePage !== null) void begin(openPrivately)

  return {
    get state() {
      return state
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async token() {
      if (pending !== null && (held === null || millisecondsLeft() <= 0)) await pending
      if (held !== null && millisecondsLeft() <= 0) await begin(renew)
      if (held === null || state.kind !== 'open') throw new SessionOver(state.kind)
      return held.token
    },
    async refused(token) {
      if (held === null) return false
      // Somebody else had it renewed meanwhile.
      if (held.token !== token) return true
      await begin(renew)
      return held !== null && held.token !== token
    },
    async replace(sessionId) {
      await pending
      wasTold = false
      await begin(() => exchange(sessionId))
    },
    wake() {
      look()
      // Somebody may have signed in meanwhile, on another page of this browser.
      if (privatePage !== null && (state.kind === 'none' || state.kind === 'ended')) void begin(openPrivately)
      if (told === null || pending !== null || need.now() - told.at < tellAgainAfter) return
      told = { ...told, at: need.now() }
      need.onEnding(told.reason, 0)
    },
    close() {
      clearInterval(timer)
      listeners.clear()
    },
  }

  function set(next: SessionState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function begin(work: () => Promise<void>): Promise<void> {
    pending ??= work().finally(() => {
      pending = null
    })
    return pending
  }

  function look(): void {
    if (held === null || state.kind !== 'open' || pending !== null || need.now() < retryAt) return
    const { claims } = held
    const life = claims.expiresAt - claims.issuedAt
    const left = millisecondsLeft()
    if (left < Math.min(renewBefore, life / 4)) void begin(renew)
  }

  function millisecondsLeft(): number {
    return held === null ? 0 : held.claims.expiresAt - (need.now() + held.skew)
  }

  async function exchange(sessionId: string): Promise<void> {
    if (held === null) set({ kind: 'opening' })
    // A network that fails before the server has it leaves the id good; one that fails after does not, which the next answer tells.
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await post('/api/v1/embed/session/token', { sessionId })
        if (response.ok) return take(await response.json())
        if (response.status === 403) return over({ kind: 'off' }, 'ended')
        if (response.status < 500 && response.status !== 429) return over({ kind: 'used' }, 'used')
        if (attempt >= 5) return set({ kind: 'failed', message: `HTTP ${response.status}` })
      } catch (error) {
        if (attempt >= 5)
          return set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
      }
      await new Promise(resolve => setTimeout(resolve, Math.min(longestPause, 400 * 2 ** attempt)))
    }
  }

  /** Private embedding: the cookie of who is signed in goes to this one address alone; all else goes by the token that comes of it. */
  async function openPrivately(): Promise<void> {
    try {
      const response = await post('/embed/private-session', privatePage ?? {}, undefined, 'same-origin')
      if (response.ok) {
        const { sessionId }: { sessionId?: unknown } = Object(await response.json())
        return await exchange(String(sessionId))
      }
      if (response.status === 401) return set({ kind: 'none' })
      if (response.status === 403 || response.status === 404) return set({ kind: 'off' })
      set({ kind: 'failed', message: `HTTP ${response.status}` })
    } catch (error) {
      set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  async function renew(): Promise<void> {
    const before = held
    if (before === null) return
    try {
      const response = await post('/api/v1/embed/session/renew', undefined, before.token)
      if (response.ok) {
        failures = 0
        take(await response.json())
        tellWhenLast(before.claims)
        return
      }
      if (response.status === 401) return over({ kind: 'ended' }, 'ended')
      if (response.status === 403) return over({ kind: 'off' }, 'ended')
    } catch {
      // The network is away: tried again, and at once when it is back.
    }
    failures++
    retryAt = need.now() + Math.min(longestPause, 1000 * 2 ** failures)
    if (millisecondsLeft() <= 0) over({ kind: 'ended' }, 'ended')
  }

  function take(answer: unknown): void {
    const { token: read }: { token?: unknown } = Object(answer)
    const token = String(read)
    const claims = readClaims(token)
    held = { token, claims, skew: claims.issuedAt - need.now() }
    retryAt = 0
    told = null
    set({ kind: 'open', claims })
  }

  /** No renewal goes beyond the longest life of a session: the host is asked in time for another one. */
  function tellWhenLast(before: SessionClaims): void {
    if (held === null || held.claims.expiresAt - before.expiresAt >= 60_000 || wasTold) return
    wasTold = true
    need.onEnding('ending', Math.max(0, millisecondsLeft()))
  }

  function over(next: SessionState, reason: 'ended' | 'used'): void {
    held = null
    wasTold = false
    told = { reason, at: need.now() }
    set(next)
    need.onEnding(reason, 0)
  }

  function post(
    path: string,
    body: object | undefined,
    token?: string,
    credentials: 'omit' | 'same-origin' = 'omit',
  ): Promise<Response> {
    return need.fetch(path, {
      method: 'POST',
      // Embedded pages use no cookies: browsers keep them from frames in pages of other sites.
      credentials,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Embed-Token ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
  }
}
