import { CodedError, UploadTransaction } from '@hedron/contract'

/**
 * The id in a transaction that a form carries as JSON text.
 *
 * @throws {CodedError} `invalid_request`.
 */
export function readTransactionId(text: string): string {
  const { success, data } = UploadTransaction.safeParse(parse(text))
  if (success) return data.id
  throw new CodedError('invalid_request', {
    problems: 'transaction: must be the transaction of upload/start as JSON text, {"id":"…"}',
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
