import type { Effects } from '../../effects.ts'

/** A random UUID, version 4 (RFC 9562 section 5.4). */
export function newUuid(effects: Pick<Effects, 'randomBytes'>): string {
  const bytes = effects.randomBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
