import { setTimeout as pause } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Parameter } from '../../shapes/query.ts'
import { createHttpServer, type HttpAnswer, type HttpRequest } from '../network/http.ts'
import { settledWithin } from '../network/settled-within.ts'
import { type Answer, DatabricksError, type Link, type Piece, readAnswer, readPiece, readRows } from './protocol.ts'
import type { DatabricksSettings } from './settings.ts'
import { createSignIn } from './sign-in.ts'

/** Statements of one data source. */
export interface Statements {
  /**
   * Runs a statement and gives its answer when all of its rows are there. The signal stops it in the warehouse.
   *
   * @param disposition `INLINE`: rows come with the answer, 25 MiB at most; `EXTERNAL_LINKS`: they are read from storage
   * @throws DatabricksError when it failed; Error when the workspace did
   */
  run(statement: Asked, disposition: 'INLINE' | 'EXTERNAL_LINKS', signal: AbortSignal): Promise<Answer>
  /** One piece of a result after the first. */
  piece(id: string, index: number, signal: AbortSignal): Promise<Piece>
  /** The rows behind a link. */
  read(link: Link, signal: AbortSignal): Promise<readonly (readonly unknown[])[]>
  close(): void
}

export interface Asked {
  readonly sql: string
  readonly parameters: readonly Parameter[]
}

const path = '/api/2.0/sql/statements'

/** The workspace answers within a second whatever a statement does; a piece from storage may take longer. */
const silenceMilliseconds = 60_000

/** How long a statement that is no longer wanted may take to say by which name it is stopped, and to take that. */
const stopMilliseconds = 2_500

/** How often the workspace is asked whether a statement has ended: soon at first, then once a second. */
const firstPollMilliseconds = 20
const mostPollMilliseconds = 1_000

/** A busy workspace asks to be asked again. */
const busy: readonly number[] = [429, 502, 503, 504]
const mostAttempts = 10
const againMilliseconds = 500
const mostAgainMilliseconds = 10_000

export function createStatements(settings: DatabricksSettings, source: DataSource, now = Date.now): Statements {
  const { ssl, warehouse, catalog, schema } = settings
  const shape = { ...settings, mostConnections: source.concurrency + 1, silenceMs: silenceMilliseconds }
  const workspace = createHttpServer(shape)
  // Results lie with the cloud's storage, whose certificates are public ones.
  const { rejectUnauthorized, ca } = ssl
  const trusted = ca === undefined ? {} : { ca: [ca, ...rootCertificates].join('\n') }
  const storage = createHttpServer({ ...shape, ssl: { rejectUnauthorized, ...trusted } })
  const authorize = createSignIn(settings.signIn, workspace, now)

  async function ask(request: HttpRequest): Promise<HttpAnswer> {
    for (let attempt = 1; ; attempt++) {
      const headers = { authorization: await authorize(request.signal), 'content-type': 'application/json' }
      const answer = await workspace.ask({ ...request, headers })
      if (!busy.includes(answer.status) || attempt >= mostAttempts) return answer
      const seconds = Number(answer.headers['retry-after'])
      const wait = seconds >= 0 ? seconds * 1000 : againMilliseconds
      await pause(Math.min(wait, mostAgainMilliseconds), undefined, { signal: request.signal })
    }
  }

  /** Only a statement whose name is known can be stopped, so an abort waits a moment for the name. */
  async function start(asked: Asked, disposition: string, signal: AbortSignal): Promise<Answer> {
    const late = new AbortController()
    const onAbort = () => setTimeout(() => late.abort(signal.reason), stopMilliseconds).unref()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const body = JSON.stringify({
        warehouse_id: warehouse,
        catalog,
        schema,
        statement: asked.sql,
        parameters: asked.parameters.map(parameterOf),
        // It answers at once, with the name by which the statement is stopped.
        wait_timeout: '0s',
        format: 'JSON_ARRAY',
        disposition,
      })
      return readAnswer(await ask({ method: 'POST', path, body, signal: late.signal }))
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  async function stop(id: string): Promise<void> {
    const signal = AbortSignal.timeout(stopMilliseconds)
    await settledWithin(stopMilliseconds, ask({ method: 'POST', path: `${path}/${id}/cancel`, body: '{}', signal }))
  }

  return {
    async run(asked, disposition, signal) {
      signal.throwIfAborted()
      let answer = await start(asked, disposition, signal)
      const id = encodeURIComponent(answer.id)
      let wait = firstPollMilliseconds
      try {
        while (answer.state !== 'SUCCEEDED') {
          await pause(wait, undefined, { signal })
          wait = Math.min(wait * 1.5, mostPollMilliseconds)
          answer = readAnswer(await ask({ method: 'GET', path: `${path}/${id}`, signal }))
        }
        signal.throwIfAborted()
        return answer
      } catch (error) {
        // What failed by itself has ended; whatever else interrupts the waiting leaves it running.
        if (!(error instanceof DatabricksError && error.status === 200)) await stop(id)
        throw error
      }
    },
    piece: async (id, index, signal) =>
      readPiece(await ask({ method: 'GET', path: `${path}/${encodeURIComponent(id)}/result/chunks/${index}`, signal })),
    async read({ address, headers }, signal) {
      const { protocol, hostname, port, pathname, search } = new URL(address)
      if (protocol !== 'https:') throw new Error('the workspace names a place of results that is not encrypted')
      const at = { host: hostname, port: Number(port || 443) }
      // The address itself is the right to read; the token is nobody's business there.
      return readRows(await storage.ask({ method: 'GET', at, path: pathname + search, headers, signal }))
    },
    close() {
      workspace.close()
      storage.close()
    },
  }
}

/** Values travel as text, which the statement casts; what has no value is NULL. */
function parameterOf(value: Parameter, index: number) {
  const name = `p${index + 1}`
  return value === null ? { name } : { name, value: String(value) }
}
