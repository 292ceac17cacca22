import { isObject } from './json.js'

/** Why there is no reference to show, in words for the reader. */
export class LoadError extends Error {
  /**
   * @param {string} message what happened
   * @param {string} advice what to do
   * @param {string} code to quote
   */
  constructor(message, advice, code) {
    super(message)
    this.advice = advice
    this.code = code
  }
}

/**
 * Fetches the OpenAPI document.
 *
 * @param {string} address
 * @param {object} effects
 * @param {(address: string, options: { signal: AbortSignal, headers: Record<string, string> }) => Promise<Response>} effects.fetch
 * @param {AbortSignal} effects.signal
 * @param {(bytes: number) => void} effects.onProgress
 * @returns {Promise<unknown>}
 * @throws {LoadError}
 */
export async function loadDocument(address, { fetch, signal, onProgress }) {
  const { status, requestId, text } = await read()
  if (status === 401 || status === 403) {
    const advice = 'The reference needs no key, so something in front of the server refuses. Ask whoever runs it.'
    throw new LoadError(`${address} was refused.`, advice, `HTTP ${status}${requestId}`)
  }
  if (status !== 200) {
    const advice = 'Try again; if it lasts, look for this code in the log of the server.'
    throw new LoadError(`${address} was answered with an error.`, advice, `HTTP ${status}${requestId}`)
  }
  const document = parse(text)
  if (!isObject(document) || typeof document.openapi !== 'string' || !isObject(document.paths)) {
    const advice = 'Something between this page and the server may have answered in its place.'
    throw new LoadError(
      `${address} was answered with something that is no OpenAPI document.`,
      advice,
      `HTTP 200${requestId}`,
    )
  }
  return document

  async function read() {
    try {
      const response = await fetch(address, { signal, headers: { accept: 'application/json' } })
      const id = response.headers.get('x-request-id')
      const text = await readText(response, onProgress)
      return { status: response.status, requestId: id === null ? '' : `, request ${id}`, text }
    } catch (error) {
      const { message, advice, code } = reasonOf(error)
      throw new LoadError(`${address} ${message}`, advice, code)
    }
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  const name = error instanceof Error ? error.name : ''
  if (name === 'AbortError')
    return { message: 'was cancelled.', advice: 'Nothing is wrong; load it when you want it.', code: 'cancelled' }
  const advice = 'See whether the server still runs, then try again.'
  if (name === 'TimeoutError') return { message: 'did not answer in time.', advice, code: 'timeout' }
  return { message: 'could not be reached.', advice, code: 'network' }
}

/** @param {Response} response @param {(bytes: number) => void} onProgress */
async function readText(response, onProgress) {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let [text, bytes] = ['', 0]
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength
    text += decoder.decode(part.value, { stream: true })
    onProgress(bytes)
  }
  return text + decoder.decode()
}

/** @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
