import { compileModel, describeModel } from '@hedron/semantic'
import { expect, test } from 'vitest'
import { createServiceMeta } from '../../../src/chat/tools/service-meta.ts'
import { createShowModel } from '../../../src/chat/tools/show-model.ts'
import type { DataCaller } from '../../../src/queries/data-caller.ts'

const content = `cubes:
  - name: orders
    sql: SELECT 1 AS id
    meta: { ai_context: Not for agents at a cube. }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - name: status
        sql: status
        type: string
        meta: { synonyms: [state, progress] }
      - name: placed_at
        sql: placed_at
        type: time
        granularities: [{ name: fiscal_year, interval: 1 year, offset: 3 months }]
      - name: currency
        type: switch
        values: [EUR, USD]
      - { name: secret, sql: secret, type: string }
      - { name: internal, sql: internal, type: string, public: false }
    measures:
      - { name: count, type: count, description: How many orders there are. }
      - { name: total, sql: total, type: sum, format: currency, meta: { ai_context: { note: Net of tax., synonyms: "revenue, turnover" } } }
    access_policy:
      - group: "*"
        member_level: { excludes: [secret] }
      - group: managers
        member_level: { includes: "*" }
views:
  - name: sales
    title: Sales
    description: What was sold.
    meta: { ai_context: The first place to look. }
    cubes: [{ join_path: orders, includes: [total, status, currency] }]
`
const { model, problems } = compileModel([{ path: 'model/orders.yml', content }])
if (!model) throw new Error(JSON.stringify(problems))

const caller = (groups: readonly string[]): DataCaller => ({
  accountId: 1,
  deploymentId: 1,
  branchName: null,
  securityContext: {},
  groups,
  userAttributes: {},
  scopes: new Set(['meta', 'data']),
})
const showModel = createShowModel(async ({ securityContext, groups, userAttributes }) => {
  const context = { securityContext, groups, userAttributes, now: new Date(0) }
  return { model, cubes: describeModel(model, context) }
})
const memberOf = async (name: string, groups: readonly string[] = []) =>
  (await showModel(caller(groups))).cubes.flatMap(({ members }) => members).find(member => member.name === name)

test('the model is shown with the words that its author has for agents', async () => {
  const { cubes } = await showModel(caller([]))
  expect(cubes.map(({ name, type, aiContext }) => [name, type, aiContext])).toEqual([
    ['orders', 'cube', null],
    ['sales', 'view', 'The first place to look.'],
  ])
  expect(await memberOf('orders.total')).toMatchObject({
    kind: 'measure',
    type: 'number',
    aggType: 'sum',
    format: 'currency',
    aiContext: 'Net of tax.',
    synonyms: ['revenue', 'turnover'],
  })
  expect(await memberOf('orders.status')).toMatchObject({ synonyms: ['state', 'progress'], aiContext: null })
  expect(await memberOf('orders.placed_at')).toMatchObject({ type: 'time', granularities: ['fiscal_year'] })
  expect(await memberOf('sales.currency')).toMatchObject({ type: 'string', values: ['EUR', 'USD'] })
})

test('what policies or the model hide is not in it', async () => {
  expect(await memberOf('orders.internal', ['managers'])).toBeUndefined()
  expect(await memberOf('orders.secret')).toBeUndefined()
  expect(await memberOf('orders.secret', ['managers'])).toBeDefined()
})

test('callers who see the same get the same object', async () => {
  const [one, other, more] = [
    await showModel(caller([])),
    await showModel(caller(['x'])),
    await showModel(caller(['managers'])),
  ]
  expect(other).toBe(one)
  expect(more).not.toBe(one)
})

test('serviceMeta answers in the shape of the SPEC', async () => {
  const serviceMeta = createServiceMeta()
  const shown = await showModel(caller([]))
  expect(serviceMeta(shown, { searchQuery: 'turnover' })).toMatchObject({
    cubes: [
      { name: 'sales', type: 'view' },
      { name: 'orders', type: 'cube', title: 'Orders' },
    ],
    searchQuery: 'turnover',
  })
  expect(serviceMeta(shown, { searchQuery: 'how many' })).toMatchObject({
    cubes: expect.arrayContaining([
      {
        name: 'sales',
        type: 'view',
        title: 'Sales',
        members: [
          {
            name: 'sales.total',
            title: 'Sales Total',
            description: 'Net of tax. Also called revenue, turnover.',
            type: 'number',
            aggType: 'sum',
          },
          { name: 'sales.status', title: 'Sales Status', description: 'Also called state, progress.', type: 'string' },
          { name: 'sales.currency', title: 'Sales Currency', description: 'One of "EUR", "USD".', type: 'string' },
        ],
      },
    ]),
  })
  expect(JSON.stringify(serviceMeta(shown, { searchQuery: 'secret' }))).not.toContain('orders.secret')
  expect(() => serviceMeta(shown, { query: 'x' })).toThrow(/searchQuery/)
})
