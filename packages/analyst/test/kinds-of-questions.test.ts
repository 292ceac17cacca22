import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyse, type Question, tell, tellProblem, vocabularyOf, writeStatement } from '../src/index.ts'
import { type Engine, openEngine } from './support/engine.ts'

/** Trips of twenty days from 2024-12-20 on, one a day; their fares are 1 to 20, and 3 to 22 minutes long. */
const content = `cubes:
  - name: trips
    sql: >
      SELECT i AS id, TIMESTAMP '2024-12-19 10:00:00' + INTERVAL (i) DAY AS started_at, i AS fare, i + 2 AS minutes,
      (CASE WHEN i % 2 = 0 THEN 'Oslo' ELSE 'Rome' END) AS city, (CASE WHEN i % 5 = 0 THEN 'tram' ELSE 'bus' END) AS vehicle
      FROM range(1, 21) AS r(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: started_at, sql: started_at, type: time }
      - { name: city, sql: city, type: string }
      - { name: vehicle, sql: vehicle, type: string }
      - { name: fare, sql: fare, type: number, format: currency }
      - { name: duration, sql: minutes, type: number, title: Duration in minutes }
    measures:
      - { name: count, type: count, title: Trips }
      - { name: income, sql: fare, type: sum, format: currency }
      - { name: average_duration, sql: minutes, type: avg, title: Average duration in minutes }
  - name: members
    sql: SELECT i AS id, TIMESTAMP '2022-01-01 10:00:00' + INTERVAL (i * 30) DAY AS joined_at FROM range(0, 20) AS r(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: joined_at, sql: joined_at, type: time }
    measures: [{ name: count, type: count, title: Members }]
  - name: clients
    sql: SELECT i AS id, TIMESTAMP '2022-01-01' + INTERVAL (i * 30) DAY AS joined_at, NULL::TIMESTAMP AS left_at FROM range(0, 20) AS r(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: joined_at, sql: joined_at, type: time }
      - { name: left_at, sql: left_at, type: time }
    measures: [{ name: count, type: count, title: Clients }]
`
const now = new Date('2025-01-08T12:00:00Z')

let engine: Engine
beforeAll(async () => {
  engine = await openEngine({ files: [{ path: 'model/trips.yml', content }], now })
})
afterAll(() => engine.close())

async function ask(text: string, before: Question | null = null) {
  const vocabulary = vocabularyOf(engine.model)
  const reading = await analyse(text, {
    model: engine.model,
    now,
    timeZone: 'UTC',
    preferred: null,
    before,
    async lookUp(sql, mostRows) {
      const { columns, rows } = await engine.runSql(sql)
      return { columns, rows: rows.slice(0, mostRows), complete: rows.length <= mostRows }
    },
  })
  const outcome = reading?.outcome
  if (outcome?.kind !== 'question') {
    const needs = { vocabulary, source: reading?.source ?? null, today: '2025-01-08', preferred: null }
    return { said: outcome?.kind === 'problem' ? tellProblem(outcome.problem, needs) : '', question: null, rows: [] }
  }
  const { question, notes } = outcome
  const { sql, columns } = writeStatement(question, vocabulary)
  const { rows } = await engine.runSql(sql)
  return { said: tell(question, vocabulary, { columns, rows, totalRows: rows.length }, notes), question, rows }
}
const firstRow = async (text: string, before: Question | null = null) => (await ask(text, before)).rows[0]

describe('days of the week', () => {
  test.for([
    ['trips on weekends', '6'],
    ['weekend trips', '6'],
    ['trips on weekdays', '14'],
    ['trips except on weekends', '14'],
    ['trips on Mondays', '3'],
    ['trips on Mondays and Tuesdays in December', '4'],
  ])('%s', async ([text = '', count]) => {
    expect(await firstRow(text)).toEqual([count])
  })

  test('are told, and stay for what comes next', async () => {
    const { said, question } = await ask('income on weekends by city')
    expect(said).toContain('on weekends')
    expect((await ask('by vehicle', question)).said).toContain('on weekends')
  })

  test('weekends stand beside weekdays', async () => {
    expect((await ask('trips on weekends vs weekdays')).rows).toEqual([
      ['weekday', '14'],
      ['weekend', '6'],
    ])
  })

  test.for([
    'trips last weekend',
    'trips this weekend',
    'trips by weekend',
    'which weekend had the most trips',
    'trips on Monday',
  ])('%s: one of them is meant, which is not known', async text => {
    expect((await ask(text)).question).toBeNull()
  })
})

