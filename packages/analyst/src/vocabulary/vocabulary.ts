import type { AnalystCube, AnalystMember, AnalystModel } from '../shapes/model.ts'
import { stem } from '../words/stem.ts'
import { nounsOf, type Phrase, phrasesOf, prefixesOf } from './phrases.ts'

/** A member with all ways to name it. */
export interface NamedMember {
  readonly member: AnalystMember
  /** The cube or view it belongs to. */
  readonly cube: AnalystCube
  /** Name without the cube's. */
  readonly column: string
  readonly phrases: readonly Phrase[]
}

/** What a question can be about: a view, or a cube with those that can be joined to it. */
export interface Source {
  readonly name: string
  readonly cube: AnalystCube
  readonly nouns: readonly Phrase[]
  /** Its own members, then those of cubes that can be joined to it. */
  readonly members: readonly NamedMember[]
  readonly ownMembers: readonly NamedMember[]
  /** Stems of all names of its own members. */
  readonly stems: ReadonlySet<string>
}

/** The names of a model, ready to be found in questions. */
export interface Vocabulary {
  readonly sources: readonly Source[]
  /** Names of the sources whose own members have a stem in a name. */
  readonly postings: ReadonlyMap<string, ReadonlySet<string>>
  readonly find: (name: string) => NamedMember | null
  readonly source: (name: string) => Source | null
}

const known = new WeakMap<AnalystModel, Vocabulary>()

/** The vocabulary of a model: built once for each model that is handed in, and remembered as long as that is. */
export function vocabularyOf(model: AnalystModel): Vocabulary {
  const found = known.get(model)
  if (found) return found
  const built = build(model)
  known.set(model, built)
  return built
}

function build(model: AnalystModel): Vocabulary {
  const named = new Map<string, readonly NamedMember[]>()
  for (const cube of model.cubes) {
    const prefixes = prefixesOf(cube)
    named.set(
      cube.name,
      cube.members.map(member => ({
        member,
        cube,
        column: member.name.slice(member.name.indexOf('.') + 1),
        phrases: phrasesOf(cube, member, prefixes),
      })),
    )
  }
  const sources = model.cubes.map(cube => sourceOf(cube, named))
  const postings = new Map<string, Set<string>>()
  for (const { name, stems } of sources) {
    for (const one of stems) {
      const sourcesOf = postings.get(one)
      if (sourcesOf) sourcesOf.add(name)
      else postings.set(one, new Set([name]))
    }
  }
  const members = new Map([...named.values()].flat().map(each => [each.member.name, each] as const))
  const byName = new Map(sources.map(source => [source.name, source] as const))
  return { sources, postings, find: name => members.get(name) ?? null, source: name => byName.get(name) ?? null }
}

/** As many joined cubes are read with one: members further off would be anybody's guess. */
const mostJoined = 40

function sourceOf(cube: AnalystCube, named: ReadonlyMap<string, readonly NamedMember[]>): Source {
  const own = named.get(cube.name) ?? []
  const others = cube.joins.slice(0, mostJoined)
  const stems = new Set<string>()
  for (const { phrases } of own) for (const phrase of phrases) for (const one of phrase.stems) stems.add(one)
  const nouns = nounsOf(cube)
  for (const noun of nouns) for (const one of noun.stems) stems.add(one)
  const joined = others.flatMap(other => (named.get(other) ?? []).filter(({ member }) => member.kind === 'dimension'))
  return { name: cube.name, cube, nouns, members: [...own, ...joined], ownMembers: own, stems }
}

/** Stems of the words of a description; for finding what a word could have meant. */
export const stemsOfText = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem))
