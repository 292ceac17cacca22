import { setTimeout as pause } from 'node:timers/promises'
import type { DataSource } from '../../shapes/data-source.ts'
import { createHttpServer, type HttpAnswer, type HttpRequest } from '../network/http.ts'
import type { Encryption } from '../network/read-settings.ts'
import { type Page, readPage } from './protocol.ts'

export interface TrinoSettings {
  readonly ssl: false | Encryption
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly catalog: string | undefined
  readonly schema: string | undefined
}

type Headers = Readonly<Record<string, string>>

/** Statements of one data source. */
export interface TrinoSessions {
  /** Begins a transaction that cannot write; gives the headers of what runs in it. */
  begin(signal: AbortSignal): Promise<Headers>
  end(transaction: Headers): Promise<void>
  /**
   * Runs a statement and gives its answers as they come. Leaving the loop, or the signal, stops it in the cluster.
   *
   * @throws TrinoError when it failed; Error when the coordinator did
   */
  pages(
    sql: string,
    headers: Headers,
    signal: AbortSignal,
  ): AsyncGenerator<Page & { readonly headers: HttpAnswer['headers'] }>
  close(): void
}

/** The coordinator answers within a second whatever a query does. */
const silenceMilliseconds = 60_000

/** A busy coordinator asks to be asked again (status 429, 502, 503, 504). */
const busy: readonly number[] = [429, 502, 503, 504]
const mostAttempts = 20
const againMilliseconds = 250

const stopMilliseconds = 5_000

const transactionId = 'X-Trino-Transaction-Id'

export function createTrinoSessions(settings: TrinoSettings, source: DataSource): TrinoSessions {
  const { user, password, catalog, schema } = settings
  const server = createHttpServer({
    ...settings,
    mostConnections: source.concurrency + 1,
    silenceMs: silenceMilliseconds,
  })
  const always: Headers = {
    'X-Trino-User': user,
    'X-Trino-Source': 'hedron',
    'X-Trino-Time-Zone': 'UTC',
    // Times keep their digits.
    'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
    ...(catalog === undefined ? {} : { 'X-Trino-Catalog': catalog }),
    ...(schema === undefined ? {} : { 'X-Trino-Schema': schema }),
    ...(password === undefined
      ? {}
      : { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
  }

  async function ask(request: HttpRequest): Promise<HttpAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await server.ask({ ...request, headers: { ...always, ...request.headers } })
      if (!busy.includes(answer.status) || attempt >= mostAttempts) return answer
      await pause(againMilliseconds, undefined, { signal: request.signal })
    }
  }

  async function* pages(sql: string, headers: Headers, signal: AbortSignal) {
    let next: string | undefined
    try {
      let answer = await ask({ method: 'POST', path: '/v1/statement', body: sql, headers, signal })
      for (;;) {
        const page = readPage(answer)
        next = page.next
        if (page.error) {
          next = undefined
          throw page.error
        }
        yield { ...page, headers: answer.headers }
        if (next === undefined) return
        answer = await ask({ method: 'GET', path: next, signal })
      }
    } finally {
      if (next !== undefined) {
        const stop = { method: 'DELETE', path: next, signal: AbortSignal.timeout(stopMilliseconds) } as const
        await ask(stop).catch(() => {})
      }
    }
  }

  return {
    pages,
    async begin(signal) {
      let started: string | undefined
      for await (const { headers } of pages('START TRANSACTION READ ONLY', { [transactionId]: 'NONE' }, signal)) {
        const header = headers['x-trino-started-transaction-id']
        if (typeof header === 'string') started = header
      }
      if (started === undefined) throw new Error('the server began no transaction')
      return { [transactionId]: started }
    },
    async end(transaction) {
      for await (const _ of pages('ROLLBACK', transaction, AbortSignal.timeout(stopMilliseconds)));
    },
    close: server.close,
  }
}
