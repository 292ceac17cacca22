import { titleOf } from '../ask/columns.ts'
import { lower } from '../tell/in-sentence.ts'
import { countsRows, isGrouping, isMeasure, isTime, rowsOf } from '../understand/choose-member.ts'
import { understand } from '../understand/understand.ts'
import type { NamedMember, Source, Vocabulary } from '../vocabulary/vocabulary.ts'
import { isClose } from '../words/spelling.ts'
import { tokenize } from '../words/tokens.ts'

/** Questions that can be asked of a source, those first that say most. */
function* questionsOf(source: Source, near: readonly NamedMember[]): Generator<string> {
  const rows = rowsOf(source)
  const isNear = (named: NamedMember) => near.includes(named)
  const nearFirst = (members: readonly NamedMember[]) => [
    ...members.filter(isNear),
    ...members.filter(named => !isNear(named)),
  ]
  const measures = nearFirst(source.ownMembers.filter(named => isMeasure(named) && !countsRows(named, source)))
  const groups = nearFirst(
    source.ownMembers.filter(
      named =>
        isGrouping(named) &&
        named.member.type === 'string' &&
        !named.member.primaryKey &&
        !/(^|_)(id|code|key)$/.test(named.column),
    ),
  )
  const [measure] = measures
  // What was understood of the question comes first.
  const said = measure && isNear(measure) ? measure : rows && isNear(rows) ? rows : null
  const [first] = groups
  if (said && first && isNear(first)) yield `${capital(named(said))} by ${named(first)}`
  if (said && hasTime(source)) yield `${capital(named(said))} by month`
  if (said && first) yield `Top 5 ${named(first)} by ${named(said)}`
  for (const [index, group] of groups.slice(0, 4).entries()) {
    const shown = rows ?? measure
    if (shown && index === 0) yield `${capital(named(shown))} by ${named(group)}`
    if (measure) yield `Top 5 ${named(group)} by ${named(measures[index % measures.length] ?? measure)}`
  }
  if (hasTime(source)) for (const each of measures.slice(0, 3)) yield `${capital(named(each))} by month`
  if (rows) yield `How many ${named(rows)} are there?`
  if (hasTime(source) && rows) yield `${capital(named(rows))} by month`
  for (const each of measures.slice(0, 3)) yield `What is the ${named(each)}?`
}

const hasTime = ({ ownMembers }: Source) => ownMembers.some(isTime)
const named = (member: NamedMember) => lower(titleOf(member))
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Three questions that are understood for certain: each was read before it is suggested.
 *
 * @param near Members that a question named, of which it could be understood no further
 */
export function suggest(
  vocabulary: Vocabulary,
  about: Source | null,
  today: string,
  preferred: readonly string[] | null = null,
  near: readonly NamedMember[] = [],
): string[] {
  const views = vocabulary.sources.filter(({ cube }) => cube.type === 'view')
  const liked = vocabulary.sources.filter(({ name }) => preferred?.includes(name))
  const order = [...(about ? [about] : []), ...liked, ...views, ...vocabulary.sources].slice(0, 20)
  const found: string[] = []
  for (const source of new Set(order)) {
    for (const question of questionsOf(source, near)) {
      const [reading] = understand({
        vocabulary,
        tokens: tokenize(question),
        today,
        before: null,
        preferred,
        values: new Map(),
        latest: new Map(),
      })
      const isUnderstood = reading?.outcome.kind === 'question' && reading.cover.unknown.length === 0
      if (isUnderstood && reading.parts.notes.length === 0 && !found.includes(question)) found.push(question)
      if (found.length === 3) return found
    }
  }
  return found
}

/** Members whose names are near a word that is not known, by spelling or because a description has it. */
export function nearMembers(source: Source, word: string): string[] {
  const [token] = tokenize(word)
  if (!token || token.word.length < 3) return []
  const isNear = ({ phrases, member }: NamedMember) =>
    phrases.some(({ stems }) =>
      [...stems].some(stem => isClose(stem, token.stem) || (stem.length > 3 && token.stem.startsWith(stem))),
    ) || tokenize(member.description ?? '').some(({ stem }) => stem === token.stem)
  return source.ownMembers.filter(isNear).map(titleOf).slice(0, 3)
}
