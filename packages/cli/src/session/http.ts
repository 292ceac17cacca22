import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { EncodedForm, Transport } from '@hedron/contract/client'

/**
 * Sends requests in the way that is quickest to load: in the binary `fetch` is part of the runtime, where `node:http` takes 25 ms;
 * on Node it is the other way round, and `fetch` takes 60 ms, more than all the rest of a short command. Redirects are not followed:
 * what is sent carries a credential.
 *
 * @throws {Error} when no whole answer comes
 */
export const sendRequest: Transport = (url, request) =>
  process.versions.bun === undefined || !fetched.includes(request.method)
    ? sendByHttp(url, request)
    : sendByFetch(url, request)

/** What the `fetch` of the binary sends as it is: of a method that it does not know it makes a GET. */
const fetched = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** By the runtime's `fetch`: see `sendRequest`. */
export const sendByFetch: Transport = async (url, { method, headers, body, signal }) => {
  // Without a body a length of 0 is not said, and some front ends answer 411.
  const content = body ?? (method === 'GET' || method === 'HEAD' ? undefined : '')
  const address = new URL(url)
  try {
    const answer = await fetch(address, {
      method,
      // As by Node's client nothing compressed is asked for.
      headers: { ...headers, 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal,
      ...(content === undefined ? {} : { body: content }),
    })
    const { status, statusText } = answer
    // Not `text()`, which would take a byte order mark away.
    const text = Buffer.from(await answer.arrayBuffer()).toString()
    return answered(address, { status, statusText, text, header: name => answer.headers.get(name) })
  } catch (error) {
    throw signal.aborted ? error : inOurWords(error, address)
  }
}

/** What the runtime says of these speaks to who writes a program. */
function inOurWords(error: unknown, { host }: URL): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED') return new Error(`connect ECONNREFUSED ${host}`)
  if (code === 'ECONNRESET') return new Error('the connection broke off before the answer was whole')
  return error
}

/** By Node's own HTTP client: see `sendRequest`. */
export const sendByHttp: Transport = async (url, { method, headers, body, signal }) => {
  const address = new URL(url)
  // Not imported: an import reads every name of the module, and one of them loads the whole of `fetch`.
  const { request } = process.getBuiltinModule(address.protocol === 'https:' ? 'node:https' : 'node:http')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes !== undefined && !(bytes instanceof Uint8Array)) throw new TypeError('a form must be encoded to be sent')
  const length = bytes === undefined && method === 'GET' ? {} : { 'content-length': bytes?.length ?? 0 }
  const answer = await exchange(request, address, { method, headers: { ...headers, ...length }, signal }, bytes)
  const { buffer } = process.getBuiltinModule('node:stream/consumers')
  const text = (await buffer(answer)).toString()
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer
  const header = (name: string) => answer.headers[name]?.toString() ?? null
  return answered(address, { status, statusText, text, header })
}

interface Received {
  readonly status: number
  readonly statusText: string
  readonly text: string
  header(name: string): string | null
}

/** @throws {Error} for a redirect */
function answered(address: URL, { status, statusText, text, header }: Received): Awaited<ReturnType<Transport>> {
  const location = header('location')
  if (status >= 300 && status < 400 && location !== null) {
    throw new Error(`it redirects to ${new URL(location, address).href}; use the address that it redirects to`)
  }
  return { ok: status >= 200 && status < 300, status, statusText, headers: { get: header }, text: async () => text }
}

function exchange(
  request: (address: URL, options: RequestOptions) => ClientRequest,
  address: URL,
  options: RequestOptions,
  body: Uint8Array | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sending = request(address, options)
  sending.on('response', resolve)
  sending.on('error', reject)
  sending.end(body)
  return promise
}

/** One part of a form: a field, or a file with its name. */
export interface FormPart {
  readonly name: string
  readonly fileName?: string
  readonly content: string | Uint8Array
}

/** Writes a form as `multipart/form-data` (RFC 7578); names are escaped as browsers do. */
export function encodeForm(parts: readonly FormPart[], boundary: string): EncodedForm {
  const chunks = parts.flatMap(({ name, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${escaped(fileName)}"`
    const type = fileName === undefined ? '' : 'Content-Type: application/octet-stream\r\n'
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n${type}\r\n`
    return [Buffer.from(head), typeof content === 'string' ? Buffer.from(content) : content, Buffer.from('\r\n')]
  })
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes }
}

const escaped = (name: string): string => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
