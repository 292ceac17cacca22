import type { AppConfig } from '@hedron/contract'
import type { Client } from '@hedron/contract/client'
import type { FrameAddress } from './address.ts'
import { createApi } from './api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { type HostWishes, listenToWishes } from './frame-settings.ts'
import { createHostChannel, type HostChannel } from './host-channel.ts'
import { createSession, type Session } from './session.ts'
import type { Store } from './store.ts'

/** Everything that the pages of one frame share. */
export interface Frame {
  readonly address: FrameAddress
  readonly host: HostChannel
  readonly session: Session
  readonly api: Client
  readonly wishes: Store<HostWishes>
  /** Fulfilled once it is known how the session stands. */
  readonly opened: Promise<void>
  /** What the account lets pages know, as it holds for the session. Asked once. */
  config(): Promise<AppConfig>
  /** The data API of a deployment, on the branch of the session. */
  data(deploymentId: number): DataClient
}

/** Puts the frame together; the one place that touches the browser's globals. */
export function createFrame(address: FrameAddress, window: Window & typeof globalThis): Frame {
  const send: typeof fetch = (...request) => window.fetch(...request)
  const host = createHostChannel({ surface: address.surface, window, now: Date.now })
  const clients = new Map<number, DataClient>()
  const session = createSession({
    sessionId: address.sessionId,
    privatePage: address.surface === 'app' ? null : address.publicId === null ? {} : { publicId: address.publicId },
    fetch: send,
    now: Date.now,
    onEnding: (reason, millisecondsLeft) => {
      host.emit('session-expiring', { reason, secondsLeft: Math.round(millisecondsLeft / 1000) })
      if (reason === 'ending') return
      const message = reason === 'used' ? 'The session id was used before or is too old.' : 'The session has ended.'
      host.emit('error', { name: 'SessionOver', message, context: 'session', fatal: true })
    },
  })
  host.on('renew-session', ({ sessionId }) => {
    if (typeof sessionId !== 'string' || sessionId === '') return
    for (const client of clients.values()) client.forget()
    void session.replace(sessionId)
  })
  for (const name of ['online', 'focus', 'pageshow'] as const) window.addEventListener(name, session.wake)
  window.document.addEventListener('visibilitychange', session.wake)
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  const tell = () => session.state.kind !== 'opening' && resolve()
  session.subscribe(tell)
  tell()

  const api = createApi(session, send)
  let config: Promise<AppConfig> | null = null
  return {
    address,
    host,
    session,
    api,
    wishes: listenToWishes(host),
    opened,
    config() {
      config ??= readConfig()
      return config
    },
    data(deploymentId) {
      const known = clients.get(deploymentId)
      if (known !== undefined) return known
      const made = createDataClient({ api, deploymentId, fetch: send, now: Date.now })
      clients.set(deploymentId, made)
      return made
    },
  }

  async function readConfig(): Promise<AppConfig> {
    try {
      const read = await api.getAppConfig({})
      host.allow(read.embedding.allowedOrigins)
      return read
    } catch (error) {
      config = null
      throw error
    }
  }
}
