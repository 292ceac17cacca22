/** Writes messages of a server one behind the other into memory that grows as needed. */
export function createMessageWriter() {
  let buffer = Buffer.allocUnsafe(16_384)
  let end = 0
  let lengthAt = -1

  const room = (bytes: number): void => {
    if (end + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + bytes))
    buffer.copy(larger, 0, 0, end)
    buffer = larger
  }

  const writer = {
    get size() {
      return end
    },
    begin(type: string) {
      room(5)
      buffer.write(type, end, 'latin1')
      lengthAt = end + 1
      end += 5
      return writer
    },
    byte(value: string) {
      room(1)
      end += buffer.write(value, end, 'latin1')
      return writer
    },
    int16(value: number) {
      room(2)
      end = buffer.writeInt16BE(value, end)
      return writer
    },
    int32(value: number) {
      room(4)
      end = buffer.writeInt32BE(value, end)
      return writer
    },
    uint32(value: number) {
      room(4)
      end = buffer.writeUInt32BE(value, end)
      return writer
    },
    /** Text with a zero byte at its end. */
    text(value: string) {
      const clean = value.includes('\0') ? value.replaceAll('\0', '') : value
      const length = Buffer.byteLength(clean)
      room(length + 1)
      buffer.write(clean, end)
      end += length
      buffer[end++] = 0
      return writer
    },
    bytes(value: Buffer) {
      room(value.length)
      value.copy(buffer, end)
      end += value.length
      return writer
    },
    /** A value with its length before it; null has the length -1. */
    value(value: string | Buffer | null) {
      if (value === null) return writer.int32(-1)
      if (typeof value !== 'string') return writer.int32(value.length).bytes(value)
      const length = Buffer.byteLength(value)
      room(length + 4)
      end = buffer.writeInt32BE(length, end)
      buffer.write(value, end)
      end += length
      return writer
    },
    finish() {
      buffer.writeInt32BE(end - lengthAt, lengthAt)
      return writer
    },
    /** All that was written since the last time. */
    take(): Buffer {
      const taken = Buffer.from(buffer.subarray(0, end))
      end = 0
      return taken
    },
  }
  return writer
}
export type MessageWriter = ReturnType<typeof createMessageWriter>
