// One measurement of the compiler in a process of its own, so that it is cold: `compile-model.ts <task> <cubes> <rounds>`.
import { compileModel, compileQuery, type Model, normalizeQuery, type ParseCache } from '@hedron/semantic'
import { parseDocument } from 'yaml'
import { cubeFile, cubeName, generateModel, parentOf } from '../support/generate-model.ts'

const [task, cubesText, roundsText] = process.argv.slice(2)
const cubes = Number(cubesText)
const rounds = Number(roundsText)
const files = generateModel(cubes)

const tasks: Readonly<Record<string, () => number[]>> = {
  /** The whole model, first thing in the process. */
  compile: () => [milliseconds(() => requireModel(compileModel(files).model))],

  /** The floor: the same texts through the YAML reader alone. */
  yaml: () => [
    milliseconds(() => {
      for (const { content } of files) parseDocument(content)
    }),
  ],

  /** Again after one file changed, with the parsed files of before at hand. */
  recompile() {
    const parseCache: ParseCache = new Map()
    compileModel(files, { parseCache })
    return Array.from({ length: rounds }, (_, round) => {
      const place = (round * 37) % cubes
      const changed = files.with(place, cubeFile(place, round + 1))
      return milliseconds(() => requireModel(compileModel(changed, { parseCache }).model))
    })
  },

  /** From a client's query to SQL, another cube each time. */
  plan() {
    const model = requireModel(compileModel(files).model)
    const warmUps = 300
    return Array.from({ length: rounds + warmUps }, (_, round) => {
      const query = queryOf(1 + ((round * 7919) % (cubes - 1)))
      return milliseconds(() => plan(model, query))
    }).slice(warmUps)
  },
}

const run = tasks[task ?? '']
if (run === undefined) throw new Error(`there is no task ${task}`)
console.log(JSON.stringify(run()))

function milliseconds(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function requireModel(model: Model | null): Model {
  if (model === null) throw new Error('the generated model does not compile')
  return model
}

function plan(model: Model, query: unknown) {
  const options = { now: new Date(0), defaultTimezone: 'UTC', defaultLimit: 10_000, maximumLimit: 50_000 }
  const context = { securityContext: {}, groups: [], userAttributes: {} }
  return compileQuery(model, normalizeQuery(model, query, options), context, 'duckdb')
}

function queryOf(index: number) {
  const cube = cubeName(index)
  const parent = cubeName(parentOf(index))
  return {
    measures: [`${cube}.count`, `${cube}.amount`, `${cube}.share_open`],
    dimensions: [`${cube}.status`, `${parent}.name`],
    timeDimensions: [
      { dimension: `${cube}.created_at`, granularity: 'month', dateRange: ['2001-01-01', '2001-06-30'] },
    ],
    filters: [{ member: `${parent}.status`, operator: 'equals', values: ['open'] }],
    order: { [`${cube}.count`]: 'desc' },
    limit: 100,
  }
}
