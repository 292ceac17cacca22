import type { RowSink } from '../shapes/driver.ts'
import type { After } from '../timers.ts'
import type { EngineAnswer, EngineNotice } from './messages.ts'
import { toldError } from './told-error.ts'

/** One thing that an engine was asked for and has not ended. */
export interface Asked {
  /** Settles when the engine has answered, its rows were taken, or it is gone. */
  readonly over: Promise<void>
  answer(answer: EngineAnswer): void
  /** There will be no answer. */
  lost(error: unknown): void
}

/** How long an engine may go on that was told to stop. */
const stopMs = 1_000

export function createAsked(options: {
  readonly sink: RowSink | undefined
  readonly signal: AbortSignal
  readonly after: After
  send(notice: EngineNotice): void
  /** Ends the process of the engine, which then is `lost`. */
  end(): void
}): Asked {
  const { sink, signal, after, send, end } = options
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  /** Portions reach the sink one after another. */
  let delivered: Promise<void> = Promise.resolve()
  let failure: { readonly error: unknown } | undefined
  let state: 'running' | 'answered' | 'over' = 'running'
  let stopTimer = () => {}

  function stop(): void {
    send({ do: 'stop' })
    stopTimer()
    stopTimer = after(stopMs, end)
  }

  function settle(failed: { readonly error: unknown } | undefined): void {
    state = 'over'
    stopTimer()
    signal.removeEventListener('abort', aborted)
    if (failed) reject(failed.error)
    else resolve()
  }

  function aborted(): void {
    if (state === 'running') stop()
    else settle({ error: signal.reason })
  }

  function deliver(work: () => Promise<void> | void): void {
    delivered = delivered.then(async () => {
      if (failure || state === 'over') return
      try {
        await work()
      } catch (error) {
        failure = { error }
        if (state === 'running') stop()
      }
    })
  }

  function finish(failed: { readonly error: unknown } | undefined): void {
    state = 'answered'
    stopTimer()
    if (signal.aborted) settle({ error: signal.reason })
    else delivered.then(() => state !== 'over' && settle(failure ?? failed))
  }

  signal.addEventListener('abort', aborted, { once: true })

  return {
    over: promise,
    answer(answer) {
      switch (answer.is) {
        case 'columns':
          return deliver(() => sink?.columns(answer.columns))
        case 'rows':
          return deliver(async () => {
            await sink?.rows(answer.rows)
            if (state !== 'over') send({ do: 'taken' })
          })
        case 'done':
          return finish(undefined)
        case 'failed':
          return finish({ error: toldError(answer.error) })
      }
    },
    lost(error) {
      if (state !== 'over') settle(signal.aborted ? { error: signal.reason } : (failure ?? { error }))
    },
  }
}
