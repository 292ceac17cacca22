import { type Cell, describeModel } from '@hedron/semantic'
import type { GraphQLFormattedError } from 'graphql'
import * as z from 'zod'
import { DocumentProblem } from '../../graphql/document-problem.ts'
import { createPrepare, type PreparedField } from '../../graphql/prepare.ts'
import { readRequest } from '../../graphql/read-request.ts'
import { createSchemas } from '../../graphql/schemas.ts'
import { writeRows } from '../../graphql/write-rows.ts'
import type { Soon } from '../../soon.ts'
import { requireScope } from '../authenticate-data.ts'
import { requireModel } from '../branch-models.ts'
import type { DataCaller } from '../data-caller.ts'
import { DataError } from '../data-error.ts'
import type { RawJson } from '../raw-json.ts'
import { contextOf } from '../understand.ts'
import type { DataContext, OperationNeeds } from './operation-needs.ts'

export interface GraphqlNeeds extends OperationNeeds {
  readonly load: (caller: DataCaller, parameters: unknown, context: DataContext) => Soon<RawJson>
}

/** A GraphQL answer as JSON, and the status where the document was not run. */
export interface GraphqlAnswer {
  readonly status: number
  readonly text: string
}

/** What is used of a `load` in the compact format. */
const Loaded = z.object({
  query: z.object({ timezone: z.string() }),
  annotation: z.record(z.string(), z.record(z.string(), z.unknown())),
  lastRefreshTime: z.string(),
  complete: z.boolean(),
  nextOffset: z.number().optional(),
  data: z.object({ members: z.array(z.string()), dataset: z.custom<readonly (readonly Cell[])[]>(Array.isArray) }),
})
type Loaded = z.infer<typeof Loaded>

type Row = Extract<PreparedField, { readonly cube: unknown }>

export type AnswerGraphql = ReturnType<typeof createAnswerGraphql>

/** GraphQL over a model (contract/behaviour/query.md section 8): each `cube` field is one `load` with the caller's rights. */
export function createAnswerGraphql(need: GraphqlNeeds) {
  const { effects, findBranch, load } = need
  const schemaOf = createSchemas()
  const prepare = createPrepare()
  const allowedToLoad = createAllowedToLoad()

  return { answer, toJson }

  /** Runs a document. @throws {DataError} 403 without the scope `graphql`; every other problem is in the answer */
  async function answer(caller: DataCaller, parameters: unknown, context: DataContext): Promise<GraphqlAnswer> {
    requireScope(caller, 'graphql')
    try {
      const fields = await prepareFor(caller, parameters)
      return { status: 200, text: await run(caller, fields, context) }
    } catch (error) {
      if (error instanceof DocumentProblem) return refused(400, error.errors)
      if (error instanceof DataError) return refused(error.status, [formatted(error)])
      throw error
    }
  }

  /** The data API's query that a document stands for; null, with the reason, where it stands for none or several. */
  async function toJson(caller: DataCaller, parameters: unknown): Promise<object> {
    requireScope(caller, 'graphql')
    try {
      const cubes = (await prepareFor(caller, parameters)).filter(isRows)
      const [only] = cubes
      if (only === undefined || cubes.length > 1) {
        return { jsonQuery: null, error: `The document has ${cubes.length} \`cube\` fields; one is a query.` }
      }
      return { jsonQuery: { ...only.cube.query, ...(only.cube.cache === undefined ? {} : { cache: only.cube.cache }) } }
    } catch (error) {
      if (error instanceof DocumentProblem) return { jsonQuery: null, error: error.message }
      throw error
    }
  }

  async function prepareFor(caller: DataCaller, parameters: unknown): Promise<readonly PreparedField[]> {
    const request = readRequest(parameters)
    const model = requireModel(await findBranch(caller))
    const schema = schemaOf(caller, model, () => describeModel(model, contextOf(caller, effects.now())))
    return prepare(schema, request)
  }

  async function run(caller: DataCaller, fields: readonly PreparedField[], context: DataContext): Promise<string> {
    const results = await Promise.allSettled(fields.filter(isRows).map(field => loadRows(caller, field, context)))
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ error: result.reason, key: fields.filter(isRows)[index]?.key ?? '' }] : [],
    )
    if (failures.length > 0) {
      const errors = failures.map(({ error, key }) => {
        if (!(error instanceof DataError)) throw error
        return { ...formatted(error), path: [key] }
      })
      return JSON.stringify({ errors, data: null })
    }
    const loaded = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    const errors: GraphQLFormattedError[] = []
    const data: string[] = []
    for (const field of fields) {
      if (!isRows(field)) {
        data.push(`${JSON.stringify(field.key)}:${field.text}`)
        continue
      }
      const own = loaded.find(each => each.field === field)
      if (!own) throw new Error('a field has no result')
      const { members, dataset } = own.answer.data
      const answer = { members, dataset, timezone: own.answer.query.timezone }
      const written = await writeRows(field.cube.shape, answer, [field.key])
      errors.push(...written.errors)
      data.push(`${JSON.stringify(field.key)}:${written.text}`)
    }
    const head = errors.length > 0 ? `"errors":${JSON.stringify(errors)},` : ''
    const extensions = loaded.length > 0 ? `,"extensions":${JSON.stringify(extensionsOf(loaded))}` : ''
    return `{${head}"data":{${data.join(',')}}${extensions}}`
  }

  async function loadRows(caller: DataCaller, field: Row, context: DataContext) {
    const { text } = await load(allowedToLoad(caller), field.parameters, context)
    return { field, answer: Loaded.parse(JSON.parse(text)) }
  }
}

const isRows = (field: PreparedField): field is Row => 'cube' in field

/** Of several queries: what all of them show, the time of the oldest, and which fields have more rows, from which offset on. */
function extensionsOf(loaded: readonly { readonly field: Row; readonly answer: Loaded }[]): object {
  const annotation: Record<string, Record<string, unknown>> = {}
  for (const { answer } of loaded) {
    for (const [kind, members] of Object.entries(answer.annotation))
      annotation[kind] = { ...annotation[kind], ...members }
  }
  const [lastRefreshTime] = loaded.map(({ answer }) => answer.lastRefreshTime).sort()
  const next = loaded.flatMap(({ field, answer }) =>
    answer.nextOffset === undefined ? [] : [[field.key, answer.nextOffset] as const],
  )
  return {
    annotation,
    lastRefreshTime,
    complete: loaded.every(({ answer }) => answer.complete),
    ...(next.length > 0 ? { nextOffset: Object.fromEntries(next) } : {}),
  }
}

function formatted({ status, body }: DataError): GraphQLFormattedError {
  const { error, ...more } = body
  return { message: String(error), extensions: { ...more, status } }
}

const refused = (status: number, errors: readonly GraphQLFormattedError[]): GraphqlAnswer => ({
  status,
  text: JSON.stringify({ errors }),
})

/** The scope `graphql` is enough for rows; the same caller is the same object, by which plans are remembered. */
function createAllowedToLoad() {
  const known = new WeakMap<DataCaller, DataCaller>()
  return (caller: DataCaller): DataCaller => {
    if (caller.scopes.has('data')) return caller
    const allowed = known.get(caller) ?? { ...caller, scopes: new Set([...caller.scopes, 'data']) }
    known.set(caller, allowed)
    return allowed
  }
}
