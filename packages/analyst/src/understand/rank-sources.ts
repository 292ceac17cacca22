import type { Source, Vocabulary } from '../vocabulary/vocabulary.ts'
import { isClose } from '../words/spelling.ts'
import type { Token } from '../words/tokens.ts'
import { nearWords } from '../words/word-lists.ts'
import { isContent } from './spans.ts'

/** As many sources are read in full. */
const mostRead = 12

/** The sources whose names have most of a question's words, rare words first; views before cubes. */
export function rankSources(
  vocabulary: Vocabulary,
  tokens: readonly Token[],
  preferred: readonly string[] | null,
): readonly Source[] {
  const scores = new Map<string, number>()
  const { postings, sources } = vocabulary
  const words = new Map(tokens.filter(isContent).map(token => [token.stem, token] as const))
  for (const [stem, token] of words) {
    for (const { found, weight } of namesLike(postings, stem, token.word)) {
      const rarity = 1 + Math.log(sources.length / found.size)
      for (const name of found) scores.set(name, (scores.get(name) ?? 0) + weight * rarity)
    }
  }
  const of = (source: Source) => {
    const isPreferred = preferred?.includes(source.name) ?? false
    return (scores.get(source.name) ?? 0) + (source.cube.type === 'view' ? 0.3 : 0) + (isPreferred ? 1 : 0)
  }
  const ranked = [...sources].map((source, index) => ({ source, index, score: of(source) }))
  return ranked
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .slice(0, mostRead)
    .map(({ source }) => source)
}

function namesLike(postings: Vocabulary['postings'], stem: string, word: string) {
  const exact = postings.get(stem)
  if (exact) return [{ found: exact, weight: 1 }]
  const near = [...(nearWords.get(stem) ?? [])].flatMap(other => postings.get(other) ?? [])
  if (near.length > 0) return near.map(found => ({ found, weight: 0.8 }))
  if (word.length < 4) return []
  const close = [...postings.keys()].filter(other => isClose(stem, other))
  return close.flatMap(other => postings.get(other) ?? []).map(found => ({ found, weight: 0.7 }))
}
