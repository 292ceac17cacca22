import fc from 'fast-check'
import { expect } from 'vitest'
import { type DataClient, rowsOf } from '../data-api/data-client.ts'
import { signHmac } from '../data-api/tokens.ts'

/** Of deployments whose callers are these. */
export const secret = 'a-secret-of-the-tests-that-is-long-enough'

/** Who asks: with rules that a rollup can keep, with one that it can't, with a mask, with none. */
const callers = ['all', 'berlin', 'paid', 'early', 'masked', 'none', 'stranger'] as const
const tokenOf = (group: string) =>
  signHmac({ cubeCloud: { groups: [group], userAttributes: { city: 'Berlin' } } }, secret)

export const policies = `    access_policy:
      - { group: all }
      - group: berlin
        row_level: { filters: [{ member: city, operator: equals, values: ["{ userAttributes.city }"] }] }
      - group: paid
        row_level: { filters: [{ member: status, operator: notEquals, values: [lost] }] }
      - group: early
        row_level: { filters: [{ member: at, operator: beforeDate, values: ['2024-06-15'] }] }
      - group: masked
        member_level: { includes: [count, revenue, largest, share, cities, city, at, id] }
        member_masking: { includes: [status] }
      - group: none
        row_level: { filters: [{ member: city, operator: equals, values: [Nowhere] }] }`

const query = fc.record({
  measures: fc.uniqueArray(fc.constantFrom('count', 'revenue', 'largest', 'share', 'cities'), {
    minLength: 1,
    maxLength: 3,
  }),
  dimensions: fc.uniqueArray(fc.constantFrom('status', 'city'), { maxLength: 2 }),
  granularity: fc.option(fc.constantFrom('day', 'month', 'quarter', 'year', 'hour')),
  range: fc.option(
    fc.constantFrom(['2024-01-01', '2024-03-31'], ['2024-02-10', '2024-08-20'], ['2030-01-01', '2030-12-31']),
  ),
  filter: fc.option(
    fc.constantFrom(
      { member: 'orders.city', operator: 'equals', values: ['Oslo', 'Rome'] },
      { member: 'orders.status', operator: 'notEquals', values: ['paid'] },
      { member: 'orders.count', operator: 'gt', values: ['3'] },
      { member: 'orders.at', operator: 'notSet' },
    ),
  ),
  total: fc.boolean(),
  limit: fc.option(fc.constantFrom(3, 1000)),
})

function questionOf({
  measures,
  dimensions,
  granularity,
  range,
  filter,
  total,
  limit,
}: typeof query extends fc.Arbitrary<infer T> ? T : never) {
  const time = {
    dimension: 'orders.at',
    ...(granularity ? { granularity } : {}),
    ...(range ? { dateRange: range } : {}),
  }
  return {
    measures: measures.map(name => `orders.${name}`),
    dimensions: dimensions.map(name => `orders.${name}`),
    ...(granularity || range ? { timeDimensions: [time] } : {}),
    ...(filter ? { filters: [filter] } : {}),
    total,
    ...(limit === null ? {} : { limit }),
  }
}

const inOrder = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).toSorted()

const tokens = new Map(callers.map(caller => [caller, tokenOf(caller)]))
export const authorizationOf = (caller: (typeof callers)[number]) => ({ authorization: tokens.get(caller) ?? '' })

/**
 * Asks many questions with the rights of many of a deployment that has rollups and of one that has none, and expects the same rows.
 *
 * @param seen counts who was answered from what: `<caller> <external>`
 * @param timezones in which they ask
 */
export async function compareAnswers(
  { kept, plain }: { readonly kept: DataClient; readonly plain: DataClient },
  seen: Map<string, number>,
  timezones: readonly string[] = ['UTC'],
) {
  const zone = fc.constantFrom(...timezones)
  await fc.assert(
    fc.asyncProperty(query.map(questionOf), fc.constantFrom(...callers), zone, async (asked, caller, timezone) => {
      const question = { ...asked, timezone }
      const [answer, source] = [
        await kept.load(question, { cache: 'must-revalidate' }, authorizationOf(caller)),
        await plain.load(question, { cache: 'no-cache' }, authorizationOf(caller)),
      ]
      expect([answer.status, answer.body.error]).toEqual([source.status, source.body.error])
      if (source.status !== 200) return
      const way = `${caller} ${String(answer.body.external)}`
      seen.set(way, (seen.get(way) ?? 0) + 1)
      const [rows, expected] = [rowsOf(answer.body), rowsOf(source.body)]
      expect(answer.body.total).toEqual(source.body.total)
      // Where a limit cuts groups that tie, databases choose.
      if (question.limit === 3) expect(rows).toHaveLength(expected.length)
      else expect(inOrder(rows)).toEqual(inOrder(expected))
    }),
    { numRuns: Number(process.env.HEDRON_PROPERTY_RUNS ?? 60) },
  )
}
