import { compileModel, type DialectName, type Model, type QueryContext } from '@hedron/semantic'
import { parseStatement, planSql, type SqlPlan, type SqlPlanOptions } from '../../src/index.ts'

export function modelOf(files: Readonly<Record<string, string>>): Model {
  const { model, problems } = compileModel(Object.entries(files).map(([path, content]) => ({ path, content })))
  if (!model) throw new Error(problems.map(({ message }) => message).join('\n'))
  return model
}

export const everyone: QueryContext = {
  securityContext: {},
  groups: [],
  userAttributes: {},
  now: new Date('2024-06-01T12:00:00Z'),
}

interface Options extends Partial<SqlPlanOptions> {
  readonly model: Model
  readonly dialect?: DialectName
}

/** Parses and plans a statement that selects. */
export async function planText(text: string, { dialect = 'duckdb', ...options }: Options): Promise<SqlPlan> {
  const { query } = await parseStatement(text)
  return planSql(text, query, {
    context: everyone,
    now: new Date('2024-06-01T12:00:00Z'),
    localNow: '2024-06-01T12:00:00.000',
    timezone: 'UTC',
    dialectOf: () => dialect,
    constants: new Map(),
    parameters: [],
    ...options,
  })
}

/** The one statement that answers a plan which needs no embedded engine, and where its columns stand. */
export function statementOf({ kind, statement, parts, positions, columns }: SqlPlan) {
  const [part] = parts
  if (kind === 'regular' && part) return { ...part.compiled, positions }
  if (!statement) throw new Error(`a plan of kind ${kind} without a statement`)
  return { ...statement, positions: columns.map((_, position) => position) }
}
