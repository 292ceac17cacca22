import { type DataApi, DataError } from '@hedron/platform'
import type { SocketAddress } from './socket-address.ts'
import type { MethodMessage } from './socket-message.ts'

/** What of the data API web sockets reach. */
export interface SocketApi extends Pick<DataApi, 'authenticate' | 'admit' | 'webSockets'> {
  readonly operations: Pick<DataApi['operations'], 'load' | 'sql' | 'dryRun' | 'meta'>
}

type DataCaller = Awaited<ReturnType<DataApi['authenticate']>>

/** A query that may be run more than once: what is asked, of what, and by whom. */
export interface SocketQuery {
  readonly address: SocketAddress
  /** The token as it came. */
  readonly token: string
  /** Frozen, so that what is asked again is known again. */
  readonly parameters: object
  readonly requestId: string
}

/** Runs a query with the rights that its token has now. @throws {DataError} also where the token has lost them */
export type RunSocketQuery = (query: SocketQuery, signal: AbortSignal) => Promise<string>

export function createRunSocketQuery(api: SocketApi): RunSocketQuery {
  return async ({ address, token, parameters, requestId }, signal) => {
    const caller = await api.authenticate({ ...address, header: token })
    const { text } = await api.operations.load(caller, parameters, { requestId, signal })
    return text
  }
}

type AboutMessage = Extract<MethodMessage, { readonly method: 'sql' | 'dry-run' | 'meta' }>

/** Answers what is no query for rows. */
export function answerAbout(
  operations: SocketApi['operations'],
  { method, params }: AboutMessage,
  caller: DataCaller,
): Promise<unknown> {
  if (method === 'sql') return operations.sql(caller, params)
  if (method === 'dry-run') return operations.dryRun(caller, params)
  return operations.meta(caller, { onlyViews: params?.onlyViews ?? false })
}

export const isContinueWait = (error: unknown): error is DataError =>
  error instanceof DataError && error.status === 200 && error.message === 'Continue wait'

/** Whether an error means that the token has no rights here (any more). */
export const isRefusal = (error: unknown): error is DataError =>
  error instanceof DataError && (error.status === 403 || error.status === 404)
