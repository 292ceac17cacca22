import type { AnalystCube, AnalystMember } from '../shapes/model.ts'
import { stem } from '../words/stem.ts'
import { wordsOf } from '../words/tokens.ts'
import { weakNameWords } from '../words/word-lists.ts'

/** One way to say a member's name, as the set of its stems. */
export interface Phrase {
  readonly stems: ReadonlySet<string>
  /** Those that have to be said for it to be named in full: without units and words like `name` and `count`. */
  readonly strong: ReadonlySet<string>
  /** How sure it is that these words mean the member: 1 for its own names. */
  readonly weight: number
}

const glue = new Set([
  'of',
  'in',
  'the',
  'a',
  'an',
  'at',
  'to',
  'by',
  'per',
  'for',
  'and',
  'or',
  'on',
  'is',
  'has',
  'was',
  'number',
])

export function phraseOf(text: string, weight = 1): Phrase | null {
  const stems = new Set(
    wordsOf(text)
      .filter(word => !glue.has(word))
      .map(stem),
  )
  if (stems.size === 0) return null
  const strong = new Set([...stems].filter(one => !weakNameWords.has(one)))
  return { stems, strong: strong.size > 0 ? strong : stems, weight }
}

/** Words that views and tables carry in their names beside what they hold. */
const sourceNoise = new Set(
  'view fact dim dimension table base mart overview detail report data dataset model all stg int v my example demo list info record'
    .split(' ')
    .map(stem),
)

/** What the rows of a cube or view are called: `orders_view` holds orders. */
export function nounsOf({ name, title }: Pick<AnalystCube, 'name' | 'title'>): Phrase[] {
  const texts = new Set([name, title])
  return [...texts].flatMap(text => {
    const words = wordsOf(text).filter(word => !glue.has(word) && !sourceNoise.has(stem(word)))
    return phraseOf(words.join(' ')) ?? []
  })
}

/** Other words that a description or a hint for agents gives: `also called turnover`, `synonyms: sales, turnover`. */
const alternatives =
  /\b(?:also (?:called|known as)|a\.?k\.?a\.?|synonyms?:?|aliases?:?|same as|or simply)\s+([^.;()\n]{2,120})/gi

function alternativesIn(text: string | null): string[] {
  if (text === null) return []
  return [...text.matchAll(alternatives)].flatMap(([, listed = '']) =>
    listed.split(/,|\bor\b|\band\b/).map(part => part.replace(/["'`“”]/g, '').trim()),
  )
}

const isNamed = (text: string, words: readonly string[]) => words.includes(text.toLowerCase())

/** All ways to name a member. */
export function phrasesOf(cube: AnalystCube, member: AnalystMember): Phrase[] {
  const column = member.name.slice(member.name.indexOf('.') + 1)
  const found: (Phrase | null)[] = [phraseOf(column), phraseOf(member.shortTitle)]
  for (const synonym of member.synonyms) found.push(phraseOf(synonym))
  for (const text of [...alternativesIn(member.description), ...alternativesIn(member.aiContext)]) {
    if (wordsOf(text).length <= 4) found.push(phraseOf(text, 0.9))
  }
  const nouns = nounsOf(cube)
  const ofRows =
    member.kind === 'measure' &&
    member.aggType === 'count' &&
    isNamed(column, ['count', 'total', 'number', 'rows', 'total_count'])
  if (ofRows) {
    for (const noun of nouns) found.push(noun)
  } else {
    for (const { stems } of nouns) {
      const own = phraseOf(column)
      if (own)
        found.push({ stems: new Set([...stems, ...own.stems]), strong: new Set([...stems, ...own.strong]), weight: 1 })
    }
  }
  // `customers.name` is the customer; in views the prefix says so.
  if (member.kind === 'dimension' && isNamed(column, ['name', 'title', 'label', 'full_name'])) {
    for (const noun of nouns) found.push({ ...noun, weight: 0.95 })
  }
  return distinct(found.filter(phrase => phrase !== null))
}

function distinct(phrases: readonly Phrase[]): Phrase[] {
  const known = new Map<string, Phrase>()
  for (const phrase of phrases) {
    const key = [...phrase.stems].sort().join(' ')
    const other = known.get(key)
    if (!other || other.weight < phrase.weight) known.set(key, phrase)
  }
  return [...known.values()]
}
