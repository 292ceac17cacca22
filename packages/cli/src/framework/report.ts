import { ApiError } from '@hedron/contract/client'
import { CommanderError } from 'commander'
import { errorDetail, explainApiError } from '../session/explain.ts'
import { Failure } from './failure.ts'
import { isRecord } from './json.ts'
import { oneLine, printable } from './text.ts'

/** A failure as it is shown. */
export interface Report {
  readonly exitCode: 1 | 2 | 130
  /** One line: the failure and all its causes, outermost first. */
  readonly line: string
  /** What `--json` prints on the standard error. */
  readonly document: { readonly error: Readonly<Record<string, unknown>> }
}

/** Characters of an error line; a server's own words were cut before. */
const longestLine = 4_000

export function reportOf(error: unknown): Report {
  const line = oneLine(printable(messagesOf(error).join(': ')), longestLine)
  if (error instanceof CommanderError) {
    return { exitCode: 2, line, document: { error: { code: 'usage', message: line } } }
  }
  if (error instanceof ApiError) {
    const body = isRecord(error.body) ? error.body : {}
    const { statusCode: _, error: __, message: ___, code: ____, ...data } = body
    const { status, method, path } = error
    const message = errorDetail(error.body) || line
    return { exitCode: 1, line, document: { error: { code: error.code, message, status, method, path, ...data } } }
  }
  const code = error instanceof Failure ? error.code : 'internal'
  const exitCode = code === 'usage' ? 2 : code === 'interrupted' ? 130 : 1
  return { exitCode, line, document: { error: { code, message: line } } }
}

function messagesOf(error: unknown): readonly string[] {
  if (error instanceof ApiError) return [explainApiError(error)]
  if (error instanceof CommanderError) return [error.message.replace(/^error: /, '')]
  if (!(error instanceof Error)) return [String(error)]
  return [error.message, ...(error.cause === undefined ? [] : messagesOf(error.cause))]
}
