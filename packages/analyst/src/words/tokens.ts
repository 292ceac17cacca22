import { readNumber } from './numbers.ts'
import { stem } from './stem.ts'

/** A word, number or mark of a question. */
export interface Token {
  /** As it was written. */
  readonly text: string
  /** Lower case, without accents and possessive endings. */
  readonly word: string
  readonly stem: string
  readonly number: number | null
  readonly kind: 'word' | 'number' | 'quoted' | 'mark'
}

/** Longest question that is read, in characters: the rest of a longer one could change its meaning, so that it is refused. */
export const longestQuestion = 2_000

const pattern =
  /"([^"]{1,200})"|“([^”]{1,200})”|[$€£]?\d+(?:,\d{3})+(?:\.\d+)?%?|\d{4}-\d{2}(?:-\d{2})?(?![\d-])|[$€£]?\d+(?:\.\d+)?(?:k|m|bn|st|nd|rd|th)?%?(?![\p{L}\d])|[\p{L}\d]+(?:['’_][\p{L}\d]+)*|<=|>=|!=|<>|[<>=?,;:%&/+()[\].!-]/giu

/** Lower case, without accents. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** `California's` names California. */
const withoutPossession = (word: string) => word.replace(/['’]s?$/, '')

/** The words of a text. What is no word, number or known mark is left out. */
export function tokenize(text: string): Token[] {
  const isHyphen = ({ 0: whole, index }: RegExpExecArray) =>
    whole === '-' && /[\p{L}\d]/u.test(text[index - 1] ?? '') && /[\p{L}\d]/u.test(text[index + 1] ?? '')
  return [...text.matchAll(pattern)].flatMap((match): Token[] => {
    if (isHyphen(match)) return []
    const [whole] = match
    const quoted = match[1] ?? match[2]
    if (quoted !== undefined)
      return [{ text: quoted, word: fold(quoted), stem: fold(quoted), number: null, kind: 'quoted' }]
    const word = withoutPossession(fold(whole))
    if (!/[\p{L}\d]/u.test(word)) return [{ text: whole, word, stem: word, number: null, kind: 'mark' }]
    const number = readNumber(word)
    const isDigits = /^[$€£]?\d/.test(word) && number !== null
    return [{ text: whole, word, stem: stem(word), number, kind: isDigits ? 'number' : 'word' }]
  })
}

/** The words of a name as models write them: `average_delay`, `averageDelay`, `Average delay in minutes`. */
export function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return tokenize(spaced).flatMap(({ word, kind }) => (kind === 'mark' ? [] : [word]))
}
