import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from './refusal.ts'
import type { Target } from './world.ts'

export type Row = Readonly<Record<string, unknown>>

export interface LoadAnswer {
  readonly data: readonly Row[]
  /** When its source was asked. */
  readonly lastRefreshTime?: string
  readonly total?: number | string | null
  readonly external?: boolean | null
  readonly results?: readonly LoadAnswer[]
}

export interface AskOptions {
  readonly branch?: string
  readonly requestId?: string
  readonly signal?: AbortSignal
}

const patience = 90_000

/** `POST /v1/load`, again while it says that the client shall wait. @throws {Refusal} for every other error */
export async function load(target: Target, body: object, options: AskOptions = {}): Promise<LoadAnswer> {
  const deadline = performance.now() + patience
  for (;;) {
    const answer = await post<LoadAnswer & { error?: unknown }>(target, 'v1/load', body, options)
    if (answer.error !== 'Continue wait') return answer
    if (performance.now() > deadline)
      throw new Error(`still to wait after ${patience / 1000} s: ${JSON.stringify(body)}`)
    await sleep(20)
  }
}

/** One request of the data API. @throws {Refusal} for an error, though not for `Continue wait` */
export async function post<T extends { error?: unknown }>(
  { url, token }: Target,
  action: string,
  body: object,
  { branch, requestId, signal }: AskOptions = {},
): Promise<T> {
  const base = branch === undefined ? url : url.replace(/\/cubejs-api$/, `/dev-mode/${branch}/cubejs-api`)
  const response = await fetch(`${base}/${action}`, {
    method: 'POST',
    headers: {
      authorization: token,
      'content-type': 'application/json',
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    },
    body: JSON.stringify(body),
    signal: signal ?? AbortSignal.timeout(patience),
  })
  const answer: T = JSON.parse(await response.text())
  if (typeof answer.error === 'string' && answer.error !== 'Continue wait') throw new Refusal(answer.error)
  if (!response.ok) throw new Refusal(`status ${response.status}: ${JSON.stringify(answer).slice(0, 300)}`)
  return answer
}

/** Stops a query. @returns how many were found */
export async function cancel({ url, token }: Target, requestId: string): Promise<number> {
  const response = await fetch(`${url}/v1/running-query/${requestId}`, {
    method: 'DELETE',
    headers: { authorization: token },
    signal: AbortSignal.timeout(patience),
  })
  const { result }: { result: readonly unknown[] } = JSON.parse(await response.text())
  return result.length
}
