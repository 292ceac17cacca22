import type { Client } from '@hedron/contract/client'
import type { LoadAnswer, SqlColumn } from '@hedron/ui'
import { lifetimeOf } from './claims.ts'
import { createGate } from './gate.ts'
import type { SqlFilter } from './sql-filter.ts'

/** Why a question has no answer, in the words of the data API. */
export class DataFailure extends Error {
  override readonly name = 'DataFailure'
  /** 0: the server was not reached. */
  readonly status: number
  readonly requestId: string | null

  constructor(message: string, status: number, requestId: string | null) {
    super(message)
    this.status = status
    this.requestId = requestId
  }

  /** Something that the question names is not in the model, or is not shown to whoever asks. */
  get isAboutModel(): boolean {
    return (
      this.status === 400 &&
      /not found for path|Cube '.*' not found|'.*' not found|does not exist|no such|hidden/i.test(this.message)
    )
  }

  /** The server was not reached, or could not be behind its proxy. */
  get isAboutReach(): boolean {
    return this.status === 0 || this.status >= 502
  }

  get isAboutRights(): boolean {
    return this.status === 403
  }
}

export interface SqlAnswer {
  readonly schema: readonly SqlColumn[]
  readonly data: readonly (readonly (string | number | boolean | null)[])[]
  /** Members whose conditions hold in the rows. */
  readonly filtered: readonly string[]
}

/** A member of the model as `/v1/meta` describes it. */
export interface MetaMember {
  readonly name: string
  readonly title: string
  readonly shortTitle: string
  readonly type: string
  readonly description?: string
  readonly isVisible?: boolean
  readonly format?: unknown
  readonly granularities?: readonly { readonly name: string; readonly title?: string }[]
  readonly drillMembers?: readonly string[]
}
export interface MetaCube {
  readonly name: string
  readonly title: string
  readonly type: 'cube' | 'view'
  readonly description?: string
  readonly isVisible?: boolean
  readonly measures: readonly MetaMember[]
  readonly dimensions: readonly MetaMember[]
  readonly segments: readonly { readonly name: string; readonly title: string; readonly shortTitle?: string }[]
}
export interface Meta {
  readonly cubes: readonly MetaCube[]
}

/** How a question is asked. */
export interface Asking {
  readonly signal: AbortSignal
  /** How new rows have to be; left out: what the cache has, where the source is slow. */
  readonly cache?: 'must-revalidate' | 'no-cache'
}

/** The data API of one deployment, with the data token of the session. */
export interface DataClient {
  load(query: object, asking: Asking): Promise<LoadAnswer>
  /** What a question, or a statement in the SQL of the model, becomes for its data source: statements with holes for their values. */
  generatedSql(asked: object | string, signal: AbortSignal): Promise<readonly string[]>
  /** @param filters hold where their member is a column of the answer (docs/sql-api.md). */
  sql(query: string, timezone: string | undefined, asking: Asking, filters?: readonly SqlFilter[]): Promise<SqlAnswer>
  meta(signal: AbortSignal): Promise<Meta>
  /** Another session took the place of the one before: its rights may be others. */
  forget(): void
}

/** The address of a data API, and a token for it. */
interface Access {
  readonly url: string
  readonly token: string
  /** When it is time for another one, by the clock of the machine. */
  readonly until: number
}

