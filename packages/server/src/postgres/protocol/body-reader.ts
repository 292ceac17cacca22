import { protocolViolation } from './pg-error.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the fields of a message in turn; a field that goes beyond the message is a protocol violation. */
export function createBodyReader(body: Buffer) {
  let at = 0
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > body.length) throw protocolViolation('invalid message format')
    at += length
    return body.subarray(at - length, at)
  }
  return {
    byte: () => String.fromCharCode(take(1).readUInt8(0)),
    int16: () => take(2).readInt16BE(0),
    int32: () => take(4).readInt32BE(0),
    bytes: take,
    /** Text up to its zero byte. */
    text(): string {
      const end = body.indexOf(0, at)
      if (end < 0) throw protocolViolation('invalid string in message')
      const text = readUtf8(take(end - at))
      at += 1
      return text
    },
    get left() {
      return body.length - at
    },
    /** Every byte has to be read: what is left over was meant for somebody else. */
    end(): void {
      if (at !== body.length) throw protocolViolation('invalid message format')
    },
  }
}
export type BodyReader = ReturnType<typeof createBodyReader>

/** @throws {PgError} fatal where the bytes are not UTF-8, the only encoding that is spoken. */
export function readUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw protocolViolation('invalid byte sequence for encoding "UTF8"')
  }
}
