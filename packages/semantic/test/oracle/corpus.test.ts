import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { dataSets } from './data/data-sets.ts'
import { modelNames, readModel } from './support/corpus.ts'
import { type Engines, openEngines } from './support/engines.ts'
import { testModel } from './support/test-model.ts'

const folder = join(import.meta.dirname, 'models')

/**
 * models/<name>/ is a model and, in queries.yml, the data set and the questions asked of it. Each question is answered by
 * the field's compiler on PostgreSQL, and by Hedron on PostgreSQL and on DuckDB: the same rows, in the order asked for.
 */
let engines: Engines
beforeAll(async () => {
  engines = await openEngines(dataSets)
})
afterAll(() => engines.close())

describe.each(modelNames(folder))('%s', name => testModel(readModel(folder, name), () => engines))
