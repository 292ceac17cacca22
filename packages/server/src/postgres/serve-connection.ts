import type { SecureContext } from 'node:tls'
import type { SqlAccess } from '@hedron/platform'
import type { Counts } from '../counts.ts'
import type { CancelKeys } from './cancel-keys.ts'
import { writeError, writeParameterStatus, writeReady } from './protocol/backend-messages.ts'
import type { Channel } from './protocol/channel.ts'
import { createMessageWriter } from './protocol/message-writer.ts'
import { fatal, PgError } from './protocol/pg-error.ts'
import { maximumStartup, readStartup, type Startup } from './protocol/startup.ts'
import { converse } from './session/conversation.ts'
import type { Running } from './session/run-cancellable.ts'
import { createSession } from './session/session.ts'
import { createSettings } from './session/settings.ts'
import { toPgError } from './session/to-pg-error.ts'
import { authenticate } from './sign-in/authenticate.ts'

export interface ConnectionNeeds {
  readonly access: SqlAccess
  readonly cancelKeys: CancelKeys
  /** Sessions of each deployment. */
  readonly sessionsOf: Counts<number>
  readonly tls: SecureContext | null
  readonly randomBytes: (count: number) => Buffer
  readonly now: () => Date
  readonly report: (error: unknown) => void
  readonly limits: ConnectionLimits
  readonly stopping: () => boolean
  /** Told once that somebody was let in. */
  readonly signedIn: () => void
}

/** In milliseconds. */
export interface ConnectionLimits {
  /** How long a client may take to say who it is. */
  readonly signInMs: number
  readonly refusalMs: number
  readonly idleMs: number
}

/** What a server that stops can do with a connection. */
export interface Connection {
  isBusy(): boolean
  readonly ended: Promise<void>
}

type SessionStartup = Extract<Startup, { kind: 'session' }>

/** Serves one connection from its first byte to its end. */
export function serveConnection(channel: Channel, need: ConnectionNeeds): Connection {
  let running: Running | null = null
  const ended = serve()
  return { isBusy: () => running !== null, ended }

  async function serve(): Promise<void> {
    const writer = createMessageWriter()
    try {
      const startup = await negotiate(channel, need)
      if (startup) await serveSession(startup)
    } catch (error) {
      const failure = toPgError(error, null, need.report)
      if (channel.gone.aborted) return
      writeError(writer, failure.fatal ? failure : fatal(failure.code, failure.message, failure.details))
      await channel.write(writer.take()).catch(() => {})
    } finally {
      channel.end()
      // Who does not close his side is not waited for.
      const timer = setTimeout(() => channel.destroy(), 5000)
      channel.gone.addEventListener('abort', () => clearTimeout(timer), { once: true })
      if (channel.gone.aborted) clearTimeout(timer)
    }
  }

  async function serveSession({ parameters, unknownOptions }: SessionStartup): Promise<void> {
    const { access, now, limits, randomBytes } = need
    const writer = createMessageWriter()
    if (unknownOptions) writer.begin('v').int32(0).int32(unknownOptions.length)
    if (unknownOptions) {
      for (const option of unknownOptions) writer.text(option)
      writer.finish()
    }
    const { user, database, branch, rest } = readParameters(parameters)
    const signIn = await access.signIn({ user, database, branch })
    const entered = await authenticate(
      {
        channel,
        writer,
        randomBytes,
        timeoutMs: limits.signInMs,
        refusalMs: limits.refusalMs,
        needsEncryption: need.tls !== null && !isLoopback(channel.remoteAddress),
      },
      user,
      signIn,
    )
    if (!entered) return
    need.signedIn()
    const { deploymentId } = entered.identity.caller
    if (need.sessionsOf.of(deploymentId) >= entered.identity.maximumSessions)
      throw fatal('53300', 'sorry, too many clients already', {
        hint: 'CUBEJS_MAX_SESSIONS of the deployment limits its sessions.',
      })
    const leave = need.sessionsOf.add(deploymentId)
    const key = need.cancelKeys.add(() => running?.cancel())
    try {
      const settings = createSettings(user, lowerCased(rest), (name, value) =>
        writeParameterStatus(writer, name, value),
      )
      writer.take()
      writer.begin('R').int32(0).finish()
      for (const [name, value] of settings.reported()) writeParameterStatus(writer, name, value)
      writer.begin('K').int32(key.processId).int32(key.secret).finish()
      writeReady(writer, 'I')
      await channel.write(writer.take())
      const session = createSession({ access, writer, settings, user, processId: key.processId, now, entered })
      await converse({
        channel,
        session,
        idleMs: limits.idleMs,
        report: need.report,
        onRunning: current => {
          running = current
        },
        stopping: need.stopping,
      })
    } finally {
      key.remove()
      leave()
    }
  }
}

/** Agrees on encryption, serves requests to cancel. @returns undefined where there is no session to serve. */
async function negotiate(
  channel: Channel,
  { cancelKeys, tls, limits }: ConnectionNeeds,
): Promise<SessionStartup | undefined> {
  const until = performance.now() + limits.signInMs
  for (let round = 0; round < 4; round += 1) {
    const frame = await channel.read('startup', maximumStartup, Math.max(1, until - performance.now()))
    if (!frame) return undefined
    const startup = readStartup(frame.body)
    if (startup.kind === 'session') return startup
    if (startup.kind === 'cancel') {
      cancelKeys.cancel(startup.processId, startup.secret)
      return undefined
    }
    const encrypts = startup.kind === 'ssl' && tls !== null && !channel.encrypted
    await channel.write(Buffer.from(encrypts ? 'S' : 'N'))
    if (encrypts && tls) await channel.encrypt(tls, limits.signInMs)
  }
  throw fatal('08P01', 'encryption was asked for too often')
}

/** Takes the parameters of a start apart: who, what, and settings. @throws {PgError} fatal 28000 */
function readParameters(parameters: ReadonlyMap<string, string>) {
  const rest = new Map(parameters)
  for (const name of ['user', 'database', 'options', 'replication']) rest.delete(name)
  const user = parameters.get('user') ?? ''
  if (user === '') throw fatal('28000', 'no PostgreSQL user name specified in startup packet')
  if (!/^(false|off|no|0|)$/i.test(parameters.get('replication') ?? ''))
    throw fatal('0A000', 'replication is not supported')
  for (const [name, value] of readOptions(parameters.get('options') ?? '')) rest.set(name, value)
  const branch = rest.get('branch') ?? null
  rest.delete('branch')
  return { user, database: parameters.get('database') ?? user, branch, rest }
}

/** `-c name=value` and `--name=value`, with backslashes before spaces. */
function readOptions(text: string): readonly (readonly [string, string])[] {
  const words = (text.match(/(?:\\.|[^\s\\])+/g) ?? []).map(word => word.replace(/\\(.)/g, '$1'))
  const options: (readonly [string, string])[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const pair = word === '-c' ? (words[++at] ?? '') : word.replace(/^(--|-c)/, '')
    const cut = pair.indexOf('=')
    if (cut <= 0 || !word.startsWith('-'))
      throw new PgError('42601', `invalid command-line argument for server process: ${word.slice(0, 100)}`, {}, true)
    options.push([pair.slice(0, cut).replaceAll('-', '_'), pair.slice(cut + 1)])
  }
  return options
}

const isLoopback = (address: string | null): boolean => address !== null && /^(::ffff:)?127\.|^::1$/.test(address)

const lowerCased = (settings: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...settings].map(([name, value]) => [name.toLowerCase(), value]))
