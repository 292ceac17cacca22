import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../../src/index.ts'
import { readCorpus } from '../fuzz/corpus.ts'
import { readGoldenCases } from '../support/golden.ts'
import { modelOf } from '../support/model.ts'

/** Models that reach every construct, with policies and without. */
export function readTestModels(): readonly Model[] {
  const golden = readGoldenCases().map(({ model }) => model)
  const guarded = readFileSync(join(import.meta.dirname, '..', 'golden', 'guarded-shop.yml'), 'utf8')
  const ofCorpus = readCorpus().sound.flatMap(content => {
    try {
      return [modelOf(content)]
    } catch {
      return []
    }
  })
  return [...golden, modelOf(guarded), ...ofCorpus]
}
