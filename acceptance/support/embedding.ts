import { type Answer, type Api, createApi, unique } from './api.ts'

/** The platform API as the bearer of an embed token calls it. */
export interface EmbedApi extends Api {
  readonly token: string
}

/** Generates a session that must be granted. @returns its id. */
export async function generateSession(api: Api, body: Record<string, unknown>): Promise<string> {
  const answer = await api.post('/api/v1/embed/generate-session', body)
  if (answer.status !== 200) throw new Error(`no session was made: ${JSON.stringify(answer.body)}`)
  return String(answer.body.sessionId)
}

/** Exchanges a session id, as the frame does: without a credential. */
export function exchange(api: Pick<Api, 'baseUrl'>, sessionId: string): Promise<Answer> {
  return createApi(api.baseUrl, '').request('POST', '/api/v1/embed/session/token', { sessionId }, { authorization: '' })
}

/** The API with a token of that text. */
export function withToken(api: Pick<Api, 'baseUrl'>, token: string): EmbedApi {
  const plain = createApi(api.baseUrl, '')
  const request: Api['request'] = (method, path, body, headers = {}) =>
    plain.request(method, path, body, { authorization: `Embed-Token ${token}`, ...headers })
  return {
    ...plain,
    token,
    request,
    get: path => request('GET', path),
    post: (path, body) => request('POST', path, body),
    put: (path, body) => request('PUT', path, body),
    delete: (path, body) => request('DELETE', path, body),
  }
}

/** Generates a session and exchanges it. */
export async function openSession(api: Api, body: Record<string, unknown>): Promise<EmbedApi> {
  const { status, body: answer } = await exchange(api, await generateSession(api, body))
  if (status !== 200) throw new Error(`the session was not exchanged: ${JSON.stringify(answer)}`)
  return withToken(api, String(answer.token))
}

/** What a JSON web token says, unchecked. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** What the data token of a session says. */
export async function dataClaims(session: Api, deploymentId: number, body?: object): Promise<Record<string, unknown>> {
  const answer = await session.post(`/api/v1/deployments/${deploymentId}/token`, body)
  if (answer.status !== 200) throw new Error(`no data token was issued: ${JSON.stringify(answer.body)}`)
  return claimsOf(String(answer.body.cubeApiToken))
}

/** A name of an embed tenant that no other test uses. */
export const uniqueTenant = (): string => unique('t')
