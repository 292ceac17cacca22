import { protocolViolation } from './pg-error.ts'

/** One message of a client. Startup packets have no type. */
export interface Frame {
  readonly type: string
  readonly body: Buffer
}

/** How the next bytes are framed: the first packets of a connection have no type byte. */
export type Framing = 'startup' | 'message'

/**
 * Cuts a stream of bytes into messages (PostgreSQL documentation, "Message Formats"). Memory is taken as bytes come, never as a
 * length announces them.
 */
export function createFrameReader() {
  let chunks: Buffer[] = []
  let buffered = 0

  const joined = (): Buffer => {
    const [first] = chunks
    if (chunks.length === 1 && first) return first
    const all = Buffer.concat(chunks)
    chunks = [all]
    return all
  }
  /** The first bytes, without joining a large message that is still under way. */
  const head = (length: number): Buffer => {
    const [first] = chunks
    return first && first.length >= length ? first : joined()
  }

  return {
    push(chunk: Buffer): void {
      chunks.push(chunk)
      buffered += chunk.length
    },
    get buffered() {
      return buffered
    },
    /**
     * @param maximum bytes that the message may announce.
     * @returns undefined until the whole message is there.
     * @throws {PgError} fatal 08P01 for a length that cannot be.
     */
    next(framing: Framing, maximum: number): Frame | undefined {
      const typeBytes = framing === 'startup' ? 0 : 1
      if (buffered < typeBytes + 4) return undefined
      const start = head(typeBytes + 4)
      const length = start.readUInt32BE(typeBytes)
      if (length < 4 || length > maximum) throw protocolViolation(`invalid message length ${length}`)
      const total = typeBytes + length
      if (buffered < total) return undefined
      const all = joined()
      const rest = all.subarray(total)
      chunks = rest.length > 0 ? [rest] : []
      buffered = rest.length
      const type = typeBytes === 0 ? '' : String.fromCharCode(all.readUInt8(0))
      return { type, body: all.subarray(typeBytes + 4, total) }
    },
  }
}
export type FrameReader = ReturnType<typeof createFrameReader>
