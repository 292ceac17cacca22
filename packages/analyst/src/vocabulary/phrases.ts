import type { AnalystCube, AnalystMember } from '../shapes/model.ts'
import { stem } from '../words/stem.ts'
import { wordsOf } from '../words/tokens.ts'
import { weakNameWords } from '../words/word-lists.ts'

/** One way to say a member's name, as the set of its stems. */
export interface Phrase {
  readonly stems: ReadonlySet<string>
  /** The words themselves, for finding close spellings. */
  readonly words: readonly string[]
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
  const words = wordsOf(text).filter(word => !glue.has(word))
  const stems = new Set(words.map(stem))
  if (stems.size === 0) return null
  const strong = new Set([...stems].filter(one => !weakNameWords.has(one)))
  return { stems, words, strong: strong.size > 0 ? strong : stems, weight }
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

/**
 * First words that several dimensions of a view share: those of one of its cubes, as in `customer_city` and `customer_country`. A
 * person leaves them out.
 */
export function prefixesOf({ type, members }: AnalystCube): ReadonlySet<string> {
  if (type !== 'view') return new Set()
  const counts = new Map<string, number>()
  for (const { name, kind } of members) {
    const [first, ...rest] = columnIn(name).split('_')
    if (kind === 'dimension' && first && rest.length > 0) counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([prefix, count]) => (count > 1 ? [prefix] : [])))
}

const columnIn = (name: string) => name.slice(name.indexOf('.') + 1)

const rowCounts = ['count', 'total', 'number', 'rows', 'total_count']
const labels = ['name', 'title', 'label', 'full_name']

/** All ways to name a member. */
export function phrasesOf(cube: AnalystCube, member: AnalystMember, prefixes: ReadonlySet<string>): Phrase[] {
  const column = columnIn(member.name)
  const own = phraseOf(column)
  const found: (Phrase | null)[] = [own, phraseOf(member.shortTitle)]
  for (const text of [...alternativesIn(member.description), ...alternativesIn(member.aiContext)]) {
    if (wordsOf(text).length <= 4) found.push(phraseOf(text, 0.9))
  }
  const [prefix = '', ...rest] = column.split('_')
  for (const synonym of member.synonyms) {
    found.push(phraseOf(synonym))
    if (prefixes.has(prefix)) found.push(phraseOf(`${prefix} ${synonym}`))
  }
  if (member.kind === 'dimension' && prefixes.has(prefix) && !labels.includes(rest.join('_'))) {
    found.push(phraseOf(rest.join(' '), 0.97))
  }
  const nouns = nounsOf(cube)
  if (member.kind === 'measure' && member.aggType === 'count' && isNamed(column, rowCounts)) {
    // A title of its own says what is counted better than the name of the table.
    const isGeneric =
      isNamed(member.shortTitle, rowCounts) || nouns.some(noun => isSame(noun, phraseOf(member.shortTitle)))
    if (isGeneric) for (const noun of nouns) found.push(noun)
  } else if (own) {
    for (const { stems } of nouns) {
      found.push({ ...own, stems: new Set([...stems, ...own.stems]), strong: new Set([...stems, ...own.strong]) })
    }
  }
  // `customers.name` is the customer; in views the prefix says so.
  if (member.kind === 'dimension' && isNamed(column, labels)) {
    for (const noun of nouns) found.push({ ...noun, weight: 0.95 })
  }
  return distinct(found.filter(phrase => phrase !== null))
}

const isSame = (one: Phrase, other: Phrase | null) =>
  other !== null && one.stems.size === other.stems.size && [...one.stems].every(stem => other.stems.has(stem))

function distinct(phrases: readonly Phrase[]): Phrase[] {
  const known = new Map<string, Phrase>()
  for (const phrase of phrases) {
    const key = [...phrase.stems].sort().join(' ')
    const other = known.get(key)
    if (!other || other.weight < phrase.weight) known.set(key, phrase)
  }
  return [...known.values()]
}