describe('how something went on', () => {
  test.for([
    'did income get worse?',
    'is income going up or down?',
    'has income improved?',
    'is income rising?',
    'is income growing?',
    'has income increased?',
    'is income up or down?',
    'is the trend of income upward?',
    'how did income develop?',
  ])('%s shows its course by periods that suit the data, and says its ends without the day of today', async text => {
    const { said, rows } = await ask(text)
    expect(rows).toHaveLength(20)
    expect(said).toMatch(/^Income has gone up from \*\*\$1 \(20 December 2024\)\*\* to \*\*\$19 \(7 January 2025\)\*\*/)
    expect(said).toContain('Of 8 January 2025 the data has only a part, which is left out of this.')
  })

  test('from the first period that is whole in the data to the last', async () => {
    const { said } = await ask('did income get worse per week?')
    expect(said).toMatch(
      /^Income has gone up from \*\*\$49 \(the week of 23 December 2024\)\*\* to \*\*\$98 \(the week of 30 December 2024\)\*\*/,
    )
    expect(said).toContain('Of the week of 16 December 2024 and the week of 6 January 2025 the data has only a part')
  })

  test('growth by weeks shows each step, and says the ends', async () => {
    const { said, rows } = await ask('growth of income by week')
    expect(rows[1]).toEqual([expect.stringContaining('2024-12-23'), '49', '43'])
    expect(said).toContain('has gone up from **$49')
  })

  test('between two ends by what they are', async () => {
    const { rows } = await ask('did income go up from 2024 to 2025?')
    expect(rows.map(([, value]) => value)).toEqual(['78', '132'])
  })

  test.for(['which city got better income?', 'top 3 cities whose income improved', 'trips that went up in income'])(
    '%s: not which',
    async text => {
      expect((await ask(text)).question).toBeNull()
    },
  )
})

describe('how many there are, of what stays', () => {
  test.for(['has the number of members gone up?', 'how many members do we have over time?'])(
    '%s counts all until the end of each period',
    async text => {
      const { said, rows, question } = await ask(text)
      expect(question?.running).toBe(true)
      expect(rows.at(-1)?.[1]).toBe('20')
      expect(said).toMatch(/^Members have gone up from \*\*2 \(January 2022\)\*\* to/)
      expect(said).toContain('Counted are all Members there were by the end of each period')
    },
  )

  test('as another chart they stay so; of one year it is not known', async () => {
    const { question } = await ask('has the number of members gone up?')
    const drawn = await ask('as an area chart', question)
    expect([drawn.question?.running, drawn.rows.at(-1)?.[1]]).toEqual([true, '20'])
    expect((await ask('in 2022', question)).question).toBeNull()
  })

  test('members by month are those of each month', async () => {
    expect((await ask('members by month')).question?.running).toBe(false)
  })

  test.for(['has the number of clients gone up?', 'has the number of members gone up since June 2022?'])(
    '%s: some may have left, or came before: not said',
    async text => {
      const { said, question } = await ask(text)
      expect(question).toBeNull()
      expect(said).toContain('not how many there were')
    },
  )

  test('are we growing? asks back what', async () => {
    expect((await ask('are we growing?')).said).toContain('I do not see what is to have gone up or down')
  })
})

describe('means over periods and groups', () => {
  test.for([
    ['how many trips per day on average?', '1', '20'],
    ['average number of trips per day', '1', '20'],
    ['income a day on average on weekends', '9.5', '6'],
    ['income per city on average', '105', '2'],
    ['how much income does each vehicle make on average in December', '39', '2'],
  ])('%s', async ([text = '', mean, over]) => {
    const row = (await firstRow(text)) ?? []
    expect([String(Number(row[0])), row[1]]).toEqual([mean, over])
  })

  test('of an average, of nothing, over nothing: not made', async () => {
    expect((await ask('trips on average')).said).toContain('I do not see over what to take the average')
    expect((await ask('trips per day on average compared with December')).question).toBeNull()
    expect((await ask('which city has the most income per vehicle on average?')).question).toBeNull()
    for (const text of [
      'trips per city on average by month',
      'trips per city per day on average',
      'trips on average by month',
    ])
      expect((await ask(text)).said).toContain('I do not see over what to take the average')
  })

  test('another period can be asked next, another measure as a whole question', async () => {
    const { question } = await ask('trips per day on average')
    expect(await firstRow('and in December?', question)).toEqual(['1', '12'])
    expect((await ask('why?', question)).question).toBeNull()
    expect((await ask('by city', question)).said).toContain('Ask that as a whole question')
  })
})

describe('rows of their own', () => {
  const numbers = async (text: string) => (await ask(text)).rows.map(row => row.at(-1))

  test.for([
    ['the 3 most expensive trips', ['20', '19', '18']],
    ['cheapest trip', ['1']],
    ['the two longest trips in Rome', ['21', '19']],
    ['the 2 largest trips by fare on weekends', ['17', '16']],
    ['shortest trip with a tram', ['7']],
  ] as const)('%s', async ([text, wanted]) => {
    expect((await numbers(text)).map(String)).toEqual(wanted)
  })

  test('say what they are known by', async () => {
    expect((await ask('cheapest trip')).said).toContain('has the lowest fare: $1.')
  })

  test.for([
    'the largest trips',
    'biggest fare',
    'the most expensive city',
    'longest trips per city',
    'the cheapest trips compared with December',
  ])('%s: which number, or what of them, is not known', async text => {
    expect((await ask(text)).question).toBeNull()
  })
})

describe('what is left out', () => {
  test('every one but some: each of the others, or all of them', async () => {
    expect((await ask('income for every city but Rome')).said).toContain('each of the others by itself')
    expect(await firstRow('income of everything but bus')).toEqual(['50'])
  })

  test('those of which nothing was asked before', async () => {
    expect((await ask('how many of those are in Rome?')).said).toContain('“those”')
  })
})
