/**
 * Compares two texts as git does, by the bytes of their UTF-8 form. JavaScript compares UTF-16 units, in which the
 * surrogates of characters beyond U+FFFF stand before U+E000 to U+FFFF.
 */
export function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
