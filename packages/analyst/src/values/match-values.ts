import type { NamedMember } from '../vocabulary/vocabulary.ts'
import { codesOfPlace } from '../words/places.ts'
import { isClose } from '../words/spelling.ts'
import { fold } from '../words/tokens.ts'

/** Values of a dimension that words of a question name. */
export interface ValueMatch {
  readonly named: NamedMember
  readonly operator: 'equals' | 'contains'
  /** Of `equals`: values as the data has them; of `contains`: the words. */
  readonly values: readonly string[]
  /** The words are its plural, as of what is counted: `deposits`. */
  readonly isPlural: boolean
  /** 1: the words are the value. */
  readonly quality: number
}

/** Letters and digits in lower case, single spaces: `Chicago O'Hare International` is `chicago ohare international`. */
export const plain = (text: string): string =>
  fold(text)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Values of a dimension under their plain form, made once for each list. */
export function indexValues(values: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byPlain = new Map<string, string[]>()
  for (const value of values) {
    const key = plain(value)
    const same = byPlain.get(key)
    if (same) same.push(value)
    else byPlain.set(key, [value])
  }
  return byPlain
}

const isAbout = (named: NamedMember, word: string) => named.phrases.some(({ stems }) => stems.has(word))

/** The plural or singular that a person may have said: `electronic` and `Electronics`. */
const variants = (words: string): readonly string[] => [
  words,
  words.endsWith('s') ? words.slice(0, -1) : `${words}s`,
  words.endsWith('ies') ? `${words.slice(0, -3)}y` : `${words}es`,
]

/** What of a dimension's values some words name: a value, its code, a value that is spelled closely, or values that hold the words. */
export function matchValues(
  named: NamedMember,
  index: ReadonlyMap<string, readonly string[]>,
  words: string,
): ValueMatch | null {
  const asked = plain(words)
  if (asked === '') return null
  for (const variant of variants(asked)) {
    const exact = index.get(variant)
    if (exact)
      return {
        named,
        operator: 'equals',
        values: exact,
        quality: variant === asked ? 1 : 0.97,
        isPlural: variant.length < asked.length,
      }
  }
  const codes = codesOfPlace(asked)
  const possible = [
    ...(isAbout(named, 'country') || isAbout(named, 'countri') ? codes.country : []),
    ...(isAbout(named, 'stat') ? codes.state : []),
  ]
  for (const code of possible) {
    const coded = index.get(code)
    if (coded) return { named, operator: 'equals', values: coded, quality: 0.99, isPlural: false }
  }
  if (asked.length < 3) return null
  const holding = [...index].filter(([value]) => ` ${value} `.includes(` ${asked} `))
  if (holding.length === 1)
    return {
      named,
      operator: 'equals',
      values: holding.flatMap(([, values]) => values),
      quality: 0.75,
      isPlural: false,
    }
  if (holding.length > 1) return { named, operator: 'contains', values: [words], quality: 0.7, isPlural: false }
  const close = [...index].filter(([value]) => isClose(asked, value))
  if (close.length === 1)
    return { named, operator: 'equals', values: close.flatMap(([, values]) => values), quality: 0.65, isPlural: false }
  return null
}
