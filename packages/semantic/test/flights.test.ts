import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { annotateQuery, describeModel, normalizeQuery } from '../src/index.ts'
import { type Database, openDatabase } from './support/database.ts'
import { compileFor, everyone, modelOf, options } from './support/model.ts'

/** The demo's model over a small made table of the same columns as the real one. */
const model = modelOf(readFileSync(new URL('fixtures/flights.yml', import.meta.url), 'utf8'))
let database: Database
beforeAll(async () => {
  database = await openDatabase(
    `create table airports as select * from (values
      ('AAA', 'Alpha', 'Aston', 'CA', 34.5, -118.5), ('BBB', 'Beta', 'Burg', 'NY', 40.5, -73.5),
      ('CCC', 'Gamma', 'Caston', 'CA', 37.5, -122.5), ('DDD', 'Delta', 'Dorf', 'TX', 29.5, -95.5)
    ) t(iata, name, city, state, latitude, longitude)`,
    `create table flights as select
      timestamp '2001-01-01' + to_minutes((i * 37)::int) as date,
      (i * 7919) % 61 - 20 as delay, (100 + (i * 3571) % 2000)::bigint as distance,
      ['AAA', 'BBB', 'CCC', 'ZZZ'][1 + i % 4] as origin, ['BBB', 'CCC', 'AAA'][1 + i % 3] as destination
      from range(5000) t(i)`,
  )
})
afterAll(() => database.close())

async function same(query: unknown, reference: string): Promise<void> {
  const rows = await database.query(compileFor(model, query))
  expect(rows.length).toBeGreaterThan(0)
  expect(rows).toEqual(await database.query({ sql: reference, parameters: [] }))
}

test('the whole in four numbers', () =>
  same(
    { measures: ['flights.count', 'flights.average_delay', 'flights.share_delayed', 'flights.distance_flown'] },
    'select count(*), avg(delay), 1.0 * count(*) filter (delay > 15) / count(*), sum(distance) from flights',
  ))

test('both ends of a flight, through the view', () =>
  same(
    {
      measures: ['flight_facts.count', 'flight_facts.share_delayed'],
      dimensions: ['flight_facts.origin_state', 'flight_facts.destination_city', 'flight_facts.haul'],
      filters: [{ member: 'flight_facts.destination_state', operator: 'equals', values: ['CA'] }],
      order: [
        ['flight_facts.origin_state', 'asc'],
        ['flight_facts.destination_city', 'asc'],
        ['flight_facts.haul', 'asc'],
      ],
    },
    `select o.state, d.city, case when distance < 500 then 'short' when distance < 1500 then 'medium' else 'long' end,
      count(*), 1.0 * count(*) filter (delay > 15) / count(*)
    from flights f left join airports o on o.iata = f.origin join airports d on d.iata = f.destination
    where d.state = 'CA' group by 1, 2, 3 order by 1 nulls last, 2, 3`,
  ))

test('delayed flights by day in New York', () =>
  same(
    {
      measures: ['flight_facts.count'],
      segments: ['flight_facts.delayed'],
      timeDimensions: [
        { dimension: 'flight_facts.departed_at', granularity: 'day', dateRange: ['2001-03-30', '2001-04-03'] },
      ],
      timezone: 'America/New_York',
    },
    `select date_trunc('day', date - interval (case when date < '2001-04-01 07:00' then 5 else 4 end) hour) as d, count(*)
    from flights where delay > 15 and d between '2001-03-30' and '2001-04-03' group by 1 order by 1`,
  ))

test('airports are counted once, however many flights leave them', () =>
  same(
    {
      measures: ['origin_airports.count', 'flights.count'],
      dimensions: ['flights.haul'],
      order: { 'flights.haul': 'asc' },
    },
    `select case when distance < 500 then 'short' when distance < 1500 then 'medium' else 'long' end,
      count(distinct o.iata), count(*) from flights f left join airports o on o.iata = f.origin group by 1 order by 1`,
  ))

test('the total counts all groups', async () => {
  const { total } = compileFor(model, { dimensions: ['flight_facts.route'], total: true, limit: 2, offset: 1 })
  expect(await database.query(total ?? { sql: '', parameters: [] })).toEqual([['12']])
})

test('what clients are told about it', async () => {
  const golden = (name: string) => new URL(`fixtures/flights.${name}.json.txt`, import.meta.url).pathname
  const meta = describeModel(model, everyone)
  await expect(`${JSON.stringify(meta, null, 2)}\n`).toMatchFileSnapshot(golden('meta'))
  const query = normalizeQuery(
    model,
    {
      measures: ['flight_facts.count', 'flights.average_delay'],
      dimensions: ['flight_facts.destination_state'],
      segments: ['flight_facts.delayed'],
      timeDimensions: [{ dimension: 'flight_facts.departed_at', granularity: 'half_month' }],
    },
    options,
  )
  await expect(`${JSON.stringify(annotateQuery(model, query, everyone), null, 2)}\n`).toMatchFileSnapshot(
    golden('annotation'),
  )
})

test('a model is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(model))).toEqual(model)
})

test('hidden members are described on demand only', () => {
  const names = (includeHidden: boolean) =>
    describeModel(model, everyone, { includeHidden }).flatMap(({ dimensions }) => dimensions.map(({ name }) => name))
  expect(names(false)).not.toContain('flights.distance')
  expect(names(true)).toContain('flights.distance')
})
