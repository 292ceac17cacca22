import { type LoadAnswer, load, type Row } from './data-client.ts'
import { WrongAnswer } from './refusal.ts'
import type { Source } from './source.ts'
import type { Target, World } from './world.ts'

/** A query of `/load` whose rows are known. */
export interface Question {
  readonly target: Target
  readonly body: object
  /** What `data` is; of several results, of one after the other. */
  readonly expected: readonly (readonly Row[])[]
  readonly total?: number
}

interface Asked {
  readonly query: object
  readonly more?: object
  /** What the same is in SQL; of each result. */
  readonly statements: readonly string[]
  readonly total?: string
}

const byMonth = (dateRange?: readonly string[]) => [
  { dimension: 'orders.placed', granularity: 'month', ...(dateRange ? { dateRange } : {}) },
]
const month = `to_char(date_trunc('month', placed), 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "orders.placed.month"`
const monthToo = month.replace('.month"', '"')

const ofSource: readonly Asked[] = [
  {
    query: {
      measures: ['orders.count', 'orders.revenue'],
      dimensions: ['orders.status'],
      order: { 'orders.status': 'asc' },
    },
    statements: [
      `SELECT status AS "orders.status", count(*) AS "orders.count", sum(amount) AS "orders.revenue" FROM orders GROUP BY 1 ORDER BY 1`,
    ],
  },
  {
    query: { measures: ['orders.largest'], dimensions: ['orders.city'], order: { 'orders.city': 'asc' } },
    statements: [`SELECT city AS "orders.city", max(amount) AS "orders.largest" FROM orders GROUP BY 1 ORDER BY 1`],
  },
  {
    query: { measures: ['orders.count'], timeDimensions: byMonth() },
    statements: [`SELECT ${month}, ${monthToo}, count(*) AS "orders.count" FROM orders GROUP BY 1, 2 ORDER BY 1`],
  },
  {
    query: { dimensions: ['orders.id'], order: { 'orders.id': 'asc' }, limit: 5, offset: 7, total: true },
    statements: ['SELECT id AS "orders.id" FROM orders ORDER BY id LIMIT 5 OFFSET 7'],
    total: 'SELECT count(*) FROM orders',
  },
]

const several: readonly Asked[] = [
  {
    query: {
      measures: ['orders.revenue'],
      timeDimensions: [
        {
          dimension: 'orders.placed',
          compareDateRange: [
            ['2024-01-01', '2024-01-31'],
            ['2024-02-01', '2024-02-29'],
          ],
        },
      ],
    },
    more: { queryType: 'multi' },
    statements: [
      ['2024-01-01', '2024-01-31'],
      ['2024-02-01', '2024-02-29'],
    ].map(
      ([from, to]) =>
        `SELECT '${from}T00:00:00.000 - ${to}T23:59:59.999' AS "compareDateRange", sum(amount) AS "orders.revenue"
          FROM orders WHERE placed >= '${from}' AND placed < date '${to}' + 1`,
    ),
  },
  {
    query: [
      { measures: ['orders.count'], timeDimensions: byMonth(['2024-01-01', '2024-04-30']) },
      { measures: ['orders.largest'], timeDimensions: byMonth(['2024-01-01', '2024-04-30']) },
    ],
    more: { queryType: 'multi' },
    statements: ['count(*) AS "orders.count"', 'max(amount) AS "orders.largest"'].map(
      value => `SELECT ${month}, ${monthToo}, ${month.replace('orders.placed', 'time')}, ${monthToo.replace('orders.placed', 'time')}, ${value}
        FROM orders WHERE placed < '2024-05-01' GROUP BY 1, 2, 3, 4 ORDER BY 1`,
    ),
  },
]

/** Of the demo; what is right was said by its own tests, so that it stays the same is checked here. */
const ofDemo: readonly object[] = [
  {
    measures: ['flight_facts.count'],
    dimensions: ['flight_facts.origin_state'],
    order: { 'flight_facts.origin_state': 'asc' },
  },
  {
    measures: ['flights.count', 'flights.longest_delay'],
    timeDimensions: [{ dimension: 'flights.departed_at', granularity: 'month' }],
  },
  { measures: ['flights.count'], filters: [{ member: 'flights.origin', operator: 'equals', values: ['SFO'] }] },
]

export interface Questions {
  readonly ofSource: readonly Question[]
  readonly several: readonly Question[]
  readonly ofDemo: readonly Question[]
}

/** Finds out what is right, by asking the source itself. */
export async function prepareQuestions({ source, shop, demo }: World): Promise<Questions> {
  const prepare = async (asked: Asked): Promise<Question> => ({
    target: shop,
    body: { query: asked.query, ...asked.more },
    expected: await Promise.all(asked.statements.map(async statement => (await source.ask(statement)).map(comparable))),
    ...(asked.total === undefined ? {} : { total: await one(source, asked.total) }),
  })
  const remember = async (query: object): Promise<Question> => {
    const { data } = await load(demo, { query, cache: 'no-cache' })
    if (data.length === 0) throw new WrongAnswer(`the demo has no rows for ${JSON.stringify(query)}`)
    return { target: demo, body: { query }, expected: [data.map(comparable)] }
  }
  return {
    ofSource: await Promise.all(ofSource.map(prepare)),
    several: await Promise.all(several.map(prepare)),
    ofDemo: await Promise.all(ofDemo.map(remember)),
  }
}

const one = async (source: Source, statement: string) =>
  Number(Object.values((await source.ask(statement))[0] ?? {})[0])

/** Asks one of the questions and compares. @throws {WrongAnswer} where the rows are others */
export async function askQuestion({ target, body, expected, total }: Question, more: object = {}): Promise<LoadAnswer> {
  const answer = await load(target, { ...body, ...more })
  const results = answer.results ?? [answer]
  const given = results.map(({ data }) => data.map(comparable))
  if (!isSame(given, expected)) throw new WrongAnswer(`${JSON.stringify(body)} gave ${difference(given, expected)}`)
  if (total !== undefined && Number(answer.total) !== total)
    throw new WrongAnswer(`total ${answer.total} instead of ${total}`)
  return answer
}

/** Rows as they can be compared: the same number is written in several ways. */
export const comparable = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .map(([name, cell]): [string, unknown] => [name, comparableCell(cell)])
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )

export const comparableCell = (cell: unknown): unknown =>
  typeof cell === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(cell) ? Number(cell) : cell

export const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

export const difference = (given: unknown, expected: unknown): string =>
  `${JSON.stringify(given).slice(0, 250)} instead of ${JSON.stringify(expected).slice(0, 250)}`
