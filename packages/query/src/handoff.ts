import { problems } from './query-service-error.ts'
import type { RowSink } from './shapes/driver.ts'
import type { Cell, Column } from './shapes/query.ts'
import type { After } from './timers.ts'

type Portion = readonly (readonly Cell[])[]

/** Passes rows from a driver, which pushes them, to a reader, who asks for them, and keeps each waiting for the other. */
export interface Handoff {
  readonly sink: RowSink
  /** Settles before the first row is there; rejects when the query failed before. */
  readonly columns: Promise<readonly Column[]>
  /** The next rows; undefined at the end. One call at a time. @throws what ended the query */
  take(): Promise<Portion | undefined>
  /** All rows were put. */
  end(): void
  /** Neither side waits any longer; rows that were put and not taken are gone. */
  fail(error: unknown): void
}

/**
 * Holds one portion; the driver may read the next when the reader has taken it.
 *
 * @param options.stalled called when the reader lets a portion lie for `stallMs`
 */
export function createHandoff(options: {
  readonly maximumRows: number
  readonly stallMs: number
  readonly after: After
  stalled(): void
}): Handoff {
  const { maximumRows, stallMs, after, stalled } = options
  const columns = Promise.withResolvers<readonly Column[]>()
  // Whoever waits for it hears of the failure; if nobody does, the stream says it again.
  columns.promise.catch(() => {})
  let state: 'open' | 'ended' | 'failed' = 'open'
  let failure: unknown
  let lying:
    | { readonly portion: Portion; readonly taken: () => void; readonly lost: (error: unknown) => void }
    | undefined
  let reader:
    | { readonly give: (portion: Portion | undefined) => void; readonly fail: (error: unknown) => void }
    | undefined
  let count = 0
  let stopStallTimer = () => {}

  function put(portion: Portion): Promise<void> | undefined {
    if (reader) {
      const { give } = reader
      reader = undefined
      give(portion)
      return undefined
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    lying = { portion, taken: resolve, lost: reject }
    stopStallTimer = after(stallMs, stalled)
    return promise
  }

  return {
    columns: columns.promise,
    sink: {
      columns: columns.resolve,
      rows(portion) {
        if (state === 'failed') throw failure
        count += portion.length
        if (count > maximumRows) throw problems.tooManyRows(maximumRows)
        return portion.length === 0 ? undefined : put(portion)
      },
    },
    take() {
      if (state === 'failed') return Promise.reject(failure)
      if (lying) {
        const { portion, taken } = lying
        lying = undefined
        stopStallTimer()
        taken()
        return Promise.resolve(portion)
      }
      if (state === 'ended') return Promise.resolve(undefined)
      const { promise, resolve, reject } = Promise.withResolvers<Portion | undefined>()
      reader = { give: resolve, fail: reject }
      return promise
    },
    end() {
      if (state !== 'open') return
      state = 'ended'
      reader?.give(undefined)
      reader = undefined
    },
    fail(error) {
      if (state !== 'open') return
      state = 'failed'
      failure = error
      stopStallTimer()
      columns.reject(error)
      lying?.lost(error)
      lying = undefined
      reader?.fail(error)
      reader = undefined
    },
  }
}
