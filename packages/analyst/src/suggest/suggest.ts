import { titleOf } from '../ask/columns.ts'
import { membersOf } from '../shapes/members-of.ts'
import { lower, verb } from '../tell/in-sentence.ts'
import { countsRows, isGrouping, isMeasure, isTime, rowsOf } from '../understand/choose-member.ts'
import { understand } from '../understand/understand.ts'
import type { NamedMember, Source, Vocabulary } from '../vocabulary/vocabulary.ts'
import { isClose } from '../words/spelling.ts'
import { tokenize } from '../words/tokens.ts'

/** Questions that can be asked of a source, those first that say most. */
function* questionsOf(source: Source, near: readonly NamedMember[]): Generator<Suggestion> {
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
  if (said && first && isNear(first)) yield* most(first, said)
  if (said && hasTime(source)) yield develops(said)
  if (said && first) yield* most(first, said)
  for (const [index, group] of groups.slice(0, 4).entries()) {
    const shown = rows ?? measure
    if (shown && index === 0) yield* most(group, shown)
    if (measure) yield* most(group, measures[index % measures.length] ?? measure)
    if (shown && index === 0 && hasTime(source)) yield develops(shown)
  }
  if (hasTime(source)) for (const each of measures.slice(0, 3)) yield develops(each)
  if (rows) yield { text: `How many ${named(rows)} are there?`, of: [rows] }
  for (const each of measures.slice(0, 3)) yield { text: `What is the ${named(each)}?`, of: [each] }
}

/** A question, and the members that it has to be read as. */
interface Suggestion {
  readonly text: string
  readonly of: readonly NamedMember[]
}

/** As people ask it, then in words that any title can be put into. */
function* most(group: NamedMember, measure: NamedMember): Generator<Suggestion> {
  const of = [group, measure]
  const end = verb(titleOf(measure)) === 'are' ? 'most' : 'highest'
  yield { text: `Which ${named(group)} has the ${end} ${named(measure)}?`, of }
  yield { text: `Top 5 ${named(group)} by ${named(measure)}`, of }
}

function develops(measure: NamedMember): Suggestion {
  const article = verb(titleOf(measure)) === 'are' ? '' : 'the '
  return { text: `How did ${article}${named(measure)} develop by month?`, of: [measure] }
}

const hasTime = ({ ownMembers }: Source) => ownMembers.some(isTime)
const named = (member: NamedMember) => lower(titleOf(member))

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
    const asked = new Set<string>()
    for (const { text, of } of questionsOf(source, near)) {
      // One way to say it is enough.
      const key = of.map(({ member }) => member.name).join()
      if (asked.has(key)) continue
      const [reading] = understand({
        vocabulary,
        tokens: tokenize(text),
        today,
        before: null,
        preferred,
        values: new Map(),
        latest: new Map(),
      })
      if (reading?.outcome.kind !== 'question' || reading.cover.unknown.length > 0) continue
      const read = membersOf(reading.outcome.question)
      const isMeant = of.every(({ member }) => read.includes(member.name))
      if (!isMeant || reading.parts.notes.length > 0 || found.includes(text)) continue
      asked.add(key)
      found.push(text)
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
