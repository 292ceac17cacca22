import { writeError, writeReady } from '../protocol/backend-messages.ts'
import { createBodyReader } from '../protocol/body-reader.ts'
import type { Channel } from '../protocol/channel.ts'
import type { Frame } from '../protocol/frame-reader.ts'
import { fatal, type PgError, protocolViolation } from '../protocol/pg-error.ts'
import { createExtendedQuery } from './extended-query.ts'
import { beginRunning, type Running } from './run-cancellable.ts'
import type { Session } from './session.ts'
import { answerSimpleQuery } from './simple-query.ts'
import { toPgError } from './to-pg-error.ts'

/** Bytes of one message: a statement of a megabyte with its parameters. */
const maximumMessage = 16 * 1024 * 1024

export interface ConversationNeeds {
  readonly channel: Channel
  readonly session: Session
  /** Longest silence of a client, in milliseconds. */
  readonly idleMs: number
  readonly report: (error: unknown) => void
  /** Told of what runs, so that it can be cancelled, and of its end. */
  readonly onRunning: (running: Running | null) => void
  /** The server ends: nothing new is begun. */
  readonly stopping: () => boolean
}

/** Talks with a client that was let in until one of both ends it (PostgreSQL documentation, "Message Flow"). */
export async function converse(need: ConversationNeeds): Promise<void> {
  const { channel, session, report } = need
  const { writer } = session
  const flush = () => channel.write(writer.take())
  const extended = createExtendedQuery(session, flush)
  let skipping = false
  let current: Running | undefined

  try {
    for (;;) {
      if (need.stopping() && session.status === 'I')
        throw fatal('57P01', 'terminating connection due to administrator command')
      const frame = await channel.read('message', maximumMessage, idleOf(session, need.idleMs))
      if (!frame || frame.type === 'X') return
      if (skipping && frame.type !== 'S') continue
      skipping = false
      const failure = await attempt(() => answer(frame))
      if (!failure) continue
      if (failure.fatal) throw failure
      writeError(writer, failure)
      if (session.status === 'T') session.status = 'E'
      if (frame.type === 'Q') await ready()
      else {
        // A Flush that follows is skipped too, and a client that reads in portions sends no Sync before it has seen the error.
        skipping = true
        await flush()
      }
    }
  } finally {
    need.onRunning(null)
    // Each whatever became of the one before: what is not closed here stays open at a data source.
    await extended.closeAll().catch(report)
    await session.endTransaction('I').catch(report)
    await Promise.all([...session.cursors.values()].map(cursor => cursor.close().catch(report)))
  }

  async function attempt(work: () => Promise<void>): Promise<PgError | null> {
    const timeoutMs = Number(session.settings.get('statement_timeout') ?? 0)
    const running = beginRunning(channel.gone, timeoutMs)
    current = running
    need.onRunning(running)
    try {
      await work()
      return null
    } catch (error) {
      return toPgError(error, running.reason(), report)
    } finally {
      running.end()
      need.onRunning(null)
    }
  }

  async function answer(frame: Frame): Promise<void> {
    const reader = createBodyReader(frame.body)
    switch (frame.type) {
      case 'Q': {
        const text = reader.text()
        reader.end()
        await begin()
        await extended.closeUnnamed()
        await answerSimpleQuery(session, text, flush, signalNow())
        return ready()
      }
      case 'P':
        await begin()
        return extended.parse(reader)
      case 'B':
        return extended.bind(reader)
      case 'D':
        return extended.describe(reader)
      case 'E':
        await begin()
        return extended.execute(reader, signalNow())
      case 'C':
        return extended.close(reader)
      case 'H':
        return flush()
      case 'S':
        reader.end()
        // Without a transaction around, Sync ends the one of the messages before it.
        if (session.status === 'I') await extended.closeAll()
        return ready()
      case 'd':
      case 'c':
      case 'f':
        return
      case 'F':
        throw toPgError(protocolViolation('function calls are not supported'), null, report)
      default:
        throw protocolViolation(`invalid frontend message type ${frame.type.charCodeAt(0)}`)
    }
  }

  async function begin(): Promise<void> {
    await session.renew()
    if (session.status === 'I') session.startedAt = session.now()
  }

  async function ready(): Promise<void> {
    writeReady(writer, session.status)
    await flush()
  }

  function signalNow(): AbortSignal {
    if (!current) throw new Error('a statement runs outside of an attempt')
    return current.signal
  }
}

const idleOf = ({ settings }: Session, serverMs: number): number => {
  const own = Number(settings.get('idle_session_timeout') ?? 0)
  return own > 0 ? Math.min(own, serverMs) : serverMs
}
