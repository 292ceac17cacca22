import type { StreamLine } from './conversation.ts'

const longestLine = 16_000_000

/** The objects of an NDJSON body as they come. @throws {Error} for a line that is not JSON, and what reading the body throws. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamLine, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      if (rest.length > longestLine) throw new Error('A line of the stream is too long.')
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
