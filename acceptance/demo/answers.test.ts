import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load, sharedApi } from '../support/api.ts'
import { cases } from './cases.ts'
import { findDemo } from './find-demo.ts'
import { type FlightsFile, openFlightsFile } from './flights-file.ts'

const api = sharedApi()
let demo = 0
let files: FlightsFile
beforeAll(async () => {
  demo = await findDemo(api)
  files = await openFlightsFile()
})
afterAll(() => files?.close())

/** A number with as many digits as both sides can be expected to share. */
function comparable(cell: unknown): unknown {
  if (cell === null || typeof cell === 'boolean' || cell === '') return cell
  const number = Number(cell)
  if (Number.isNaN(number)) return cell
  return Number.isSafeInteger(number) ? number : Number(number.toPrecision(12))
}

describe('the demo answers as its files do', () => {
  test.for(cases)('$name', async ({ name, query, columns, sql }) => {
    const [answer, expected] = await Promise.all([load(api, demo, query), files.rows(sql)])
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    const rows: Record<string, unknown>[] = Object(answer.body.data)
    const actual = rows.map(row => columns.map(column => comparable(row[column])))
    expect(actual).toEqual(expected.map(row => row.map(comparable)))
    expect(actual.length > 0).toBe(name !== 'nothing')
  })

  test('the total is of all rows, whatever the page', async () => {
    const query = {
      measures: ['flights.count'],
      dimensions: ['flights.origin', 'flights.destination'],
      limit: 3,
      offset: 5,
      total: true,
    }
    const { body } = await load(api, demo, query)
    const [[total] = []] = await files.rows('SELECT count(DISTINCT (origin, destination)) FROM flights')
    expect([Object(body.data).length, body.total]).toEqual([3, Number(total)])
  })

  test('compared months stand side by side', async () => {
    const timeDimensions = [
      {
        dimension: 'flights.departed_at',
        compareDateRange: [
          ['2001-01-01', '2001-01-31'],
          ['2001-02-01', '2001-02-28'],
        ],
      },
    ]
    const { body } = await load(
      api,
      demo,
      { measures: ['flights.count'], timeDimensions },
      { more: { queryType: 'multi' } },
    )
    const expected = await files.rows(
      "SELECT count(*) FROM flights WHERE date < '2001-03-01' GROUP BY month(date) ORDER BY month(date)",
    )
    const counts = Object(body.results).map(({ data }: { data: [Record<string, string>] }) => [
      data[0]['flights.count'],
    ])
    expect(counts).toEqual(expected)
  })
})

describe('the demo itself', () => {
  test('shows its members, with titles and formats', async () => {
    const { body: token } = await api.post(`/api/v1/deployments/${demo}/token`)
    const { body } = await api.request('GET', `/data/${demo}/cubejs-api/v1/meta`, undefined, {
      authorization: String(token.cubeApiToken),
    })
    const names = Object(body.cubes).map(({ name, type }: { name: string; type: string }) => `${type} ${name}`)
    expect(names.sort()).toEqual([
      'cube destination_airports',
      'cube flights',
      'cube origin_airports',
      'view flight_facts',
    ])
    expect(JSON.stringify(body)).toContain('"title":"Flights Delay in minutes"')
  })
})
