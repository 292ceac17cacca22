import { ApiError } from '@hedron/contract/client'
import { isRecord, parseJson } from '../framework/json.ts'
import { oneReason } from '../framework/text.ts'

/** An answer that is no success, as one sentence that says which request it was. */
export function explainApiError({ status, body, method, path }: ApiError): string {
  if (status < 300) {
    const text = String(body).trimStart()
    if (text.length > 1 && text.startsWith('<') && !text.startsWith('<?xml')) {
      return `${method} ${path} returned a web page instead of JSON — this endpoint is not available on this server (the server may be running an older version)`
    }
    return `${method} ${path} returned a body that is not JSON: ${oneReason(text)}`
  }
  const detail = errorDetail(body)
  const after = (separator: string) => (detail === '' ? '' : `${separator}${detail}`)
  if (status === 401) {
    return `unauthorized (401): session expired — run \`hedron login\` (or set HEDRON_API_KEY).${after(' ')}`
  }
  if (status === 403) return `forbidden (403)${after(': ')}`
  if (status === 404) return `not found (404): ${method} ${path}${after('. ')}`
  const reason = process.getBuiltinModule('node:http').STATUS_CODES[status]
  return `${method} ${path} failed with ${status}${reason === undefined ? '' : ` ${reason}`}${after(': ')}`
}

/** What the body of an error says: its `message`, else its `error`, else all of it; nothing where it says nothing. */
export function errorDetail(body: unknown): string {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const document = parsed === undefined ? body : parsed
  if (isRecord(document)) {
    for (const candidate of [document.message, document.error]) {
      const text = explanation(candidate)
      if (text !== '') return oneReason(text)
    }
  }
  if (typeof document === 'string') return oneReason(document)
  return oneReason(isEmpty(document) ? '' : JSON.stringify(document))
}

/** Numbers and booleans explain nothing: they are codes. */
function explanation(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'object' && !isEmpty(value) ? JSON.stringify(value) : ''
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether the same request may succeed a moment later. */
export const isTransientStatus = (error: unknown): boolean =>
  error instanceof ApiError && (error.status >= 500 || error.status === 408 || error.status === 429)
