import type { Phrase } from '../vocabulary/phrases.ts'
import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import { isClose } from '../words/spelling.ts'
import { stem } from '../words/stem.ts'
import type { Token } from '../words/tokens.ts'
import { fillerWords, nearWords, shareWords, stopWords, vagueNameWords } from '../words/word-lists.ts'
import type { Meaning, NameMatch } from './span.ts'

/** Words inside a name that add nothing to it: `share of the flights that were delayed`. */
const inside = new Set('of the a an in is are was were that which been being for our all'.split(' '))
/** Words that never begin, end or stand inside a name. */
const joints = new Set('by per and or vs versus not without excluding except than from to each every'.split(' '))

/** Words that can be typed wrongly: those that are no word of the language of questions. */
const canBeMistyped = ({ word, kind }: Token) => kind === 'word' && word.length >= 4 && !stopWords.has(word)

export interface NameMatcher {
  match(words: readonly Token[]): { readonly score: number; readonly meaning: Meaning } | null
}

/** Finds the members of a source that words name. */
export function createNameMatcher(source: Source): NameMatcher {
  const known = new Set<string>()
  const surfaces = new Map<string, string>()
  for (const { phrases } of source.members) {
    for (const { stems, words } of phrases) {
      for (const one of stems) known.add(one)
      for (const word of words) surfaces.set(word, stem(word))
    }
  }
  const nouns = new Set(source.nouns.flatMap(({ stems }) => [...stems]))
  const byStem = new Map<string, NamedMember[]>()
  for (const named of source.members) {
    const stems = new Set(named.phrases.flatMap(phrase => [...phrase.stems]))
    for (const one of stems) {
      const others = byStem.get(one)
      if (others) others.push(named)
      else byStem.set(one, [named])
    }
  }
  const readings = new Map<string, readonly Reading[]>()

  /** What a word can stand for among the stems of the source: itself, near words, close spellings. */
  function read(token: Token): readonly Reading[] {
    const remembered = readings.get(token.word)
    if (remembered) return remembered
    const found: Reading[] = []
    if (known.has(token.stem)) found.push({ stem: token.stem, quality: 1 })
    else {
      for (const near of nearWords.get(token.stem) ?? [])
        if (known.has(near)) found.push({ stem: near, quality: shareWords.has(near) ? 0.96 : 0.85 })
      if (found.length === 0 && canBeMistyped(token)) {
        const close = [...surfaces].flatMap(([word, one]) => (isClose(token.word, word) && known.has(one) ? [one] : []))
        for (const one of known) if (isClose(token.stem, one)) close.push(one)
        for (const one of new Set(close)) found.push({ stem: one, quality: 0.8 })
      }
    }
    readings.set(token.word, found)
    return found
  }

  return {
    match(words) {
      const [first] = words
      const last = words.at(-1)
      if (!first || !last || inside.has(first.word) || inside.has(last.word)) return null
      if (words.some(({ word }) => joints.has(word))) return null
      const said = words.filter(({ word }) => !inside.has(word))
      const hasGap = said.length < words.length
      const options = combine(said.map(read))
      const best = new Map<NamedMember, NameMatch>()
      for (const reading of options) {
        const members = new Set(reading.stems.flatMap(one => byStem.get(one) ?? []))
        for (const named of members) {
          for (const phrase of named.phrases) {
            const match = matchPhrase(named, phrase, reading, nouns, hasGap)
            const other = best.get(named)
            if (match && (!other || match.quality > other.quality)) best.set(named, match)
          }
        }
      }
      if (best.size === 0) return null
      const top = Math.max(...[...best.values()].map(({ quality }) => quality))
      const candidates = [...best.values()].filter(({ quality }) => quality >= top - 0.1)
      const isWhole = candidates.some(candidate => candidate.isWhole)
      const count = said.length + (words.length - said.length) * 0.3
      // A name of several words weighs more than several names of one; that of a share more than a share of what it is the share of.
      const isShare = isWhole && said.length > 1 && options.some(({ stems }) => stems.some(one => shareWords.has(one)))
      const score = count * top + (isWhole ? 0.4 * said.length - 0.05 : 0) + (isShare ? wholeShare : 0)
      return { score, meaning: { kind: 'members', candidates } }
    },
  }
}

/** What a share that the model itself defines weighs above one that would be made of its parts. */
const wholeShare = 1

interface Reading {
  readonly stem: string
  readonly quality: number
}

interface Combined {
  readonly stems: readonly string[]
  readonly quality: number
}

const mostReadings = 16

/** All ways to read some words, the worst word's quality for each; null where a word has none. */
function combine(readings: readonly (readonly Reading[])[]): Combined[] {
  let found: Combined[] = [{ stems: [], quality: 1 }]
  for (const options of readings) {
    if (options.length === 0) return []
    found = found
      .flatMap(({ stems, quality }) =>
        options.map(option => ({ stems: [...stems, option.stem], quality: Math.min(quality, option.quality) })),
      )
      .slice(0, mostReadings)
  }
  return found
}

/** How well words name a member by one of its names. */
function matchPhrase(
  named: NamedMember,
  { stems, strong, weight }: Phrase,
  reading: Combined,
  nouns: ReadonlySet<string>,
  hasGap: boolean,
): NameMatch | null {
  const said = new Set(reading.stems)
  if (said.size < reading.stems.length) return null
  const extra = reading.stems.filter(one => !stems.has(one))
  // Beside the name only what its table is called, or words such as `name` and `count`.
  if (extra.length > 0 && extra.some(one => !nouns.has(one) && !fillerWords.has(one))) return null
  if (extra.length === reading.stems.length) return null
  const heard = [...strong].filter(one => said.has(one))
  const found = heard.length
  const isWhole = found === strong.size
  if (!isWhole && heard.every(one => vagueNameWords.has(one) || nouns.has(one))) return null
  if (hasGap && !(isWhole && strong.size >= 1 && reading.stems.length >= 2)) return null
  if (!isWhole && extra.length > 0) return null
  if (found === 0) return null
  const part = isWhole ? 1 : 0.5 + 0.35 * (found / strong.size)
  const missing = isWhole && [...stems].some(one => !said.has(one)) ? 0.01 : 0
  const quality = part * weight * reading.quality - extra.length * 0.04 - missing
  return { named, quality, isWhole }
}
