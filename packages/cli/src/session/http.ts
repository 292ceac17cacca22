import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { EncodedForm, Transport } from '@hedron/contract/client'

/**
 * Sends requests by Node's own HTTP client. Its `fetch` takes 60 ms of processor time to load, more than all the rest of a short
 * command. Redirects are not followed: what is sent carries a credential.
 *
 * @throws {Error} when no whole answer comes
 */
export const sendByHttp: Transport = async (url, { method, headers, body, signal }) => {
  const address = new URL(url)
  // Not imported: an import reads every name of the module, and one of them loads the whole of `fetch`.
  const { request } = process.getBuiltinModule(address.protocol === 'https:' ? 'node:https' : 'node:http')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes !== undefined && !(bytes instanceof Uint8Array)) throw new TypeError('a form must be encoded to be sent')
  const length = bytes === undefined && method === 'GET' ? {} : { 'content-length': bytes?.length ?? 0 }
  const answer = await exchange(request, address, { method, headers: { ...headers, ...length }, signal }, bytes)
  const content = (await buffer(answer)).toString()
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer
  const { location } = answer.headers
  if (status >= 300 && status < 400 && location !== undefined) {
    throw new Error(`it redirects to ${new URL(location, address).href}; use the address that it redirects to`)
  }
  const said = { get: (name: string) => answer.headers[name]?.toString() ?? null }
  return { ok: status >= 200 && status < 300, status, statusText, headers: said, text: async () => content }
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
