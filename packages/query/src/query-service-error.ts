/** Every way in which a query can end without a result. */
export type QueryServiceErrorCode =
  | 'source_unknown'
  | 'source_unsupported'
  | 'source_misconfigured'
  | 'source_unavailable'
  | 'request_invalid'
  | 'statement_refused'
  | 'query_failed'
  | 'query_timeout'
  | 'query_cancelled'
  | 'queue_full'
  | 'too_many_rows'
  | 'result_too_large'
  | 'memory_exceeded'
  | 'service_closed'

/**
 * Why a query has no result. `message` can be shown to whoever asked; `cause` keeps the database's own error, with its
 * paths and the excerpt of the SQL, for the log alone.
 */
export class QueryServiceError extends Error {
  readonly code: QueryServiceErrorCode
  /** Of `source_misconfigured`: the variable that cannot be used, and why. */
  readonly variable: { readonly name: string; readonly reason: string } | null

  constructor(
    code: QueryServiceErrorCode,
    message: string,
    options: ErrorOptions & { readonly variable?: { readonly name: string; readonly reason: string } } = {},
  ) {
    super(message, options)
    this.name = 'QueryServiceError'
    this.code = code
    this.variable = options.variable ?? null
  }
}

interface NamedSource {
  readonly name: string
  readonly type: string
  readonly variablePrefix: string
}

/** All messages, to be proofread in one sitting. */
export const problems = {
  sourceUnknown: (name: string, names: readonly string[]) =>
    new QueryServiceError(
      'source_unknown',
      `There is no data source "${name}". Configured: ${names.join(', ')}. Add it to CUBEJS_DATASOURCES or correct the model.`,
    ),
  sourceUnsupported: ({ name, type, variablePrefix }: NamedSource, supported: readonly string[]) =>
    new QueryServiceError(
      'source_unsupported',
      `Data source "${name}" is of type "${type}", which this server cannot query yet. Supported: ${supported.join(', ')}. ` +
        `Set ${variablePrefix}DB_TYPE to one of these.`,
    ),
  sourceMisconfigured: (name: string, reason: string, options?: ErrorOptions) =>
    new QueryServiceError('source_misconfigured', `${name} cannot be used: ${reason}`, {
      ...options,
      variable: { name, reason },
    }),
  sourceUnavailable: (name: string, reason: string, options?: ErrorOptions) =>
    new QueryServiceError('source_unavailable', `Data source "${name}" does not answer: ${reason}`, options),
  requestInvalid: (reason: string) => new QueryServiceError('request_invalid', `The query cannot be run: ${reason}`),
  statementRefused: (reason: string, options?: ErrorOptions) =>
    new QueryServiceError('statement_refused', `The statement was refused: ${reason}`, options),
  queryFailed: (reason: string, options?: ErrorOptions) => new QueryServiceError('query_failed', reason, options),
  queryTimeout: (timeoutMs: number) =>
    new QueryServiceError(
      'query_timeout',
      `The query was stopped after ${timeoutMs / 1000} s. Ask for less, or raise CUBEJS_DB_QUERY_TIMEOUT.`,
    ),
  queryCancelled: (reason: string) => new QueryServiceError('query_cancelled', `The query was cancelled: ${reason}.`),
  queueFull: (waiting: number) =>
    new QueryServiceError('queue_full', `${waiting} queries already wait for this data source. Try again in a moment.`),
  tooManyRows: (maximumRows: number) =>
    new QueryServiceError(
      'too_many_rows',
      `The result has more than ${maximumRows} rows. Add filters or a limit; rows are never cut off silently.`,
    ),
  resultTooLarge: (maximumBytes: number) =>
    new QueryServiceError(
      'result_too_large',
      `The result takes more than ${Math.ceil(maximumBytes / 2 ** 20)} MB of memory. Ask for fewer rows or columns.`,
    ),
  memoryExceeded: (maximumBytes: number, options?: ErrorOptions) =>
    new QueryServiceError(
      'memory_exceeded',
      `The statement needs more than the ${Math.ceil(maximumBytes / 2 ** 20)} MB of memory that it may use. ` +
        'Ask for fewer rows or shorter texts, or group them before.',
      options,
    ),
  engineLost: (how: string, options?: ErrorOptions) =>
    new QueryServiceError(
      'query_failed',
      `The process that computed the statement ended unexpectedly (${how}). Nothing else was lost: ask again.`,
      options,
    ),
  serviceClosed: () => new QueryServiceError('service_closed', 'The server is shutting down. Try again in a moment.'),
}

/** For who finds, before the service is asked, that nothing can be asked of a data source. */
export const unsupportedSource = problems.sourceUnsupported
