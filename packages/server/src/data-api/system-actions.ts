import type { DataApi } from '@hedron/platform'

type SystemApi = DataApi['system']
export type SystemCaller = Awaited<ReturnType<SystemApi['authenticate']>>

interface SystemRequest {
  readonly caller: SystemCaller
  readonly body: unknown
  readonly context: { readonly requestId: string; readonly signal: AbortSignal }
}

interface SystemAction {
  readonly method: 'GET' | 'POST'
  answer(operations: SystemApi['operations'], request: SystemRequest): Promise<object>
}

/** Every action of `/cubejs-system/v1/<name>` (contract/behaviour/query.md section 1). */
export const systemActions: ReadonlyMap<string, SystemAction> = new Map<string, SystemAction>([
  ['context', { method: 'GET', answer: operations => operations.context() }],
  ['pre-aggregations', { method: 'GET', answer: (operations, { caller }) => operations.list(caller) }],
  ['pre-aggregations/security-contexts', { method: 'GET', answer: operations => operations.securityContexts() }],
  ['pre-aggregations/timezones', { method: 'GET', answer: (operations, { caller }) => operations.timezones(caller) }],
  [
    'pre-aggregations/partitions',
    {
      method: 'POST',
      answer: (operations, { caller, body, context }) => operations.partitions(caller, body, context.signal),
    },
  ],
  [
    'pre-aggregations/preview',
    { method: 'POST', answer: (operations, { caller, body, context }) => operations.preview(caller, body, context) },
  ],
  [
    'pre-aggregations/build',
    {
      method: 'POST',
      answer: (operations, { caller, body, context }) => operations.build(caller, body, context.signal),
    },
  ],
  ['pre-aggregations/queue', { method: 'POST', answer: (operations, { caller }) => operations.queue(caller) }],
  [
    'pre-aggregations/cancel',
    { method: 'POST', answer: (operations, { caller, body }) => operations.cancel(caller, body) },
  ],
])

/** The action of an address behind `/cubejs-system/v1/`, where it takes the method. */
export function systemActionOf(name: string, method: string): SystemAction | undefined {
  const action = systemActions.get(name)
  return action?.method === method ? action : undefined
}
