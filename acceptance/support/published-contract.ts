import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import published from '../fixtures/published-contract.json' with { type: 'json' }
import type { Answer } from './api.ts'

/** Operations of embedding and content as published; made by `scripts/trim-published-contract.ts`. */
export const publishedOperations = published.operations
export type PublishedOperation = (typeof publishedOperations)[number]

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

/** Asserts that an answer has the published status and a body of the published shape. */
export function expectPublished(operation: PublishedOperation, { status, body }: Answer): void {
  const text = `${operation.operationId}: ${JSON.stringify(body).slice(0, 2000)}`
  // Where nothing is published of the body, none is as good.
  expect(operation.schema === null ? [200, 204] : [operation.status], text).toContain(status)
  if (operation.schema === null) return
  const validate = ajv.compile({ ...operation.schema, $defs: published.$defs })
  expect(validate(body) ? [] : validate.errors, text).toEqual([])
}
