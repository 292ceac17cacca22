import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import { stem } from '../words/stem.ts'
import { isNumberDimension, isTime } from './choose-member.ts'
import type { Parts, Problem, Property } from './parts.ts'
import { usualTime } from './usual-time.ts'

const stems = (words: string) => new Set(words.split(' ').map(stem))

const about: Readonly<Record<Property, ReadonlySet<string>>> = {
  length: stems('duration length distance minute hour day kilometre kilometer mile time'),
  price: stems('price cost fare fee charge amount'),
  size: stems('amount size volume quantity'),
}

const isMoney = ({ member }: NamedMember) => member.format === 'currency'
const isNumberOf = (property: Property) => (named: NamedMember) =>
  named.phrases.some(phrase => [...phrase.stems].some(one => about[property].has(one))) ||
  (property === 'price' && isMoney(named))

/** Rows of their own that are asked for: by which number, and what is shown of them. */
export interface Extremes {
  readonly by: NamedMember
  readonly shown: readonly NamedMember[]
  readonly count: number
}

/** Rows where nobody says how many. */
const usualCount = 10

/** The rows that are first by a number: `the five most expensive rentals`, `the largest orders by amount`. */
export function readExtremes(parts: Parts, source: Source): Extremes | { readonly problem: Problem } | null {
  const { extreme, rows, top } = parts
  if (!extreme || (rows === null && !parts.countsRows)) return null
  const by = parts.byNumber ?? numberOf(extreme.property, source)
  if (Array.isArray(by)) {
    const choices = by.map(({ member }) => member.shortTitle)
    return choices.length === 0
      ? { problem: { kind: 'impossible', message: 'I do not see by which number to find them.' } }
      : { problem: { kind: 'ambiguous', words: 'the order', choices } }
  }
  const fixed = new Set(parts.filters.map(({ member }) => member))
  const own = source.ownMembers
  const keys = own.filter(({ member }) => member.kind === 'dimension' && member.primaryKey && member !== by.member)
  const usual = parts.timeDimension ?? usualTime(source)
  const time = usual && !Array.isArray(usual) && own.includes(usual) ? [usual] : own.filter(isTime).slice(0, 1)
  const texts = own.filter(
    ({ member }) => member.kind === 'dimension' && member.type === 'string' && !fixed.has(member.name),
  )
  const count = extreme.count ?? top?.count ?? (extreme.isSingular ? 1 : usualCount)
  return { by, shown: [...keys.slice(0, 1), ...time, ...texts.slice(0, 2)], count }
}

/** The number of a source's own that a property is; several where it could be any. */
function numberOf(property: Property, source: Source): NamedMember | NamedMember[] {
  const numbers = source.ownMembers.filter(
    named => isNumberDimension(named) && !named.member.primaryKey && !/(^|_)(id|key|year)$/.test(named.column),
  )
  const named = numbers.filter(isNumberOf(property))
  const left = named.length > 0 ? named : property === 'size' && numbers.length === 1 ? numbers : []
  const [only] = left
  return only && left.length === 1 ? only : left
}
