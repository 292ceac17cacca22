import { parseExactly } from '../network/exact-json.ts'
import type { HttpAnswer } from '../network/http.ts'

/** One answer of Trino's REST interface (trino.io/docs/current/develop/client-protocol.html). */
export interface Page {
  readonly columns: readonly { readonly name: string; readonly type: string }[] | undefined
  readonly data: readonly (readonly unknown[])[]
  /** Path and query of what to ask next; absent at the end. */
  readonly next: string | undefined
  /** What a statement did other than select. */
  readonly updateType: string | undefined
  readonly error: TrinoError | undefined
}

/** What Trino says when a statement failed. */
export class TrinoError extends Error {
  readonly errorName: string
  readonly errorType: string

  constructor(message: string, errorName: string, errorType: string) {
    super(message)
    this.name = 'TrinoError'
    this.errorName = errorName
    this.errorType = errorType
  }
}

/** @throws Error when this is no answer of Trino */
export function readPage({ status, text }: HttpAnswer): Page {
  if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 300)}`)
  const page = parseExactly(text)
  if (!isObject(page)) throw new Error('the server answers something other than Trino')
  const { columns, data, nextUri, updateType, error } = page
  return {
    columns: Array.isArray(columns) ? columns.filter(isObject).map(readColumn) : undefined,
    data: Array.isArray(data) ? data.filter(Array.isArray) : [],
    next: typeof nextUri === 'string' ? pathOf(nextUri) : undefined,
    updateType: typeof updateType === 'string' ? updateType : undefined,
    error: isObject(error) ? readError(error) : undefined,
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const readColumn = ({ name, type }: Readonly<Record<string, unknown>>) => ({ name: String(name), type: String(type) })

const readError = ({ message, errorName, errorType }: Readonly<Record<string, unknown>>) =>
  new TrinoError(String(message ?? errorName), String(errorName ?? ''), String(errorType ?? ''))

/** The server names itself as it sees itself, and nothing but the server that was configured is asked. */
function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri, 'http://server')
  return pathname + search
}
