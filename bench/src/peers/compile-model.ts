// Hedron's semantic engine on a generated project, in a process of its own: `compile-model.ts <cubes> <recompiles> <plans>`.
import { compileModel, compileQuery, type Model, normalizeQuery, type ParseCache } from '@hedron/semantic'
import { measureEngine } from './measure-engine.ts'

const parseCache: ParseCache = new Map()

const context = { securityContext: {}, groups: [], userAttributes: {} }
const options = { now: new Date(0), defaultTimezone: 'UTC', defaultLimit: 10_000, maximumLimit: 50_000, context }

await measureEngine({
  async compile(files) {
    const { model } = compileModel(files, { parseCache })
    if (model === null) throw new Error('the generated model does not compile')
    return model
  },
  // As the thread that serves has it: read from JSON.
  serve: (model): Model => JSON.parse(JSON.stringify(model)),
  read: (model, question) => normalizeQuery(model, question, options),
  plan: (model, query) => compileQuery(model, query, context, 'postgres'),
})
