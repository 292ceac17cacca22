/**
 * A text as what a search compares: lower case, without accents, cut where names join words (`orderCount`, `order_count`), English
 * endings taken off. Words that say nothing about what is looked for are left out.
 */
export function searchWords(text: string): string[] {
  const words: string[] = []
  for (const [found] of plain(text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')).matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = found.toLowerCase()
    if (!empty.has(word)) words.push(stem(word))
  }
  return words
}

/** Without accents. */
const plain = (text: string) => (/^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, ''))

const empty = new Set(
  `a about all an and any are as at be by can could did do does each every for from get give had has have how i in into is it its
  list many me much my of on or our per please show tell than that the their them there these they this to us was we were what when
  where which who with would you your`.split(/\s+/),
)

/** Endings and what stands in their place, longest first; a word keeps at least three letters. */
const endings: readonly (readonly [ending: string, instead: string])[] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ities', 'ity'],
  ['iness', 'y'],
  ['ments', 'ment'],
  ['ings', ''],
  ['ness', ''],
  ['ions', ''],
  ['ated', 'at'],
  ['ates', 'at'],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ing', ''],
  ['ers', 'er'],
  ['ion', ''],
  ['sses', 'ss'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['xes', 'x'],
  ['ate', 'at'],
  ['ed', ''],
  ['ly', ''],
]

/** A word without its English ending: words of one root mostly give the same, and others mostly do not. */
export function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word
  for (const [ending, instead] of endings) {
    const root = word.slice(0, -ending.length)
    if (word.endsWith(ending) && root.length >= 3) return single(root + instead)
  }
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return single(word.slice(0, -1))
  return single(word)
}

/** `cancelled` and `canceled`, `plane` and `planes` give one. */
const single = (root: string) => (root.length > 3 ? root.replace(/([bdfglmnprt])\1$/, '$1').replace(/e$/, '') : root)

/** Whether two words could be one with a slip: one in four to seven letters, two in longer words. The first letter is right. */
export function isSlip(left: string, right: string): boolean {
  const length = Math.min(left.length, right.length)
  if (length < 4 || left[0] !== right[0]) return false
  const allowed = length < 8 ? 1 : 2
  return Math.abs(left.length - right.length) <= allowed && distance(left, right) <= allowed
}

/** Letters to add, take off, change or swap with their neighbour (optimal string alignment). */
function distance(left: string, right: string): number {
  let [before, previous] = [[] as number[], Array.from({ length: right.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current.push(
        Math.min(
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    ;[before, previous] = [previous, current]
  }
  return previous[right.length] ?? 0
}
