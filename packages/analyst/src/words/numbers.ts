const small: Readonly<Record<string, number>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, value]),
)

const larger: Readonly<Record<string, number>> = {
  ...small,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  dozen: 12,
}

/** What a number before it is multiplied by: `5 thousand`. */
export const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
  mio: 1e6,
  billion: 1e9,
  bn: 1e9,
}

const written = /^[$€£]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(k|m|bn|%)?$/

/** The number that one word is: `12`, `1,000`, `2.5k`, `$300`, `seven`; null where it is none. A percentage is the number before the sign. */
export function readNumber(word: string): number | null {
  const named = larger[word]
  if (named !== undefined) return named
  const match = written.exec(word)
  if (!match) return null
  const [, whole = '', fraction = '', suffix = ''] = match
  return Number(whole.replaceAll(',', '') + fraction) * (scales[suffix] ?? 1)
}

const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4 }

/** `3rd`, `21st`, `second`; null where it is no ordinal. */
export function readOrdinal(word: string): number | null {
  const match = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)
  return match ? Number(match[1]) : (ordinals[word] ?? null)
}
