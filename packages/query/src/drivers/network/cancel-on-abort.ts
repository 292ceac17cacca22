/** A cancelled query that goes on is asked again, then its connection is cut. */
const againMilliseconds = 500
const cutMilliseconds = 5_000

/** How one running query is stopped. */
export interface Stop {
  /** Asks the database to stop it; what fails is tried again. */
  ask(): Promise<unknown>
  /** Ends its connection, whatever the database does. */
  cut(): void
}

/** Stops the query in the database when the signal aborts. The function given is called when the query has ended. */
export function cancelOnAbort(signal: AbortSignal, stop: Stop): () => void {
  let again: NodeJS.Timeout | undefined
  let late: NodeJS.Timeout | undefined
  const ask = () => void stop.ask().catch(() => {})
  const onAbort = () => {
    ask()
    again = setInterval(ask, againMilliseconds)
    late = setTimeout(() => stop.cut(), cutMilliseconds)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return () => {
    signal.removeEventListener('abort', onAbort)
    clearInterval(again)
    clearTimeout(late)
  }
}
