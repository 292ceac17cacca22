import type * as z from 'zod'
import { operations } from './generated/operations.ts'
import type { Route } from './route.ts'
import type { OperationId, Routes } from './routes.ts'
import type { ErrorResponse } from './schemas/common.ts'

type Input<S> = S extends z.ZodType ? z.input<S> : never
type Part<R, K extends string, N extends string> = R extends { readonly [P in K]: z.ZodType }
  ? undefined extends Input<R[K]>
    ? { readonly [P in N]?: Input<R[K]> }
    : { readonly [P in N]: Input<R[K]> }
  : Record<never, never>
type QueryPart<R> = R extends { readonly query: z.ZodType }
  ? { readonly query?: Input<R['query']> }
  : Record<never, never>
type BodyPart<R> = R extends { readonly consumes: 'multipart' }
  ? { readonly body: FormData | EncodedForm }
  : R extends { readonly bodyOptional: true; readonly body: z.ZodType }
    ? { readonly body?: Input<R['body']> }
    : Part<R, 'body', 'body'>

/** What one operation takes: path parameters, query and body, as the contract types them. */
export type RequestOf<R extends Route> = Part<R, 'params', 'params'> & QueryPart<R> & BodyPart<R>
export type ResponseOf<R extends Route> = z.output<R['response']>

/** A multipart form as bytes (RFC 7578), for programs that do not load the platform's own forms. */
export interface EncodedForm {
  /** The media type with its boundary. */
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Sends one request; `fetch` is one. What it throws is thrown by the client. */
export type Transport = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string | FormData | Uint8Array<ArrayBuffer>
    readonly signal: AbortSignal
  },
) => Promise<{
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers?: { get(name: string): string | null }
  text(): Promise<string>
}>

export interface ClientOptions {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Value of the Authorization header, for example `Api-Key sk-…`. */
  readonly authorization?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default: the platform's own. */
  readonly fetch?: Transport
  /** Milliseconds after which a request is given up; 120,000 when omitted. */
  readonly timeout?: number
}

/** A refusal by the server. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly body: unknown
  readonly method: string
  readonly path: string
  /** Seconds after which the server wants to be asked again (RFC 9110, section 10.2.3); null where it does not say. */
  readonly retryAfter: number | null

  constructor(
    method: string,
    path: string,
    status: number,
    body: unknown,
    fallback: string,
    retryAfter: number | null = null,
  ) {
    const error = isErrorResponse(body) ? body : null
    super(error?.message ?? fallback)
    this.name = 'ApiError'
    this.status = status
    this.code = error?.code ?? 'unknown'
    this.body = body
    this.method = method
    this.path = path
    this.retryAfter = retryAfter
  }
}

const isErrorResponse = (body: unknown): body is ErrorResponse =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'

export type Client = {
  readonly [O in OperationId]: (request: RequestOf<Routes[O]>, signal?: AbortSignal) => Promise<ResponseOf<Routes[O]>>
}

interface LooseRequest {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/**
 * A function for each operation of the platform API, typed by the contract. Carries no schemas at run time: methods and paths
 * come from a table generated from the OpenAPI document.
 *
 * @throws {ApiError} for every answer that is not 2xx.
 */
export function createClient(options: ClientOptions): Client {
  const call = (id: OperationId) => async (request: LooseRequest, signal?: AbortSignal) => {
    const [method, template] = operations[id]
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(request.params?.[name])))
    return send(options, method, path, request.query, request.body, signal)
  }
  const ids = Object.keys(operations) as OperationId[]
  // The mapped type above says per operation what the loose signature takes; the table has exactly these ids (tested).
  return Object.fromEntries(ids.map(id => [id, call(id)])) as unknown as Client
}

/** Sends one request as the typed functions do; for operations that are not in the contract. */
export async function send(
  options: ClientOptions,
  method: string,
  path: string,
  query?: Readonly<Record<string, unknown>>,
  body?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const search = queryString(query)
  const bounded = AbortSignal.timeout(options.timeout ?? 120_000)
  const content = contentOf(body)
  const response = await (options.fetch ?? fetch)(`${options.baseUrl}${path}${search}`, {
    method: method.toUpperCase(),
    headers: {
      ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
      ...(content?.type === undefined ? {} : { 'content-type': content.type }),
      ...options.headers,
    },
    ...(content === undefined ? {} : { body: content.body }),
    signal: signal === undefined ? bounded : AbortSignal.any([signal, bounded]),
  })
  const text = await response.text()
  const parsed = parseJson(text)
  if (!response.ok) {
    const wait = response.headers?.get('retry-after') ?? ''
    const retryAfter = /^\d{1,6}$/.test(wait) ? Number(wait) : null
    const said = text || response.statusText
    throw new ApiError(method.toUpperCase(), path, response.status, parsed ?? text, said, retryAfter)
  }
  if (response.status === 204) return undefined
  if (text.trim() === '') return null
  if (parsed === undefined) {
    throw new ApiError(
      method.toUpperCase(),
      path,
      response.status,
      text,
      `the answer is not JSON: ${text.slice(0, 200)}`,
    )
  }
  return parsed
}

function contentOf(body: unknown) {
  if (body === undefined) return undefined
  if (isForm(body)) return { body, type: undefined }
  return isEncodedForm(body)
    ? { body: body.bytes, type: body.contentType }
    : { body: JSON.stringify(body), type: 'application/json' }
}

// By its tag: naming the class would make Node load its whole `fetch`, half of the time that a short program takes.
const isForm = (body: unknown): body is FormData => Object.prototype.toString.call(body) === '[object FormData]'

const isEncodedForm = (body: unknown): body is EncodedForm =>
  typeof body === 'object' && body !== null && 'bytes' in body && body.bytes instanceof Uint8Array

function queryString(query: Readonly<Record<string, unknown>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item))
    }
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
