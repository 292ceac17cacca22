import type { IncomingMessage } from 'node:http'
import { Failure } from '../framework/failure.ts'

/** Release hosts answer with the address of a storage, seldom more than once. */
const mostRedirects = 5

/**
 * A file of a release. Redirects are followed, since nothing secret is sent; not from https to http.
 *
 * @throws {Failure} `transport_failed`
 */
export async function fetchFile(url: string, userAgent: string, signal: AbortSignal): Promise<Buffer> {
  let address = readAddress(url)
  for (let count = 0; count <= mostRedirects; count += 1) {
    const failed = (reason: string) => new Failure('transport_failed', { url: address.href, reason })
    try {
      const answer = await get(address, userAgent, signal)
      const { statusCode = 0, headers } = answer
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        answer.resume()
        const next = new URL(headers.location, address)
        if (address.protocol === 'https:' && next.protocol !== 'https:') throw failed(`it redirects to ${next.href}`)
        address = next
        continue
      }
      const { buffer } = process.getBuiltinModule('node:stream/consumers')
      const bytes = await buffer(answer)
      if (statusCode !== 200) throw failed(`it answered ${statusCode}`)
      const length = headers['content-length']
      if (length !== undefined && Number(length) !== bytes.length) throw failed('the answer broke off')
      return bytes
    } catch (error) {
      if (error instanceof Failure) throw error
      throw failed(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Failure('transport_failed', { url, reason: `it redirects more than ${mostRedirects} times` })
}

function readAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : null
  if (address !== null && ['http:', 'https:'].includes(address.protocol)) return address
  throw new Failure('transport_failed', { url, reason: 'this is no address of http or https' })
}

function get(address: URL, userAgent: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule(address.protocol === 'https:' ? 'node:https' : 'node:http')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sending = request(address, { headers: { 'user-agent': userAgent }, signal })
  sending.on('response', resolve)
  sending.on('error', reject)
  sending.end()
  return promise
}
