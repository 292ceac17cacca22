import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import { stem } from '../words/stem.ts'
import { type Token, wordsOf } from '../words/tokens.ts'
import { isTime } from './choose-member.ts'
import type { Span } from './span.ts'

interface OwnGrain {
  readonly name: string
  readonly dimension: NamedMember
  readonly stems: readonly string[]
}

const grainsOf = (source: Source): OwnGrain[] =>
  source.ownMembers
    .filter(isTime)
    .flatMap(dimension =>
      dimension.member.granularities.map(name => ({ name, dimension, stems: wordsOf(name).map(stem) })),
    )

/** `this fiscal quarter` is one of them, which is not read; no series of all. */
const singling = new Set('this last current previous next past coming first second third fourth'.split(' '))
const openings = new Set(['by', 'per', 'each', 'every'])

/** Where a question names grains that the model itself defines: `by fiscal quarter`. */
export function ownGrainSpans(tokens: readonly Token[], source: Source): Span[] {
  const grains = grainsOf(source)
  return tokens.flatMap((token, from) => {
    const opening = openings.has(token.word) ? 1 : 0
    return grains.flatMap(({ name, dimension, stems }): Span[] => {
      const isOne = singling.has(tokens[from - 1]?.word ?? '') || tokens[from - 1]?.kind === 'number'
      const isNamed =
        !isOne && stems.length > 0 && stems.every((one, index) => tokens[from + opening + index]?.stem === one)
      if (!isNamed) return []
      const to = from + opening + stems.length
      // It weighs more than its words do apart: `by` and `quarter` are a grain of everybody's.
      return [
        { from, to, score: (to - from) * 1.4, meaning: { kind: 'mark', mark: { kind: 'ownGrain', name, dimension } } },
      ]
    })
  })
}
