const memorySection = 5

/**
 * Gives the memory that a WebAssembly module defines a maximum, which it then can't grow past.
 *
 * Source: WebAssembly Core Specification 2.0, 5.5 (sections) and 5.3.4 (limits).
 */
export function limitMemory(bytes: Uint8Array, maximum: number): Uint8Array<ArrayBuffer> {
  let at = 8
  while (at < bytes.length) {
    const section = at
    const size = readNumber(bytes, at + 1)
    const end = size.next + size.value
    if (bytes[section] === memorySection) {
      const count = readNumber(bytes, size.next)
      const minimum = readNumber(bytes, count.next + 1)
      if (count.value !== 1 || minimum.next > end) break
      const limits = [1, 1, ...writeNumber(minimum.value), ...writeNumber(maximum)]
      const changed = [memorySection, ...writeNumber(limits.length), ...limits]
      const result = new Uint8Array(bytes.length - (end - section) + changed.length)
      result.set(bytes.subarray(0, section))
      result.set(changed, section)
      result.set(bytes.subarray(end), section + changed.length)
      return result
    }
    at = end
  }
  throw new Error('The WebAssembly module defines no memory of its own, so it can be given no maximum.')
}

function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let value = 0
  let next = start
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next] ?? 0
    next += 1
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return { value: value >>> 0, next }
  }
}

function writeNumber(value: number): number[] {
  const low = value & 0x7f
  return value > 0x7f ? [low | 0x80, ...writeNumber(value >>> 7)] : [low]
}
