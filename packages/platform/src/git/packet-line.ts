import { gitError } from './git-error.ts'

/** Ends a section of the conversation. */
export const flushPacket: Uint8Array = Buffer.from('0000')

/** The most that one packet carries, besides its own four digits of length. */
export const maximumPacketContent = 65_516

/** One packet: four hexadecimal digits of length, these four included, and the content. */
export function packet(content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (bytes.byteLength > maximumPacketContent) throw new Error(`A packet cannot carry ${bytes.byteLength} bytes`)
  return Buffer.concat([Buffer.from((bytes.byteLength + 4).toString(16).padStart(4, '0')), bytes])
}

/**
 * The packets of a request as text without their newline, a flush as `null`.
 *
 * @throws {GitError} `request_malformed` when a length is no length or goes beyond the end.
 */
export function* readPackets(bytes: Uint8Array): Generator<string | null> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let offset = 0
  while (offset < buffer.length) {
    const digits = buffer.toString('latin1', offset, offset + 4)
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
    if (length === 0) {
      yield null
      offset += 4
      continue
    }
    if (!(length >= 4 && offset + length <= buffer.length)) {
      throw gitError('request_malformed', { reason: `byte ${offset} starts no packet` })
    }
    yield buffer.toString('utf8', offset + 4, offset + length).replace(/\n$/, '')
    offset += length
  }
}
