import { lined } from './lines.ts'
import type { StreamEvent } from './stream-event.ts'
import { snapshotOf } from './stream-event.ts'

/** Why a turn that runs is stopped. */
export type StopReason = 'aborted' | 'suspended' | 'overdue' | 'lost'

/** The reason of a turn's signal. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped'
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the turn was ${reason === 'overdue' ? 'too long' : reason}`)
    this.reason = reason
  }
}

/**
 * A turn that is answered on this node, as those see it who listen. What is told is kept once, whoever reads it how slowly: each listener
 * has a place in it and takes what comes next when he has room.
 */
export interface LiveTurn {
  readonly id: string
  readonly signal: AbortSignal
  /** Whether somebody on another node listens. */
  watched: boolean
  /** Whether the server is about to stop: the turn should end at its next step. */
  ending: boolean
  tell(event: StreamEvent): void
  /** The turn is over; these lines are the last, and are in no log. */
  end(last: readonly string[]): void
  stop(reason: StopReason): void
  /** All that was told and will be, line by line, with line ends. */
  fromBeginning(): AsyncGenerator<string, void>
  /** What is told from now on, after the messages of the turn as they are now. */
  fromNow(): AsyncGenerator<string, void>
  /** Ends with it. */
  readonly ended: Promise<void>
}

export function createLiveTurn(id: string): LiveTurn {
  const stopping = new AbortController()
  const events: StreamEvent[] = []
  let last: readonly string[] | undefined
  let more = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()

  function wake(): void {
    const { resolve } = more
    more = Promise.withResolvers()
    resolve()
  }

  async function* follow(from: number): AsyncGenerator<string, void> {
    let place = from
    for (;;) {
      if (place < events.length) {
        const lines = events.slice(place).map(({ line }) => line)
        place = events.length
        yield lined(lines)
      } else if (last !== undefined) {
        if (last.length > 0) yield lined(last)
        return
      } else await more.promise
    }
  }

  return {
    id,
    signal: stopping.signal,
    watched: false,
    ending: false,
    tell(event) {
      if (last !== undefined) return
      events.push(event)
      wake()
    },
    end(lines) {
      if (last !== undefined) return
      last = lines
      wake()
      over.resolve()
    },
    stop(reason) {
      stopping.abort(new TurnStopped(reason))
    },
    fromBeginning: () => follow(0),
    async *fromNow() {
      const place = events.length
      const now = snapshotOf(events)
      if (now.length > 0) yield lined(now)
      yield* follow(place)
    },
    ended: over.promise,
  }
}
