import { randomInt } from 'node:crypto'

/** A page as a browser without scripts gets it. */
export interface Visited {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where it redirects to; null: nowhere. */
  readonly location: string | null
}

/** A browser without scripts: it keeps cookies and sends the hidden fields of the form that it saw last. */
export interface Visitor {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Visited>
  /** Sends a form as the page that was seen last would, hidden token included; `fields` win over it. */
  submit(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Visited>
  signIn(email: string, password: string): Promise<Visited>
}

/** @param address the network address that it seems to come from, as by a proxy on this machine; default: its own. */
export function createVisitor(baseUrl: string, address = randomAddress()): Visitor {
  const cookies = new Map<string, string>()
  let token = ''

  async function ask(path: string, init: RequestInit): Promise<Visited> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': address,
        ...(cookie === '' ? {} : { cookie }),
        ...Object.fromEntries(new Headers(init.headers)),
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.text()
    token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? token
    return { status: response.status, headers: response.headers, text, location: response.headers.get('location') }
  }

  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => ask(path, { headers }),
    submit: (path, fields = {}, headers = {}) =>
      ask(path, { method: 'POST', headers, body: new URLSearchParams({ form_token: token, ...fields }) }),
    async signIn(email, password) {
      await visitor.get('/auth/sign-in')
      return visitor.submit('/auth/sign-in', { email, password })
    },
  }
  return visitor
}

/** What an OAuth endpoint answers to a form. */
export async function postForm(
  baseUrl: string,
  path: string,
  fields: Record<string, string>,
): Promise<{ readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers }> {
  const response = await fetch(`${baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
}

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export interface Tokens {
  readonly access: string
  readonly refresh: string
}

/** Logs a program in as the person at that browser, as the command line does. */
export async function logInProgram(baseUrl: string, visitor: Visitor): Promise<Tokens> {
  const started = await postForm(baseUrl, '/auth/device/code', { client_id: 'hedron-cli' })
  const code = String(started.body.user_code)
  await visitor.get(`/auth/device?user_code=${code}`)
  const decided = await visitor.submit('/auth/device/decide', { user_code: code, decision: 'allow' })
  if (decided.status !== 200) throw new Error(`the device was not allowed: ${decided.text}`)
  const { status, body } = await postForm(baseUrl, '/auth/device/token', {
    client_id: 'hedron-cli',
    grant_type: deviceGrant,
    device_code: String(started.body.device_code),
  })
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
  return { access: String(body.access_token), refresh: String(body.refresh_token) }
}

export const refreshTokens = (baseUrl: string, refresh: string) =>
  postForm(baseUrl, '/auth/oauth2/refresh', {
    client_id: 'hedron-cli',
    grant_type: 'refresh_token',
    refresh_token: refresh,
  })

/** Of the block for benchmarks (RFC 2544). */
const randomAddress = () => `198.18.${randomInt(256)}.${randomInt(256)}`
