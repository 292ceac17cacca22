import type { BigQuery, Job, Query, QueryResultsOptions, QueryRowsResponse } from '@google-cloud/bigquery'
import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import { orAborted } from '../../timers.ts'
import { commented } from '../commented.ts'
import { settledWithin } from '../network/settled-within.ts'
import { shownMessage } from '../network/shown-message.ts'
import { type BigQueryField, columnOf, createCellWriter, partsOf } from './cells.ts'
import { type BigQuerySettings, readSettings } from './settings.ts'

/** Rows that are asked for at a time; the service sends at most 10 MB. */
const portion = 10_000

/** How long a stopped query waits for the service to say that it stops it. */
const cancelMilliseconds = 5_000

/** What a statement can number. */
const mostParameters = 10_000

/** Reasons (cloud.google.com/bigquery/docs/error-messages) that speak of the service and of who asks. */
const unavailable: readonly string[] = [
  'backendError',
  'internalError',
  'quotaExceeded',
  'rateLimitExceeded',
  'jobBackendError',
  'jobInternalError',
  'jobRateLimitExceeded',
  'authError',
]

type Connect = (settings: BigQuerySettings) => Promise<BigQuery>

const connectToGoogle: Connect = async ({ projectId, credentials, location }) => {
  const { BigQuery } = await import('@google-cloud/bigquery')
  return new BigQuery({ projectId, credentials, ...(location === undefined ? {} : { location }) })
}

/**
 * Google BigQuery.
 *
 * @param connect gives another client for an emulator, whose callers need not sign in
 */
export function createBigQueryDriver(connect: Connect = connectToGoogle): Driver {
  return {
    type: 'bigquery',
    defaultConcurrency: 10,
    embedded: false,
    check(source) {
      readSettings(source)
    },
    async open(source) {
      return openSource(source, await connect(readSettings(source)))
    },
  }
}

function openSource(source: DataSource, client: BigQuery): OpenSource {
  async function explaining(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    signal.throwIfAborted()
    try {
      await work()
    } catch (error) {
      signal.throwIfAborted()
      throw explained(error, source)
    }
  }
  return {
    stream: (statement, sink, signal) =>
      explaining(signal, () => streamStatement(client, source, statement, sink, signal)),
    test: signal => explaining(signal, () => checkReads(client, { query: 'SELECT 1' }, signal)),
    async close() {},
  }
}

async function streamStatement(
  client: BigQuery,
  source: DataSource,
  { sql, parameters, comment }: Statement,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  if (parameters.length > mostParameters) {
    throw problems.queryFailed(
      `The query has ${parameters.length} values and BigQuery takes ${mostParameters}. Ask with fewer values in filters.`,
    )
  }
  // As text, which the statement casts: a null has no type of its own.
  const params = parameters.map(value => (value === null ? null : String(value)))
  const query = {
    query: commented(sql, comment),
    ...(params.length === 0 ? {} : { params, types: params.map(() => 'STRING') }),
  }
  await checkReads(client, query, signal)
  const creating = client.createQueryJob({ ...query, jobTimeoutMs: source.timeoutMs })
  // A job that is made while its reader goes away is stopped as well.
  creating.then(([job]) => (signal.aborted ? cancel(job) : undefined)).catch(() => {})
  const [job] = await orAborted(creating, signal)
  try {
    await readResult(job, sink, signal)
  } catch (error) {
    await settledWithin(cancelMilliseconds, cancel(job))
    throw error
  }
}

const cancel = async (job: Job): Promise<void> => void (await job.cancel())

async function readResult(job: Job, sink: RowSink, signal: AbortSignal): Promise<void> {
  let next: QueryResultsOptions | null = { maxResults: portion, autoPaginate: false, skipParsing: true }
  let writers: ReturnType<typeof createCellWriter>[] | undefined
  while (next) {
    signal.throwIfAborted()
    const [rows, following = null, answer]: QueryRowsResponse = await orAborted(job.getQueryResults(next), signal)
    const fields = fieldsOf(answer)
    if (fields && !writers) {
      writers = fields.map(createCellWriter)
      sink.columns(fields.map(columnOf))
    }
    const known = writers ?? []
    if (rows.length > 0) {
      await sink.rows(
        rows.map((row: unknown) => {
          const parts = partsOf(row)
          return known.map((write, column) => write(parts[column]))
        }),
      )
    }
    next = following
  }
  if (!writers) throw problems.statementRefused('it gives no rows, and queries only read.')
}

function fieldsOf(answer: unknown): readonly BigQueryField[] | undefined {
  const schema: unknown =
    typeof answer === 'object' && answer !== null && 'schema' in answer ? answer.schema : undefined
  const fields: unknown =
    typeof schema === 'object' && schema !== null && 'fields' in schema ? schema.fields : undefined
  return Array.isArray(fields) ? fields : undefined
}

/** Asks the service what kind of statement it is, which costs nothing. BigQuery has no sessions that cannot write. */
async function checkReads(client: BigQuery, query: Query, signal: AbortSignal): Promise<void> {
  const [, { statistics }] = await orAborted(client.createQueryJob({ ...query, dryRun: true }), signal)
  const kind = statistics?.query?.statementType
  if (kind !== 'SELECT')
    throw problems.statementRefused(`it is a ${kind ?? 'statement of no kind'}, and queries only read.`)
}

function explained(error: unknown, source: DataSource): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = shownMessage(error, source)
  const errors: unknown = error instanceof Error && 'errors' in error ? error.errors : []
  const reasons = (Array.isArray(errors) ? errors : []).map(({ reason }) => String(reason))
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  const isServices = reasons.length === 0 || code === 401 || reasons.some(reason => unavailable.includes(reason))
  if (isServices) return problems.sourceUnavailable(source.name, message, { cause: error })
  return problems.queryFailed(message, { cause: error })
}
