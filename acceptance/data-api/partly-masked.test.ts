import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject, type ProjectFiles } from './project.ts'
import { signHmac } from './tokens.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'

/** Owners have deals and visits; deals of owners of the south are not for sellers, nor are the names of owners who are not open. */
const files: ProjectFiles = {
  'model/deals.yml': `cubes:
  - name: owners
    sql: SELECT * FROM (VALUES (1, 'Ada', 'north', 'open'), (2, 'Bo', 'south', 'open'), (3, 'Cy', 'north', 'closed')) AS rows(id, name, part, state)
    joins: [{ name: deals, sql: "{CUBE}.id = {deals}.owner", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: part, sql: part, type: string }
  - name: deals
    sql: >
      SELECT * FROM (VALUES (1, 1, 10, TIMESTAMP '2024-01-10', 'a'), (2, 2, 400, TIMESTAMP '2024-01-20', 'b'),
        (3, 3, 50, TIMESTAMP '2024-02-10', 'c'), (4, 1, 7, TIMESTAMP '2024-02-20', 'd')) AS rows(id, owner, amount, signed, code)
    joins: [{ name: people, sql: "{CUBE}.owner = {people}.id", relationship: many_to_one }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: signed, sql: signed, type: time }
      - { name: code, sql: code, type: string, mask: secret }
      - { name: part, sql: "{owners.part}", type: string }
      - { name: amount, sql: amount, type: number }
    measures: [{ name: revenue, sql: amount, type: sum }]
    access_policy:
      - group: sellers
        member_level: { excludes: [code] }
        member_masking: { includes: [code] }
        row_level: { filters: [{ member: part, operator: equals, values: [north] }] }
      - group: sellers
        row_level: { filters: [{ member: amount, operator: equals, values: [10] }] }
  - name: people
    sql: SELECT * FROM (VALUES (1, 'Ada', 'open'), (2, 'Bo', 'open'), (3, 'Cy', 'closed')) AS rows(id, name, state)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: name, sql: name, type: string, mask: somebody }
      - { name: state, sql: state, type: string }
  - name: visits
    sql: SELECT * FROM (VALUES (1, 1, 5), (2, 2, 6), (3, 3, 7)) AS rows(id, person, pages)
    joins: [{ name: people, sql: "{CUBE}.person = {people}.id", relationship: many_to_one }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: pages, sql: pages, type: sum }]
views:
  - name: work
    cubes:
      - { join_path: deals, includes: [revenue] }
      - { join_path: visits, includes: [pages] }
      - { join_path: people, includes: [name, state] }
    access_policy:
      - { group: sellers, member_level: { excludes: [name] }, member_masking: { includes: [name] } }
      - { group: sellers, row_level: { filters: [{ member: state, operator: equals, values: [open] }] } }
`,
}

const seller = signHmac({ cubeCloud: { groups: ['sellers'] } }, secret)

let data: DataClient
beforeAll(async () => {
  const api = sharedApi()
  const id = await createProject(api, files, { CUBEJS_API_SECRET: secret })
  data = await createDataClient(api, id)
})

const answer = async (query: unknown, more = {}) => {
  const { status, body } = await data.load(query, more, { authorization: seller })
  expect([status, body.error]).toEqual([200, undefined])
  return body
}
const load = async (query: unknown) => rowsOf(await answer(query))

test('a row filter about a cube that joins the filtered one lets through the rows of which it is true', async () => {
  expect(await load({ measures: ['deals.revenue'] })).toEqual([{ 'deals.revenue': '67' }])
})

describe('who sees a value on some rows', () => {
  const codes = { dimensions: ['deals.id', 'deals.code'], order: { 'deals.id': 'asc' } }
  const shown = [
    { 'deals.id': '1', 'deals.code': 'a' },
    { 'deals.id': '3', 'deals.code': 'secret' },
    { 'deals.id': '4', 'deals.code': 'secret' },
  ]

  test.for([false, true])('sees it on those, and a total of all, where ungrouped is %s', async ungrouped => {
    const body = await answer({ ...codes, ungrouped, total: true })
    expect([rowsOf(body), body.total]).toEqual([shown, 3])
    const filters = [{ member: 'deals.code', operator: 'equals', values: ['c'] }]
    const none = await answer({ ...codes, ungrouped, total: true, filters })
    expect([rowsOf(none), none.total]).toEqual([[], 0])
  })

  test('does so in each range that is compared', async () => {
    const compareDateRange = [
      ['2024-01-01', '2024-01-31'],
      ['2024-02-01', '2024-02-29'],
    ]
    const query = {
      dimensions: ['deals.code'],
      measures: ['deals.revenue'],
      timeDimensions: [{ dimension: 'deals.signed', compareDateRange }],
    }
    const { results } = await answer(query, { queryType: 'multi' })
    expect(results).toMatchObject([
      { data: [{ 'deals.code': 'a', 'deals.revenue': '10' }] },
      { data: [{ 'deals.code': 'secret', 'deals.revenue': '57' }] },
    ])
  })

  test('does so in queries of several facts, whose filters see what is shown', async () => {
    const query = { measures: ['work.revenue', 'work.pages'], dimensions: ['work.name'], order: { 'work.name': 'asc' } }
    expect(await load(query)).toEqual([
      { 'work.name': 'Ada', 'work.revenue': '17', 'work.pages': '5' },
      { 'work.name': 'Bo', 'work.revenue': null, 'work.pages': '6' },
      { 'work.name': 'somebody', 'work.revenue': '50', 'work.pages': '7' },
    ])
    const named = (name: string) => ({
      ...query,
      filters: [{ member: 'work.name', operator: 'equals', values: [name] }],
    })
    expect(await load(named('Cy'))).toEqual([])
    expect(await load(named('Bo'))).toEqual([{ 'work.name': 'Bo', 'work.revenue': null, 'work.pages': '6' }])
  })
})
