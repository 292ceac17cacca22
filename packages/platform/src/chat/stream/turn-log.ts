import { setTimeout as sleep } from 'node:timers/promises'
import { type ChatTurnStatus, chatEvents, chatTurns, type Executor, type Store } from '@hedron/store'
import { mergeDeltas, type StreamEvent } from './stream-event.ts'

/** Whose events are written. */
export interface TurnKey {
  readonly accountId: number
  readonly threadId: string
  readonly turnId: string
  readonly attempt: number
}

/** Another attempt answers the turn, or it was ended or removed: what this one says is not written any more. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost'
}

interface LogNeeds {
  readonly store: Store
  /** Told after each write. */
  readonly onWritten: () => void
}

/** How long events wait for others to be written with, in milliseconds. */
const delayMs = 100
/** While the database does not answer it is asked again after this long, in milliseconds, and given up after that long. */
const retryMs = 250
const giveUpMs = 15_000

/** Writes what a turn tells, a few rows for many words; in order, and only while its attempt is the one that answers. */
export interface TurnLog {
  add(event: StreamEvent): void
  /**
   * Writes all that was added, with what belongs to it in the same transaction.
   *
   * @param allowed statuses in which the turn may be; default: it runs
   * @throws {TurnLost}
   */
  write(work?: (transaction: Executor) => Promise<void>, allowed?: readonly ChatTurnStatus[]): Promise<void>
  /** Writes nothing more by itself. */
  close(): Promise<void>
}

export function createTurnLog(
  { store, onWritten }: LogNeeds,
  key: TurnKey,
  onFault: (error: unknown) => void,
): TurnLog {
  const { accountId, threadId, turnId, attempt } = key
  let waiting: StreamEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<unknown> = Promise.resolve()
  let closed = false

  async function writeNow(
    work: ((transaction: Executor) => Promise<void>) | undefined,
    allowed: readonly ChatTurnStatus[],
  ): Promise<void> {
    const events = waiting
    waiting = []
    clearTimeout(timer)
    timer = undefined
    if (events.length === 0 && work === undefined) return
    const rows = mergeDeltas(events).map(({ sort, kind, line }) => ({
      accountId,
      threadId,
      turnId,
      attempt,
      sort,
      kind,
      line,
    }))
    await persist(() =>
      store.transaction(async transaction => {
        const status = await chatTurns.lockAttempt(transaction, accountId, turnId, attempt)
        if (status === undefined || !allowed.includes(status)) throw new TurnLost(`the turn ${turnId} is not ours`)
        await chatEvents.insertEvents(transaction, rows)
        await work?.(transaction)
      }),
    )
    onWritten()
  }

  function write(
    work?: (transaction: Executor) => Promise<void>,
    allowed: readonly ChatTurnStatus[] = ['running'],
  ): Promise<void> {
    const written = writing.then(() => writeNow(work, allowed))
    writing = written.catch(() => {})
    return written
  }

  return {
    add(event) {
      waiting.push(event)
      if (closed) return
      timer ??= setTimeout(() => write().catch(onFault), delayMs)
    },
    write,
    async close() {
      closed = true
      clearTimeout(timer)
      await writing
    },
  }
}

/** Runs a transaction again while the database is away. One that was done although its answer was lost does nothing the second time. */
async function persist(work: () => Promise<void>): Promise<void> {
  const begun = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof TurnLost || performance.now() - begun > giveUpMs) throw error
    }
    await sleep(retryMs)
  }
}
