import type { HedronEvents } from '../host/elements.d.ts'
import type { Surface } from './address.ts'

/** What a host may ask of a frame; `renew-session` is ours: a new session id of the host's server takes the place of one that ended. */
export type HostAction =
  | 'set-color-scheme'
  | 'set-theme'
  | 'set-locale'
  | 'set-timezone'
  | 'set-filter'
  | 'navigate'
  | 'refresh'
  | 'renew-session'

/** As the host sent it: everything in it is still to be checked. */
export type ActionPayload = Readonly<Record<string, unknown>>

export interface HostChannel {
  /** Whether the page stands in a frame at all. */
  readonly isFramed: boolean
  emit<E extends keyof HedronEvents>(type: E, payload: HedronEvents[E]): void
  /** @returns what stops it. */
  on(type: HostAction, handle: (payload: ActionPayload) => void): () => void
  /** From now on only these origins are heard and told; null: whichever site holds the frame. */
  allow(origins: readonly string[] | null): void
  close(): void
}

/** Events kept for a host whose origin is not known yet, and actions for a page that is not there yet. */
const mostKept = 50

interface ChannelNeed {
  readonly surface: Surface
  readonly window: Window
  readonly now: () => number
}

/**
 * Messages between a frame and the page around it. Only the parent window is heard. Events go to the origin of that page alone: the browser
 * tells it where the host's referrer policy lets it, else the first message of the host does, and until then events are kept. `ready` holds
 * nothing but ids and goes out at once to whoever holds the frame.
 */
export function createHostChannel({ surface, window, now }: ChannelNeed): HostChannel {
  const isFramed = window.parent !== window
  const handlers = new Map<string, Set<(payload: ActionPayload) => void>>()
  let host = isFramed ? originOfHost(window) : null
  let allowed: readonly string[] | null = null
  let kept: object[] = []
  /** Actions that came before the page that they are for. */
  let unheard: { readonly name: string; readonly payload: ActionPayload }[] = []

  const onMessage = (event: MessageEvent) => {
    if (!isFramed || event.source !== window.parent || !isAllowed(event.origin)) return
    if (host !== null && event.origin !== host) return
    const { data } = event
    if (typeof data !== 'object' || data === null) return
    if (data.source !== 'cube-embed' && data.source !== 'hedron-embed') return
    if (data.direction !== 'action' || typeof data.type !== 'string') return
    host = event.origin
    flush()
    const name = data.type.replace(/^(?:cube|hedron):action:/, '')
    if (name === data.type) return
    const payload: ActionPayload = typeof data.payload === 'object' && data.payload !== null ? data.payload : {}
    const hearing = handlers.get(name)
    if (hearing === undefined || hearing.size === 0) unheard = [...unheard, { name, payload }].slice(-mostKept)
    else for (const handle of hearing) handle(payload)
  }
  window.addEventListener('message', onMessage)

  return {
    isFramed,
    emit(type, payload) {
      if (!isFramed) return
      const prefix = type === 'session-expiring' || type === 'resize' ? 'hedron' : 'cube'
      const message = {
        source: 'cube-embed',
        direction: 'event',
        type: `${prefix}:event:${type}`,
        payload,
        timestamp: now(),
        surface,
      }
      if (host !== null) {
        if (isAllowed(host)) window.parent.postMessage(message, host)
      } else if (type === 'ready' && allowed === null) window.parent.postMessage(message, '*')
      else kept = [...kept, message].slice(-mostKept)
    },
    on(type, handle) {
      const set = handlers.get(type) ?? new Set()
      set.add(handle)
      handlers.set(type, set)
      const early = unheard.filter(({ name }) => name === type)
      unheard = unheard.filter(({ name }) => name !== type)
      for (const { payload } of early) handle(payload)
      return () => set.delete(handle)
    },
    allow(origins) {
      allowed = origins
    },
    close: () => window.removeEventListener('message', onMessage),
  }

  function flush(): void {
    const messages = kept
    kept = []
    if (host !== null && isAllowed(host)) for (const message of messages) window.parent.postMessage(message, host)
  }

  function isAllowed(origin: string): boolean {
    return allowed === null || origin === window.location.origin || allowed.some(pattern => matches(origin, pattern))
  }
}

/** Whether an origin is the one of the settings, or of a host below it (`https://*.example.com`). */
export function matches(origin: string, pattern: string): boolean {
  if (!pattern.includes('*')) return origin === pattern
  const [scheme = '', host = ''] = pattern.split('*', 2)
  return origin.startsWith(scheme) && origin.endsWith(host) && origin.length > scheme.length + host.length
}

/** Chromium and WebKit list the origins of the pages around a frame; others tell by the referrer, where its policy lets them. */
function originOfHost(window: Window): string | null {
  const { ancestorOrigins } = window.location
  const [nearest] = ancestorOrigins === undefined ? [] : Array.from(ancestorOrigins)
  if (nearest !== undefined && nearest !== 'null') return nearest
  const { referrer } = window.document
  return referrer === '' ? null : new URL(referrer).origin
}
