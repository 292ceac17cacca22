import {
  compileModel,
  compileQuery,
  type DialectName,
  type Model,
  type NormalizeOptions,
  normalizeQuery,
  type QueryContext,
} from '../../src/index.ts'

export const everyone: QueryContext = { securityContext: {}, groups: [], userAttributes: {} }

export const options: NormalizeOptions = {
  now: new Date('2024-03-15T17:30:00.000Z'),
  defaultTimezone: 'UTC',
  defaultLimit: 10_000,
  maximumLimit: 50_000,
  context: everyone,
}

/** Compiles one file of a model that must have no problems. */
export function modelOf(content: string): Model {
  const { model, problems } = compileModel([{ path: 'model/model.yml', content }])
  if (!model) throw new Error(problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'))
  return model
}

export const compileFor = (
  model: Model,
  query: unknown,
  dialect: DialectName = 'duckdb',
  context: QueryContext = everyone,
) => compileQuery(model, normalizeQuery(model, query, { ...options, context }), context, dialect)
