import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { dataSets } from './data/data-sets.ts'
import { modelNames, readModel } from './support/corpus.ts'
import { type Engines, openEngines } from './support/engines.ts'
import { testModel } from './support/test-model.ts'

const folder = join(import.meta.dirname, '..', 'models')

/**
 * ../models/<name>/model/ is what a team brings along: files as the field's documentation writes them, in YAML, templates
 * and JavaScript. They load unchanged, are described alike, and give the same answers.
 */
let engines: Engines
beforeAll(async () => {
  engines = await openEngines(dataSets)
})
afterAll(() => engines.close())

describe.each(modelNames(folder))('%s', name => testModel(readModel(folder, name), () => engines))
