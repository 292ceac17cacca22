import {
  type ErrorCode,
  ErrorResponse,
  errorCodes,
  errorStatus,
  type Method,
  type Route,
  routeList,
} from '@hedron/contract'
import { ApiError, type Client, createClient } from '@hedron/contract/client'
import { expect } from 'vitest'
import type { Api } from './api.ts'

/** The typed client of the platform API; every answer that passes through is held against the contract. */
export function connect({ baseUrl, apiKey }: Pick<Api, 'baseUrl' | 'apiKey'>, scheme = 'Api-Key'): Client {
  return createClient({
    baseUrl,
    authorization: `${scheme} ${apiKey}`,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      const text = await response.clone().text()
      expectContract(init?.method ?? 'GET', String(input), response.status, text)
      return response
    },
  })
}

/** Asserts that an answer is one that the contract allows: the route's own shape, or an error of the table. Never a 5xx. */
export function expectContract(method: string, url: string, status: number, text: string): void {
  const where = `${method} ${url.slice(0, 300)} -> ${status} ${text.slice(0, 500)}`
  expect(status, where).toBeLessThan(500)
  if (status >= 400) {
    expectError(status, text, where)
    return
  }
  const route = findRoute(method, new URL(url).pathname)
  expect(route, where).toBeDefined()
  expect(status, where).toBe(route?.status ?? 200)
  if (status === 204) {
    expect(text, where).toBe('')
    return
  }
  const { error } = route?.response.safeParse(JSON.parse(text)) ?? {}
  expect(error, where).toBeUndefined()
}

/** Asserts the shape of an error: `{ statusCode, error, message, code }`, the code one of the table and of that status. */
export function expectError(status: number, text: string, where = text): ErrorResponse {
  const body = ErrorResponse.parse(JSON.parse(text))
  const code = errorCodes.find(known => known === body.code)
  expect(code, where).toBeDefined()
  expect([body.statusCode, code && errorStatus(code)], where).toEqual([status, status])
  expect(body.message, where).not.toBe('')
  return body
}

/** The error with which a call was refused. */
export async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const outcome = await call.then(
    value => value,
    error => error,
  )
  if (outcome instanceof ApiError) return outcome
  throw outcome instanceof Error ? outcome : new Error(`was not refused: ${JSON.stringify(outcome)?.slice(0, 500)}`)
}

/** Asserts that a call is refused with this code, and that its message says what is wrong. */
export async function expectRefusal(call: Promise<unknown>, code: ErrorCode, message: RegExp = /./): Promise<ApiError> {
  const error = await refusal(call)
  expect({ status: error.status, code: error.code }, error.message).toEqual({ status: errorStatus(code), code })
  expect(error.message).toMatch(message)
  return error
}

/** The route of the contract that serves a path; one without parameters goes first. */
export function findRoute(method: string, path: string): Route | undefined {
  const parts = path.replace(/\/+$/, '').split('/')
  const wanted = method.toLowerCase() as Method
  const matching = routeList.filter(route => {
    const template = route.path.split('/')
    return (
      route.method === wanted &&
      template.length === parts.length &&
      template.every((part, index) => part.startsWith('{') || part === parts[index])
    )
  })
  return matching.find(route => route.params === undefined) ?? matching[0]
}
