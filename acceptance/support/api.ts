import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'

export interface Answer {
  readonly status: number
  readonly body: Json
  readonly headers: Headers
}

/** Parsed JSON of any shape: every path can be followed, and what it leads to is for the test to assert. */
export interface Json {
  readonly [key: string]: Json | undefined
}

export interface Api {
  readonly baseUrl: string
  readonly apiKey: string
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  delete(path: string, body?: unknown): Promise<Answer>
  /** The same server with another credential. */
  with(apiKey: string): Api
}

/** Calls the platform API of a server with an API key. */
export function createApi(baseUrl: string, apiKey: string): Api {
  const request: Api['request'] = async (method, path, body, headers = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Api-Key ${apiKey}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers }
  }
  return {
    baseUrl,
    apiKey,
    request,
    get: path => request('GET', path),
    post: (path, body) => request('POST', path, body),
    put: (path, body) => request('PUT', path, body),
    delete: (path, body) => request('DELETE', path, body),
    with: key => createApi(baseUrl, key),
  }
}

/** The shared platform, as its administrator. */
export const sharedApi = (): Api => createApi(inject('baseUrl'), inject('apiKey'))

/** A new deployment of its own for a test file. @returns its id. */
export async function createDeployment(api: Api, body: Record<string, unknown> = {}): Promise<number> {
  const { status, body: created } = await api.post('/build/api/v1/deployments', { name: unique('deployment'), ...body })
  if (status !== 200) throw new Error(`no deployment was made: ${JSON.stringify(created)}`)
  return Number(created.id)
}

/** A new API key. @returns its secret. */
export async function createKey(api: Api, body: Record<string, unknown> = {}): Promise<string> {
  const { status, body: created } = await api.post('/api/v1/api-keys', { name: unique('key'), ...body })
  if (status !== 200) throw new Error(`no key was made: ${JSON.stringify(created)}`)
  return String(created.token)
}

/** A name that no other test uses. */
export const unique = (prefix: string): string => `${prefix}-${randomBytes(6).toString('hex')}`

/** Asks until the answer is as wanted; for what happens soon after a request, which on a busy machine is later. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (value: T) => boolean,
  timeout = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeout
  for (;;) {
    const value = await ask()
    if (wanted(value)) return value
    if (Date.now() > deadline) throw new Error(`still not so after ${timeout} ms: ${JSON.stringify(value)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Waits for the newest build of a branch to end. @returns the build status. */
export function buildOf(api: Api, deploymentId: number, branchName?: string): Promise<Answer> {
  const query = branchName === undefined ? '' : `?branchName=${encodeURIComponent(branchName)}`
  return eventually(
    () => api.get(`/api/v1/deployments/${deploymentId}/build-status${query}`),
    ({ body }) => ['built', 'failed'].includes(String(body.status)),
  )
}

/** A token for the data API of a deployment. */
export async function tokenOf(api: Api, deploymentId: number): Promise<string> {
  const { body } = await api.post(`/api/v1/deployments/${deploymentId}/token`)
  return String(body.cubeApiToken)
}

/** Asks the data API of a deployment, repeating while it answers `Continue wait`. */
export async function load(
  api: Api,
  deploymentId: number,
  query: unknown,
  options: { branch?: string; token?: string; more?: Record<string, unknown> } = {},
): Promise<Answer> {
  const token = options.token ?? (await tokenOf(api, deploymentId))
  const branch = options.branch === undefined ? '' : `/dev-mode/${options.branch}`
  return eventually(
    () =>
      api.request(
        'POST',
        `/data/${deploymentId}${branch}/cubejs-api/v1/load`,
        { query, ...options.more },
        { authorization: token },
      ),
    ({ body }) => String(body.error) !== 'Continue wait',
    60_000,
  )
}
