import type { VisibleCube, VisibleMember, VisibleModel } from '../visible-model.ts'
import { isSlip, searchWords } from './words.ts'

/** A cube or view that was found, with those of its members that matter, the best first. */
export interface FoundCube {
  readonly cube: VisibleCube
  readonly members: readonly VisibleMember[]
}

/** How much of a model a search gives: enough to write a query, small enough to be read often (USERS.md row 21). */
export interface SearchBounds {
  readonly cubes: number
  /** Of all cubes together. */
  readonly members: number
  /** Of one cube. */
  readonly membersOfCube: number
}

const usualBounds: SearchBounds = { cubes: 5, members: 48, membersOfCube: 20 }

/** Points of a word by where it stands. */
const points = { name: 4, title: 3, synonym: 4, context: 1.5, description: 1 } as const

/** A part of a cube that can be found: its words with their points. */
interface Entry {
  readonly words: ReadonlyMap<string, number>
}

interface CubeEntry extends Entry {
  readonly cube: VisibleCube
  readonly members: readonly (Entry & { readonly member: VisibleMember })[]
}

/**
 * Finds what of a model words speak of: in names, titles, descriptions, synonyms and what the model's author tells agents. Words
 * count more the fewer members have them. Views come before cubes: they are what the author prepared for questions.
 *
 * A text without a word that says anything gives an overview; words that nothing has give nothing.
 */
export function createModelSearch(model: VisibleModel) {
  // Members of one model share most of their texts.
  const known = new Map<string, readonly string[]>()
  const wordsIn = (text: string) => {
    const words = known.get(text) ?? searchWords(text)
    known.set(text, words)
    return words
  }
  const entries = model.cubes.map(cube => entryOf(cube, wordsIn))
  const all: readonly Entry[] = entries.flatMap(entry => [entry, ...entry.members])
  const counts = new Map<string, number>()
  for (const { words } of all) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)

  /** What a word is worth: a word that every member has tells nothing. */
  const rarity = (word: string) => Math.log(1 + all.length / (counts.get(word) ?? all.length))

  /** The words of the model that a word of the question stands for, with how surely. */
  function meanings(word: string): readonly (readonly [word: string, sureness: number])[] {
    if (counts.has(word)) return [[word, 1]]
    const all = [...counts.keys()]
    const beginnings = word.length < 4 ? [] : all.filter(other => other.startsWith(word) || isBeginning(other, word))
    if (beginnings.length > 0) return beginnings.map(other => [other, 0.6])
    return all.filter(other => isSlip(word, other)).map(other => [other, 0.5])
  }

  return (text: string, bounds: SearchBounds = usualBounds): FoundCube[] => {
    const asked = [...new Set(searchWords(text))].slice(0, mostWords).map(meanings)
    const worth = asked.map(possible => possible.map(([word, sureness]) => [word, sureness * rarity(word)] as const))
    const score = ({ words }: Entry) => {
      let total = 0
      for (const possible of worth) {
        let best = 0
        for (const [word, factor] of possible) best = Math.max(best, (words.get(word) ?? 0) * factor)
        total += best
      }
      return total
    }
    const isOverview = asked.length === 0
    const scored = entries.map(entry => {
      const members = entry.members.map(({ member, ...part }) => ({ member, points: score(part) }))
      const best = members.map(member => member.points).sort((left, right) => right - left)
      const reached = score(entry) * 1.5 + sum(best.slice(0, 4))
      return { entry, members, points: isView(entry) ? reached * 1.3 : reached }
    })
    const found = scored.filter(({ points: reached }) => isOverview || reached > 0)
    const top = Math.max(0, ...found.map(({ points: reached }) => reached))
    const chosen = found
      // Traces of a word in something else only take the room of what was meant.
      .filter(({ points: reached }) => isOverview || reached >= top * 0.15)
      .sort((left, right) => right.points - left.points || viewsFirst(left.entry, right.entry))
      .slice(0, bounds.cubes)
      .sort((left, right) => viewsFirst(left.entry, right.entry))
    let room = bounds.members
    return chosen.map(({ entry, members }, index) => {
      const share = Math.min(bounds.membersOfCube, Math.ceil(room / (chosen.length - index)))
      const ranked = members
        .sort((left, right) => right.points - left.points || usefulness(right.member) - usefulness(left.member))
        .slice(0, share)
      room -= ranked.length
      return { cube: entry.cube, members: ranked.map(({ member }) => member) }
    })
  }
}

export type ModelSearch = ReturnType<typeof createModelSearch>

/** Words of a question beyond these say nothing new. */
const mostWords = 40

const isView = ({ cube }: CubeEntry) => cube.type === 'view'
const viewsFirst = (left: CubeEntry, right: CubeEntry) => Number(isView(right)) - Number(isView(left))
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** `air` is no beginning of `airport` that says anything; `manufactur` is one of `manufacturer`. */
const isBeginning = (other: string, word: string) => other.length >= 4 && word.startsWith(other)

/** Beside what was found, what most questions need: what is counted, and when. */
const usefulness = ({ kind, type, primaryKey }: VisibleMember) =>
  kind === 'measure' ? 3 : type === 'time' ? 2 : kind === 'dimension' && !primaryKey ? 1 : 0

type WordsIn = (text: string) => readonly string[]

function entryOf(cube: VisibleCube, wordsIn: WordsIn): CubeEntry {
  const members = cube.members.map(member => {
    const { name, shortTitle, description, aiContext, synonyms, values } = member
    const words = wordsOf(wordsIn, [
      [name.slice(name.indexOf('.') + 1), points.name],
      [shortTitle, points.title],
      [[...synonyms, ...(values ?? [])].join(' '), points.synonym],
      [aiContext, points.context],
      [description, points.description],
    ])
    return { member, words }
  })
  const words = wordsOf(wordsIn, [
    [cube.name, points.name],
    [cube.title, points.title],
    [cube.aiContext, points.context],
    [cube.description, points.description],
  ])
  return { cube, words, members }
}

function wordsOf(
  wordsIn: WordsIn,
  texts: readonly (readonly [text: string | null, points: number])[],
): ReadonlyMap<string, number> {
  const words = new Map<string, number>()
  for (const [text, worth] of texts) {
    if (text === null) continue
    for (const word of wordsIn(text)) words.set(word, Math.max(words.get(word) ?? 0, worth))
  }
  return words
}
