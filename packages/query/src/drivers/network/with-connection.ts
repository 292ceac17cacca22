import type { QueryServiceError } from '../../query-service-error.ts'
import { cancelOnAbort } from './cancel-on-abort.ts'

/** Connections of one data source, each for one query at a time. */
export interface Connections<C> {
  /**
   * Gives a connection that is ready for one query and cannot write; ones that broke while they were idle, as when the database
   * restarts, are replaced.
   *
   * @throws QueryServiceError `source_unavailable`
   */
  take(signal: AbortSignal): Promise<C>
  /** Ends the query's transaction and with it all that it set; a connection that is not sound is thrown away. */
  giveBack(connection: C, isSound: boolean): Promise<void>
  /** Asks the server to stop what a connection runs. */
  cancel(connection: C): Promise<void>
  /** Ends a connection, whatever the server does. */
  cut(connection: C): void
  close(): Promise<void>
}

/** How one kind of database fails. */
export interface Failing {
  /** What went wrong, in words that can be shown. */
  explained(error: unknown): QueryServiceError
  /** Whether a connection is as good as before after an error. */
  staysSound(error: QueryServiceError): boolean
}

/**
 * Runs one query on a connection and gives it back. An aborted signal stops the query in the database.
 *
 * @throws QueryServiceError, or the signal's reason
 */
export async function withConnection<C, T>(
  connections: Connections<C>,
  failing: Failing,
  signal: AbortSignal,
  work: (connection: C) => Promise<T>,
): Promise<T> {
  const connection = await connections.take(signal)
  const gone = Promise.withResolvers<never>()
  gone.promise.catch(() => {})
  const stopCancelling = cancelOnAbort(signal, {
    ask: () => connections.cancel(connection),
    cut() {
      connections.cut(connection)
      // Whether or not what runs on it hears of it: nobody may wait for it any longer.
      gone.reject(signal.reason)
    },
  })
  let isSound = false
  try {
    signal.throwIfAborted()
    const result = await Promise.race([work(connection), gone.promise])
    isSound = true
    return result
  } catch (error) {
    const told = failing.explained(error)
    isSound = failing.staysSound(told)
    signal.throwIfAborted()
    throw told
  } finally {
    stopCancelling()
    // After an abort nobody knows how far the server got, also where all rows came: it may still be on its way to cancel what runs on
    // the connection, which would then be somebody else's query.
    await connections.giveBack(connection, isSound && !signal.aborted)
  }
}
