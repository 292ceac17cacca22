import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

const api = sharedApi()
let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, shop))
})

describe('filters', () => {
  const count = async (query: Record<string, unknown>) => {
    const [row] = await data.rows({ measures: ['orders.count'], ...query })
    return Number(row?.['orders.count'])
  }
  const filter = (member: string, operator: string, ...values: readonly unknown[]) =>
    count({ filters: [{ member, operator, ...(values.length === 0 ? {} : { values }) }] })

  test.for([
    ['orders.status', 'equals', ['paid'], 3],
    ['orders.status', 'in', ['paid', 'new'], 5],
    ['orders.status', 'equals', [null], 1],
    ['orders.status', 'equals', ['new', null], 3],
    ['orders.status', 'notEquals', ['paid'], 3],
    ['orders.status', 'notEquals', ['paid', null], 2],
    ['orders.status', 'notIn', ['paid', 'new'], 1],
    ['orders.status', 'set', [], 5],
    ['orders.status', 'notSet', [], 1],
    ['orders.note', 'contains', ['FIRST'], 1],
    ['orders.note', 'contains', ['%'], 1],
    ['orders.note', 'contains', ['a_b'], 1],
    ['orders.note', 'contains', ['first', 'ünï'], 2],
    ['orders.note', 'notContains', ['first'], 5],
    ['orders.note', 'startsWith', ['A'], 2],
    ['orders.note', 'notStartsWith', ['a'], 4],
    ['orders.note', 'endsWith', ['b'], 2],
    ['orders.note', 'notEndsWith', ['b'], 4],
    ['orders.id', 'gt', [4], 2],
    ['orders.id', 'gte', ['4'], 3],
    ['orders.id', 'lt', [2], 1],
    ['orders.id', 'lte', [2], 2],
    ['orders.serial', 'equals', ['9007199254740993'], 1],
    ['orders.serial', 'equals', ['9007199254740992'], 0],
    ['orders.is_gift', 'equals', [true], 2],
    ['orders.is_gift', 'equals', ['false'], 3],
    ['customers.name', 'equals', ["O'Neil"], 2],
    ['customers.city', 'notSet', [], 2],
    ['orders.created_at', 'inDateRange', ['2024-01-01', '2024-01-01'], 2],
    ['orders.created_at', 'inDateRange', ['2024-01-01'], 2],
    ['orders.created_at', 'notInDateRange', ['2024-01-01', '2024-01-31'], 3],
    ['orders.created_at', 'onTheDate', ['2024-02-29'], 1],
    ['orders.created_at', 'beforeDate', ['2024-01-02'], 2],
    ['orders.created_at', 'beforeOrOnDate', ['2024-01-02'], 3],
    ['orders.created_at', 'afterDate', ['2024-02-29'], 2],
    ['orders.created_at', 'afterOrOnDate', ['2024-02-29'], 3],
    ['orders.created_at', 'inDateRange', ['2024-01-02T12:00:00.123', '2024-01-02T12:00:00.123'], 1],
    ['orders.created_at', 'inDateRange', ['2024-01-02T12:00:00.124', '2024-01-02T23:00:00'], 0],
  ] as const)('%s %s %j is %i', async ([member, operator, values, expected]) => {
    expect(await filter(member, operator, ...values)).toBe(expected)
  })

  test('filters together are all of them; groups nest', async () => {
    const paid = { member: 'orders.status', operator: 'equals', values: ['paid'] }
    const large = { member: 'orders.cost', operator: 'gt', values: ['20'] }
    const late = { member: 'orders.created_at', operator: 'afterDate', values: ['2024-03-01'] }
    expect(await count({ filters: [paid, large] })).toBe(2)
    expect(await count({ filters: [{ or: [paid, late] }] })).toBe(5)
    expect(await count({ filters: [{ or: [{ and: [paid, large] }, late] }] })).toBe(4)
    expect(await count({ filters: [{ and: [{ or: [paid, late] }, large] }] })).toBe(3)
  })

  test('a filter on a measure holds for groups', async () => {
    const rows = await data.rows({
      measures: ['orders.count', 'orders.total'],
      dimensions: ['orders.status'],
      filters: [
        {
          or: [
            { member: 'orders.count', operator: 'gte', values: ['3'] },
            { member: 'orders.total', operator: 'equals', values: ['100'] },
          ],
        },
      ],
    })
    expect(rows.map(row => row['orders.status'])).toEqual(['paid', null])
  })
})
