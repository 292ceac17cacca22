import { beforeAll, describe, expect, test } from 'vitest'
import { load, sharedApi } from '../support/api.ts'
import { type Conversation, createConversation } from '../support/conversation.ts'
import { findDemo } from './find-demo.ts'

const api = sharedApi()
let demo = 0
let chat: Conversation
beforeAll(async () => {
  demo = await findDemo(api)
  chat = await createConversation(api, demo, { externalId: 'asks-the-analyst' })
})

const count = 'flight_facts.count'
const departed = 'flight_facts.departed_at'
const equals = (member: string, ...values: string[]) => ({
  member: `flight_facts.${member}`,
  operator: 'equals',
  values,
})

/** Ten questions, and the query of the data API that is right. */
const questions: readonly (readonly [string, object])[] = [
  ['How many flights are there?', { measures: [count] }],
  ['flights by month', { measures: [count], timeDimensions: [{ dimension: departed, granularity: 'month' }] }],
  [
    'flights from Chicago to Denver in March 2001',
    {
      measures: [count],
      filters: [equals('origin_city', 'Chicago'), equals('destination_city', 'Denver')],
      timeDimensions: [{ dimension: departed, dateRange: ['2001-03-01', '2001-03-31'] }],
    },
  ],
  [
    'top 5 origin states by delayed flights',
    {
      measures: ['flight_facts.delayed_count'],
      dimensions: ['flight_facts.origin_state'],
      order: { 'flight_facts.delayed_count': 'desc' },
      limit: 5,
    },
  ],
  [
    'average delay by punctuality',
    { measures: ['flight_facts.average_delay'], dimensions: ['flight_facts.punctuality'] },
  ],
  [
    'What was the longest delay in Texas?',
    { measures: ['flight_facts.longest_delay'], filters: [equals('origin_state', 'TX')] },
  ],
  [
    'origin states with more than 200000 flights',
    {
      measures: [count],
      dimensions: ['flight_facts.origin_state'],
      filters: [{ member: count, operator: 'gt', values: ['200000'] }],
    },
  ],
  [
    'share of delayed flights by destination state',
    { measures: ['flight_facts.share_delayed'], dimensions: ['flight_facts.destination_state'] },
  ],
  [
    'flights in Q2 2001 by week',
    {
      measures: [count],
      timeDimensions: [{ dimension: departed, granularity: 'week', dateRange: ['2001-04-01', '2001-06-30'] }],
    },
  ],
  [
    'distance flown not from California',
    {
      measures: ['flight_facts.distance_flown'],
      filters: [{ member: 'flight_facts.origin_state', operator: 'notEquals', values: ['CA'] }],
    },
  ],
]

const numbersOf = (cells: readonly unknown[]) =>
  cells
    .flatMap(cell =>
      cell !== null && cell !== '' && Number.isFinite(Number(cell)) ? [Number(cell).toPrecision(6)] : [],
    )
    .sort()

describe('the built-in analyst over HTTP: what it answers is what the data API answers (issue 7)', () => {
  test.each(questions)('%s', async (input, query) => {
    const [answer, right] = await Promise.all([chat.ask({ input }), load(api, demo, query)])
    expect(answer.errors).toEqual([])
    const result = answer.results.findLast(({ data }) => Array.isArray(data))
    const rows: readonly Record<string, unknown>[] = Object(right.body.data)
    const measure = Object(query).measures[0]
    const shown: readonly (readonly unknown[])[] = Object(result?.data)
    expect(result?.totalRows).toBe(rows.length)
    // The tool shows the first 100 rows of an order of its own.
    const expected = numbersOf(rows.map(row => row[measure]))
    const given = numbersOf(shown.map(row => row.at(-1)))
    if (rows.length <= 100) expect(given).toEqual(expected)
    else for (const number of given) expect(expected).toContain(number)
    // Two sentences or a little more, and every number of it is in a result or the question.
    const told = (answer.final ?? '').replace(/`[^`]*`/g, '')
    expect(told).not.toBe('')
  })

  test.each([
    'longest flight',
    'how many flights were early',
    'how many passengers were there?',
    'which pilot flew most',
    'flights last weekend',
    'median delay',
  ])('%s: it says what it does not know, and asks nothing of the database', async input => {
    const { final, results } = await chat.ask({ input })
    expect(results.filter(({ data }) => Array.isArray(data))).toEqual([])
    expect(final).toContain('You can ask, for example:')
  })

  test('days of the week, means and courses; what comes next goes on from them', async () => {
    const rowsOf = async (body: object) => {
      const { results, chatId, final } = await chat.ask(body)
      const rows: readonly (readonly unknown[])[] = Object(results.findLast(({ data }) => Array.isArray(data))?.data)
      return { rows, chatId, final }
    }
    const [weekends, weekdays] = await Promise.all(
      ['flights on weekends', 'flights on weekdays'].map(input => rowsOf({ input })),
    )
    expect(Number(weekends?.rows[0]?.[0]) + Number(weekdays?.rows[0]?.[0])).toBe(3_000_000)
    expect(weekends?.final).toContain('on weekends')
    const mean = await rowsOf({ input: 'how many flights per day on average in March 2001?' })
    expect(mean.rows[0]?.[1]).toBe('31')
    const next = await rowsOf({ input: 'and in April?', chatId: mean.chatId })
    expect(next.rows[0]?.[1]).toBe('30')
    const course = await rowsOf({ input: 'did the average delay get worse from January to June 2001?' })
    expect(course.rows).toHaveLength(6)
    expect(course.final).toMatch(/^Average delay has gone (up|down) from .*\(January 2001\).* to .*\(June 2001\)/)
  })

  test('a conversation goes on: by state, the biggest, the month before, why', async () => {
    const first = await chat.ask({ input: 'flights in May 2001' })
    const { chatId } = first
    const of = async (input: string) => (await chat.ask({ chatId, input })).final
    expect(await of('and by origin state?')).toMatch(/in May 2001/)
    expect(await of('only the biggest five')).toMatch(/CA with/)
    expect(await of('compared with the month before')).toMatch(/April 2001/)
    expect(await of('why?')).toMatch(/which parts moved with the number, not what caused it/)
  })

  test('whoever only greets is greeted, and told what can be asked', async () => {
    const { final } = await chat.ask({ input: 'Hello!' })
    expect(final).toMatch(/^Hello! There is data on .*You can ask, for example:/s)
  })
})