interface DataNeed {
  readonly api: Client
  readonly deploymentId: number
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** Questions asked at once: more would wait in the browser, whose lines to one server are six. */
const atOnce = 5
const pauses = [400, 1200, 2500, 5000, 8000]
/** Attempts while the deployment answers as many as it may: with many frames opened at once everybody's turn comes. */
const mostRefusals = 60
/** Data tokens are renewed this long before their end. */
const renewBefore = 300_000

/**
 * Asks until there is an answer: slow queries are joined again (`Continue wait`), a server that is started anew or refuses for a moment is asked
 * again, a token that is refused is replaced once. Aborting the signal ends the wait at once.
 */
export function createDataClient(need: DataNeed): DataClient {
  const gate = createGate(atOnce)
  let access: Promise<Access> | null = null
  let meta: Promise<Meta> | null = null

  return {
    async load(query, asking) {
      const cache = asking.cache ?? 'stale-if-slow'
      const text = await ask('load', { query, cache }, asking.signal)
      return JSON.parse(text)
    },
    async sql(query, timezone, asking, filters = []) {
      const cache = asking.cache ?? 'stale-if-slow'
      const body = {
        query,
        cache,
        throwContinueWait: true,
        ...(timezone === undefined ? {} : { timezone }),
        ...(filters.length === 0 ? {} : { filters }),
      }
      return readLines(await ask('cubesql', body, asking.signal))
    },
    async generatedSql(asked, signal) {
      const body = typeof asked === 'string' ? { query: asked, format: 'sql' } : { query: asked }
      return readStatements(JSON.parse(await ask('sql', body, signal)))
    },
    meta(signal) {
      meta ??= ask('meta', undefined, signal)
        .then(text => JSON.parse(text))
        .catch(error => {
          meta = null
          throw error
        })
      return meta
    },
    forget() {
      access = null
      meta = null
    },
  }

  async function ask(action: string, body: object | undefined, signal: AbortSignal): Promise<string> {
    let failures = 0
    let refusals = 0
    let isSecondToken = false
    const requestId = crypto.randomUUID()
    for (let wait = 1; ; wait++) {
      const { response, text, used } = await gate(signal, () =>
        sendOnce(action, body, `${requestId}-span-${wait}`, signal),
      )
      if (response?.ok === true) {
        const error = errorOf(text)
        if (error === null) return text
        if (error === 'Continue wait') continue
        throw new DataFailure(error, response.status, requestId)
      }
      if (response?.status === 403 && !isSecondToken) {
        isSecondToken = true
        // Others who were refused with it may have another one by now.
        if (access === used) access = null
        continue
      }
      if (response?.status === 429 && refusals++ < mostRefusals) {
        // Not all at the same moment.
        await sleep((retryAfter(response) ?? 1000) * (1 + Math.random()), signal)
        continue
      }
      const isPassing = response === null || response.status >= 502
      const pause = isPassing ? pauses[failures++] : undefined
      if (pause === undefined) {
        const message = errorOf(text) ?? (text === '' ? '' : text.slice(0, 300))
        throw new DataFailure(message, response?.status ?? 0, requestId)
      }
      await sleep(retryAfter(response) ?? pause, signal)
    }
  }

  async function sendOnce(action: string, body: object | undefined, requestId: string, signal: AbortSignal) {
    const { url, token } = await accessNow()
    const used = access
    try {
      const response = await need.fetch(`${url}/cubejs-api/v1/${action}`, {
        method: body === undefined ? 'GET' : 'POST',
        credentials: 'omit',
        headers: {
          authorization: token,
          'x-request-id': requestId,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      })
      return { response, text: await response.text(), used }
    } catch (error) {
      if (signal.aborted) throw error
      return { response: null, text: '', used }
    }
  }

  /** One for all who ask at once. */
  async function accessNow(): Promise<Access> {
    const current = access ?? anew()
    const known = await current
    if (need.now() < known.until) return known
    return access === current ? anew() : accessNow()
  }

  function anew(): Promise<Access> {
    const made = fetchAccess()
    access = made
    made.catch(() => {
      if (access === made) access = null
    })
    return made
  }

  async function fetchAccess(): Promise<Access> {
    const params = { deploymentId: need.deploymentId }
    const [deployment, { cubeApiToken }] = await Promise.all([
      need.api.getDeployment({ params }),
      need.api.deploymentToken({ params }),
    ])
    const life = lifetimeOf(cubeApiToken)
    // By how long it lives from now, whatever the clock here says.
    const lasts = life === null ? renewBefore * 2 : life.expiresAt - life.issuedAt
    const until = need.now() + lasts - Math.min(renewBefore, lasts / 4)
    return { url: deployment.deploymentUrl, token: cubeApiToken, until }
  }
}

/** Of NDJSON with the columns first; an error in a later line means that what came before is not all. */
function readLines(text: string): SqlAnswer {
  const lines: Record<string, unknown>[] = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
  const [head, ...rest] = lines
  const failed = lines.find(({ error }) => typeof error === 'string')
  if (failed !== undefined) throw new DataFailure(String(failed.error), 200, null)
  const schema = Array.isArray(head?.schema) ? head.schema : []
  const filtered = Array.isArray(head?.filtered) ? head.filtered.map(String) : []
  return { schema, filtered, data: rest.flatMap(({ data }) => (Array.isArray(data) ? data : [])) }
}

/** One for each part of a question that compares several times. */
function readStatements(answer: unknown): readonly string[] {
  return (Array.isArray(answer) ? answer : [answer]).map(one => {
    const { sql, error }: { sql?: unknown; error?: unknown } = Object(Object(one).sql)
    const text: unknown = Array.isArray(sql) ? sql[0] : undefined
    if (typeof text !== 'string') throw new DataFailure(typeof error === 'string' ? error : '', 200, null)
    return text
  })
}

/** The error that a body is, and null where it is an answer. Long answers are not read for it. */
function errorOf(text: string): string | null {
  if (text.length > 100_000 || !text.includes('"error"')) return null
  try {
    const [first = ''] = text.split('\n')
    const { error, message }: { error?: unknown; message?: unknown } = JSON.parse(first)
    return typeof message === 'string' ? message : typeof error === 'string' ? error : null
  } catch {
    return null
  }
}

function retryAfter(response: Response | null): number | null {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.min(seconds, 30) * 1000 : null
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal.reason)
  const timer = setTimeout(resolve, milliseconds)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
