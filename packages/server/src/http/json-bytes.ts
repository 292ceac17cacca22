import { CodedError } from '@hedron/contract'
import { parseJsonBody } from './json-body.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Parses a JSON body from its bytes. Bytes that are no text are refused rather than replaced: what was asked is what is answered.
 *
 * @throws {CodedError} `invalid_json`, `json_too_deep`.
 */
export function parseJsonBytes(bytes: Buffer): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new CodedError('invalid_json', { reason: 'it is not valid UTF-8' })
  }
  return parseJsonBody(text)
}
