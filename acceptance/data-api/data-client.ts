import { type Answer, type Api, eventually, type Json, tokenOf } from '../support/api.ts'

export type Action = 'load' | 'sql' | 'dry-run' | 'explain' | 'meta'

interface AskOptions {
  /** The whole value of `Authorization`; null sends none. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Stands in the address as it is written here. */
  readonly branch?: string
}

/** The data API of one deployment, reached as its clients reach it. */
export interface DataClient {
  readonly token: string
  /** Address of the API, production or a branch, without what is asked. */
  url(branch?: string): string
  post(action: Action, body: unknown, options?: AskOptions): Promise<Answer>
  get(action: Action, parameters: Readonly<Record<string, string>>, options?: AskOptions): Promise<Answer>
  /** Loads a query, again while the answer is to wait. */
  load(query: unknown, more?: Readonly<Record<string, unknown>>, options?: AskOptions): Promise<Answer>
  /** Loads a query that must be answered. @returns its rows. */
  rows(query: unknown): Promise<readonly Row[]>
}

export type Row = Readonly<Record<string, string | boolean | null>>

export async function createDataClient(api: Api, deploymentId: number): Promise<DataClient> {
  const token = await tokenOf(api, deploymentId)
  const url: DataClient['url'] = branch =>
    `${api.baseUrl}/data/${deploymentId}${branch === undefined ? '' : `/dev-mode/${branch}`}/cubejs-api/v1`

  async function send(target: string, init: RequestInit, options: AskOptions): Promise<Answer> {
    const { authorization = token } = options
    const response = await fetch(target, {
      ...init,
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
    })
    return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
  }

  const post: DataClient['post'] = (action, body, options = {}) =>
    send(
      `${url(options.branch)}/${action}`,
      { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) },
      options,
    )
  const load: DataClient['load'] = (query, more = {}, options = {}) =>
    eventually(
      () => post('load', { query, ...more }, options),
      ({ body }) => String(body.error) !== 'Continue wait',
      60_000,
    )
  return {
    token,
    url,
    post,
    load,
    get: (action, parameters, options = {}) =>
      send(`${url(options.branch)}/${action}?${new URLSearchParams(parameters)}`, {}, options),
    async rows(query) {
      const { status, body } = await load(query)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} for ${JSON.stringify(query)}`)
      return rowsOf(body)
    },
  }
}

/** The rows of an answer or of one of several results. */
export function rowsOf(result: Json | undefined): readonly Row[] {
  const data: unknown = result?.data
  if (!Array.isArray(data)) throw new Error(`no rows: ${JSON.stringify(result)}`)
  return data
}
