import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { coerceStrings } from '../src/coerce.ts'
import { CodedError, errorCodes } from '../src/errors.ts'
import { explainIssues } from '../src/explain.ts'
import { generatedFiles } from '../src/generate.ts'
import { operations } from '../src/generated/operations.ts'
import { openApiDocument } from '../src/openapi.ts'
import { routeList, routes } from '../src/routes.ts'

describe('the OpenAPI document', () => {
  const document = openApiDocument(routeList, 'http://localhost:4000')

  test('is valid OpenAPI 3.1.0 under a public validator and declares API version 1.0.0', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors).toBeUndefined()
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  })

  test('points only at schemas that it holds', () => {
    const text = JSON.stringify(document)
    const named = new Set(Object.keys((document.components as { schemas: object }).schemas))
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(match => match[1] ?? '')
    expect(references.length).toBeGreaterThan(20)
    expect(references.filter(name => !named.has(name))).toEqual([])
    expect(text.indexOf('$defs')).toBe(-1)
  })

  test.each([...generatedFiles()])('%s is up to date (npm run generate)', async (path, content) => {
    expect(await readFile(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(content)
  })
})

describe('the routes', () => {
  test('have an operation id each, equal to their name, and a parameter schema for each path parameter', () => {
    for (const [name, route] of Object.entries(routes)) {
      expect(route.operationId).toBe(name)
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
      expect(Object.keys('params' in route ? route.params.shape : {}).sort(), name).toEqual(inPath.sort())
    }
    expect(Object.keys(operations).sort()).toEqual(Object.keys(routes).sort())
  })

  test('name only errors of the table', () => {
    for (const route of routeList) for (const code of route.errors) expect(errorCodes).toContain(code)
  })
})

describe('requests', () => {
  const Query = z.strictObject({
    first: z.int().min(1).optional(),
    enabled: z.boolean().optional(),
    steps: z.array(z.enum(['project', 'ready'])).optional(),
    after: z.string().optional(),
  })

  test('strings of a query become what the schema names', () => {
    expect(coerceStrings(Query, { first: '20', enabled: 'true', steps: 'ready', after: '7' })).toEqual({
      first: 20,
      enabled: true,
      steps: ['ready'],
      after: '7',
    })
    expect(coerceStrings(Query, { first: '', enabled: '' })).toEqual({})
  })

  test.each([
    [{ first: 'many' }, 'first: Invalid input: expected number, received string'],
    [{ first: '0' }, 'first: Too small: expected number to be >=1'],
    [{ steps: 'done' }, 'steps[0]: must be one of project, ready'],
    [{ frist: '1' }, 'query: unknown field "frist"; see GET /api/v1/spec for the fields'],
  ])('%j is explained by field and what is allowed', (raw, message) => {
    const { error } = Query.safeParse(coerceStrings(Query, raw))
    expect(explainIssues(error?.issues ?? [], 'query')).toBe(message)
  })

  test('an error carries its code, its status and a sentence with the value', () => {
    const error = new CodedError('branch_not_dev_mode', { branch: 'main' })
    expect(error).toMatchObject({ code: 'branch_not_dev_mode', status: 400 })
    expect(error.message).toContain('Branch "main" is not a dev-mode branch')
  })
})
