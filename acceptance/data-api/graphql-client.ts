import type { Api } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'

/** What a GraphQL request is answered with. */
export interface GraphqlAnswer {
  readonly status: number
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null
    readonly errors?: readonly { readonly message: string; readonly path?: unknown; readonly extensions?: object }[]
    readonly extensions?: Readonly<Record<string, unknown>>
    readonly error?: string
    readonly jsonQuery?: unknown
  }
  readonly text: string
}

interface AskOptions {
  readonly authorization?: string
  readonly branch?: string
  readonly operationName?: string
}

export interface GraphqlClient {
  readonly data: DataClient
  post(query: unknown, variables?: object, options?: AskOptions): Promise<GraphqlAnswer>
  get(parameters: Readonly<Record<string, string>>): Promise<GraphqlAnswer>
  toJson(query: unknown, variables?: object): Promise<GraphqlAnswer>
  /** The rows of a document's `cube` field. */
  rows(query: string, variables?: object): Promise<unknown>
}

export async function createGraphqlClient(api: Api, deploymentId: number): Promise<GraphqlClient> {
  const data = await createDataClient(api, deploymentId)
  const url = (branch?: string) => data.url(branch).replace(/v1$/, 'graphql')

  async function send(target: string, init: RequestInit = {}, authorization = data.token): Promise<GraphqlAnswer> {
    const response = await fetch(target, {
      ...init,
      headers: { authorization, 'content-type': 'application/json' },
    })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text), text }
  }

  const post: GraphqlClient['post'] = (query, variables, { authorization, branch, operationName } = {}) =>
    send(url(branch), { method: 'POST', body: JSON.stringify({ query, variables, operationName }) }, authorization)
  return {
    data,
    post,
    get: parameters => send(`${url()}?${new URLSearchParams(parameters)}`),
    toJson: (query, variables) =>
      send(`${data.url()}/graphql-to-json`, { method: 'POST', body: JSON.stringify({ query, variables }) }),
    async rows(query, variables) {
      const { body, text } = await post(query, variables)
      if (!body.data || body.errors) throw new Error(text)
      return body.data.cube
    },
  }
}
