import { compileModel, describeModel } from '@hedron/semantic'
import type { GraphQLFormattedError } from 'graphql'
import { DocumentProblem } from '../../src/graphql/document-problem.ts'
import { createPrepare } from '../../src/graphql/prepare.ts'
import { type CubeSchema, createSchemas } from '../../src/graphql/schemas.ts'

const shop = `cubes:
  - name: orders
    sql_table: orders
    description: What was ordered.
    joins: [{ name: order_items, sql: "{CUBE}.id = {order_items}.order_id", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string, description: How far it is. }
      - { name: is_gift, sql: is_gift, type: boolean }
      - { name: secret, sql: secret, type: string, public: false }
      - { name: created_at, sql: created_at, type: time }
      - name: due_at
        sql: due_at
        type: time
        granularities: [{ name: fortnight, interval: 2 weeks, origin: "2024-01-01" }]
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: newest, sql: "max({CUBE}.created_at)", type: time }
  - name: order_items
    sql_table: order_items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: product, sql: product, type: string }
    measures: [{ name: count, type: count }]
`

export const schemaOf = (content: string): CubeSchema => {
  const { model, problems } = compileModel([{ path: 'model/shop.yml', content }])
  if (model === null) throw new Error(JSON.stringify(problems))
  const context = { securityContext: {}, groups: [], userAttributes: {} }
  return createSchemas()({}, model, () => describeModel(model, context))
}

export const shopSchema = schemaOf(shop)

const prepareDocument = createPrepare()

export const prepare = (query: string, variables: Readonly<Record<string, unknown>> = {}, schema = shopSchema) =>
  prepareDocument(schema, { query, variables, operationName: undefined })

/** The query of the only `cube` field of a document. */
export function queryOf(query: string, variables: Readonly<Record<string, unknown>> = {}, schema = shopSchema) {
  const [field, ...more] = prepare(query, variables, schema)
  if (!field || !('cube' in field) || more.length > 0) throw new Error('the document has not one cube field')
  return field.cube.query
}

/** What a document is refused with. */
export function refusalOf(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  schema = shopSchema,
): readonly GraphQLFormattedError[] {
  try {
    prepare(query, variables, schema)
  } catch (error) {
    if (error instanceof DocumentProblem) return error.errors
    throw error
  }
  throw new Error('the document was not refused')
}
