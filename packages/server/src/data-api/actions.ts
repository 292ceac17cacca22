import type { DataApi } from '@hedron/platform'
import type { FastifyRequest } from 'fastify'

export type DataCaller = Awaited<ReturnType<DataApi['authenticate']>>

/** One request for one action of the data API: who asks, what came with it. */
export interface ActionRequest {
  readonly caller: DataCaller
  /** The body of a POST, else the query string. */
  readonly parameters: unknown
  readonly query: unknown
  /** What stands behind the name of an action that has `/*`, for example a request id. */
  readonly rest: string
  readonly context: { readonly requestId: string; readonly signal: AbortSignal }
}

/** An answer as JSON text, or as lines of it; with a status where it can be another one than 200 without being an error of the data API. */
export type Answer =
  | string
  | { readonly status: number; readonly text: string }
  | { readonly lines: AsyncIterable<string> }

/** What `/cubejs-api/v1/<name>` does. */
export interface Action {
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[]
  /** Given at once where nothing has to be waited for, as answers from the cache are. */
  answer(operations: DataApi['operations'], request: ActionRequest): Answer | Promise<Answer>
}

const load: Action = {
  methods: ['GET', 'POST'],
  answer(operations, { caller, parameters, context }) {
    const answer = operations.load(caller, parameters, context)
    return answer instanceof Promise ? answer.then(({ text }) => text) : answer.text
  },
}

const json = async (answer: Promise<unknown>) => JSON.stringify(await answer)
const getOrPost = ['GET', 'POST'] as const

/** Every action of the data API by its address (contract/behaviour/query.md section 1). */
export const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['load', load],
  // Over HTTP a subscription is one load; over a web socket it goes on.
  ['subscribe', load],
  [
    'running-query/*',
    { methods: ['DELETE'], answer: (operations, { caller, rest }) => json(operations.cancel(caller, rest)) },
  ],
  ['data-sources', { methods: ['GET'], answer: (operations, { caller }) => json(operations.dataSources(caller)) }],
  [
    'entities',
    { methods: ['GET'], answer: (operations, { caller, query }) => json(operations.entities(caller, query)) },
  ],
  [
    'entities/all',
    { methods: ['POST'], answer: (operations, { caller, query }) => json(operations.allEntities(caller, query)) },
  ],
  ['entities/*', { methods: ['GET'], answer: (operations, { caller, rest }) => json(operations.entity(caller, rest)) }],
  [
    'sql',
    { methods: getOrPost, answer: (operations, { caller, parameters }) => json(operations.sql(caller, parameters)) },
  ],
  [
    'cubesql',
    {
      methods: ['POST'],
      answer: (operations, { caller, parameters, context }) => operations.cubesql(caller, parameters, context),
    },
  ],
  [
    'convert-query',
    {
      methods: ['POST'],
      answer: (operations, { caller, parameters }) => json(operations.convertQuery(caller, parameters)),
    },
  ],
  [
    'dry-run',
    { methods: getOrPost, answer: (operations, { caller, parameters }) => json(operations.dryRun(caller, parameters)) },
  ],
  [
    'explain',
    {
      methods: getOrPost,
      answer: (operations, { caller, parameters }) => json(operations.explain(caller, parameters)),
    },
  ],
  [
    'meta',
    {
      methods: getOrPost,
      answer: (operations, { caller, query }) =>
        json(
          operations.meta(caller, { onlyViews: readFlag(query, 'onlyViews'), extended: readFlag(query, 'extended') }),
        ),
    },
  ],
  [
    'pre-aggregations/jobs',
    {
      methods: ['POST'],
      answer: (operations, { caller, parameters, context }) => json(operations.rollupJobs(caller, parameters, context)),
    },
  ],
  [
    'pre-aggregations/can-use',
    {
      methods: ['POST'],
      answer: (operations, { caller, parameters }) => json(operations.canUseRollup(caller, parameters)),
    },
  ],
  [
    // The one address that is not below `v1`.
    '../graphql',
    {
      methods: getOrPost,
      answer: (operations, { caller, parameters, context }) => operations.graphql(caller, parameters, context),
    },
  ],
  [
    'graphql-to-json',
    {
      methods: ['POST'],
      answer: (operations, { caller, parameters }) => json(operations.graphqlToJson(caller, parameters)),
    },
  ],
])

/** The action of an address without its data-API prefix, where it takes the method, and what stands behind its name. */
export function actionOf(name: string, method: string): { readonly action: Action; readonly rest: string } | undefined {
  const named = actions.get(name)
  if (takes(named, method)) return { action: named, rest: '' }
  const cut = name.indexOf('/')
  const rest = name.slice(cut + 1)
  const action = cut < 0 || rest === '' ? undefined : actions.get(`${name.slice(0, cut)}/*`)
  return takes(action, method) ? { action, rest } : undefined
}

/** What is counted under one name, whatever stands behind it. */
export function nameOf(action: string): string {
  if (actions.has(action) || isProbe(action)) return action.replace('../', '')
  return action.slice(0, action.indexOf('/'))
}

const takes = (action: Action | undefined, method: string): action is Action =>
  action?.methods.some(each => each === method) ?? false

const readFlag = (query: unknown, name: string): boolean =>
  typeof query === 'object' && query !== null && ['true', '', '1'].includes(String(Reflect.get(query, name) ?? 'false'))

/** Whether an address asks how things stand rather than for data. */
export const isProbe = (action: string): action is 'readyz' | 'livez' => action === 'readyz' || action === 'livez'

/** The client's own request id goes on through its retries, which add `-span-<n>`. */
export function spanOf(request: FastifyRequest): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given) ? given : request.id
}
