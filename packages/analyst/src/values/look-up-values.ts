import { columnOf, isAny, likeAny, quoted } from '../ask/sql-text.ts'
import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import type { KnownValues } from './known-values.ts'
import { plain } from './match-values.ts'

export interface LookedUp {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** False: there are more than were asked for. */
  readonly complete: boolean
}

/** Rows of a statement over the model, with the asker's rights. */
export type LookUp = (sqlQuery: string, maxRows: number) => Promise<LookedUp>

/** As many values of a dimension are compared with words in full; of a dimension with more, those that hold the words. */
const mostListed = 1_000
const mostFound = 200
const mostDimensions = 16
const atOnce = 4

const isTextual = ({ member }: NamedMember) =>
  member.kind === 'dimension' && member.type === 'string' && member.values === null

/** Words of a question that are not understood, and runs of words with one of them. */
export interface AskedWords {
  readonly words: readonly string[]
  readonly phrases: readonly string[]
}

/** Looks up which values of a source's dimensions words of a question can name. What cannot be looked up is left out. */
export async function lookUpValues(
  source: Source,
  { words, phrases }: AskedWords,
  lookUp: LookUp,
): Promise<KnownValues[]> {
  const dimensions = source.members.filter(isTextual).slice(0, mostDimensions)
  const found: KnownValues[] = []
  for (let start = 0; start < dimensions.length; start += atOnce) {
    const some = dimensions.slice(start, start + atOnce)
    found.push(...(await Promise.all(some.map(named => valuesOf(named, { words, phrases }, lookUp)))).flat())
  }
  return found
}

async function valuesOf(named: NamedMember, { words, phrases }: AskedWords, lookUp: LookUp): Promise<KnownValues[]> {
  const column = columnOf(named.member.name)
  const from = `SELECT ${column} FROM ${quoted(named.cube.name)}`
  const texts = (rows: readonly (readonly unknown[])[]) =>
    rows.flatMap(([value]) => (typeof value === 'string' ? [value] : []))
  const all = await lookUp(`${from} GROUP BY 1 LIMIT ${mostListed + 1}`, mostListed)
  if (all.complete && all.rows.length <= mostListed) return [{ member: named.member.name, values: texts(all.rows) }]
  const asked = words.map(plain).filter(word => word.length >= 3)
  if (asked.length === 0) return []
  const some = await lookUp(
    `${from} WHERE ${likeAny(column, asked)} GROUP BY 1 ORDER BY 1 LIMIT ${mostFound + 1}`,
    mostFound,
  )
  // Of many that hold a word the one that is the whole phrase may be cut off: `new york`.
  const whole =
    phrases.length === 0
      ? []
      : texts((await lookUp(`${from} WHERE ${isAny(column, phrases)} GROUP BY 1`, mostFound)).rows)
  return [{ member: named.member.name, values: [...new Set([...whole, ...texts(some.rows)])] }]
}
