import { CodedError } from '@hedron/contract'
import type { FastifyInstance } from 'fastify'

/** Far more than any form here has. */
const largestForm = 16 * 1024

/** The fields of a form, each of which is given once. */
export type Form = ReadonlyMap<string, string>

/** Lets the routes of this scope, and no others, take forms (`application/x-www-form-urlencoded`). */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    async (_request: unknown, body: string) => readForm(body),
  )
}

/** @throws {CodedError} `invalid_request` for a field that is there twice: who checks one must not be answered by the other. */
export function readForm(body: string): Form {
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body)) {
    if (form.has(name)) throw new CodedError('invalid_request', { problems: `${name}: is given more than once` })
    form.set(name, value)
  }
  return form
}

/** The form of a request; none where it has no body or another one. */
export const formOf = (body: unknown): Form => (body instanceof Map ? body : new Map())
