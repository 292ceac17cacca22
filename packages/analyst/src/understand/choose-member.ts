import type { AskedMeasure } from '../shapes/question.ts'
import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import { directionWords } from '../words/word-lists.ts'
import type { Problem } from './parts.ts'
import type { NameMatch } from './span.ts'

export const isMeasure = ({ member }: NamedMember) => member.kind === 'measure'
export const isSegment = ({ member }: NamedMember) => member.kind === 'segment'
export const isTime = ({ member }: NamedMember) => member.kind === 'dimension' && member.type === 'time'
export const isFlag = ({ member }: NamedMember) => member.kind === 'dimension' && member.type === 'boolean'
export const isNumberDimension = ({ member }: NamedMember) => member.kind === 'dimension' && member.type === 'number'
/** A dimension that rows can be grouped by as it is. */
export const isGrouping = ({ member }: NamedMember) =>
  member.kind === 'dimension' && member.type !== 'time' && member.type !== 'geo'

export const measureOf = ({ member }: NamedMember): AskedMeasure => ({ kind: 'measure', member: member.name })

const countNames = new Set(['count', 'total_count', 'number', 'rows', 'total', 'row_count', 'records'])

/** Whether a measure counts the rows of its source, without a condition. */
export function countsRows({ member, column }: NamedMember, source: Source): boolean {
  if (member.kind !== 'measure' || (member.aggType !== 'count' && member.aggType !== 'countDistinct')) return false
  if (countNames.has(column) && member.aggType === 'count') return true
  const words = new Set(member.shortTitle.toLowerCase().split(/\s+/))
  const nouns = source.nouns.some(
    ({ stems }) => stems.size === 1 && [...stems].some(one => [...words].some(word => word.startsWith(one))),
  )
  return member.aggType === 'count' && nouns && words.size === 1
}

/** The measure that counts the rows of a source, where there is one. */
export const rowsOf = (source: Source): NamedMember | null =>
  source.ownMembers.find(named => countsRows(named, source)) ?? null

/** To which end of a way a member belongs by its name. */
export function directionOf({ column, cube, member }: NamedMember): 'from' | 'to' | null {
  const words = `${column} ${cube.name} ${member.shortTitle}`.toLowerCase().split(/[^a-z]+/)
  for (const word of words) {
    const found = directionWords.get(word) ?? directionWords.get(word.replace(/e$/, ''))
    if (found && word !== 'to' && word !== 'from' && word !== 'end' && word !== 'start') return found
  }
  return null
}

/** Rows of a source that are known by when they set out (a flight by its departure) are meant by where they set out. */
export function usualDirection(source: Source): 'from' | 'to' | null {
  const directions = source.ownMembers.filter(isTime).flatMap(({ column, member }) => {
    const text = `${column} ${member.shortTitle}`.toLowerCase()
    return /depart|origin|pickup|sent|start/.test(text)
      ? ['from' as const]
      : /arriv|deliver|dropoff/.test(text)
        ? ['to' as const]
        : []
  })
  const [first] = directions
  return first && directions.every(each => each === first) ? first : null
}

const titleOf = ({ member }: NamedMember) => member.shortTitle

/** The one that is meant of several members that words could name. */
export function chooseMember(
  words: string,
  candidates: readonly NameMatch[],
  source: Source,
  direction: 'from' | 'to' | null,
): { readonly named: NamedMember; readonly note: string | null } | Problem {
  const [first] = candidates
  if (!first) return { kind: 'unknown', words }
  const best = Math.max(...candidates.map(({ quality }) => quality))
  let left = candidates.filter(({ quality }) => quality >= best - 0.005)
  const narrow = (keep: (match: NameMatch) => boolean) => {
    const kept = left.filter(keep)
    if (kept.length > 0) left = kept
  }
  if (direction) narrow(({ named }) => directionOf(named) === direction)
  narrow(({ named }) => named.cube.name === source.name)
  narrow(({ named }) => !/(^|_)(code|id|key)$/.test(named.column))
  const [only] = left
  if (left.length === 1 && only) return { named: only.named, note: null }
  const usual = usualDirection(source)
  const ways = left.filter(({ named }) => directionOf(named) !== null)
  if (usual && ways.length === left.length) {
    const along = left.filter(({ named }) => directionOf(named) === usual)
    const [chosen] = along
    if (along.length === 1 && chosen)
      return { named: chosen.named, note: `I took “${words}” as ${titleOf(chosen.named)}.` }
  }
  return { kind: 'ambiguous', words, choices: [...new Set(left.map(({ named }) => titleOf(named)))] }
}
