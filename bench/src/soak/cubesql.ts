import { Refusal, WrongAnswer } from './refusal.ts'
import type { Target } from './world.ts'

export type SqlRow = readonly (string | boolean | null)[]

interface Line {
  readonly schema?: unknown
  readonly complete?: boolean
  readonly data?: readonly SqlRow[]
  readonly error?: string
}

/** `POST /v1/cubesql`, portion by portion as they come. @throws {Refusal} for an error, also one after the first rows */
export async function* askSql(
  target: Target,
  query: string,
  more: object = {},
  signal?: AbortSignal,
): AsyncGenerator<readonly SqlRow[]> {
  const response = await fetch(`${target.url}/v1/cubesql`, {
    method: 'POST',
    headers: { authorization: target.token, 'content-type': 'application/json' },
    body: JSON.stringify({ query, ...more }),
    signal: signal ?? AbortSignal.timeout(120_000),
  })
  if (response.body === null) throw new WrongAnswer('no body')
  let isFirst = true
  for await (const text of linesOf(response.body)) {
    const line: Line = JSON.parse(text)
    if (line.error !== undefined) throw new Refusal(line.error)
    if (isFirst && line.complete !== true) {
      throw new WrongAnswer(`the first line does not say complete: ${text.slice(0, 200)}`)
    }
    isFirst = false
    if (line.data) yield line.data
  }
}

/** Reads no further than the one who asks for lines: what he leaves stays with the server. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter(line => line !== '')
  }
  // An error before the first row is a body of its own, without the end of a line.
  if (rest !== '') yield rest
}

/** All rows of a statement whose answer is small. */
export async function sqlRows(target: Target, query: string, more: object = {}): Promise<readonly SqlRow[]> {
  const rows: SqlRow[] = []
  for await (const portion of askSql(target, query, more)) rows.push(...portion)
  return rows
}
