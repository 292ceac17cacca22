import { DuckDBInstance } from '@duckdb/node-api'
import { compileQuery, type DialectName } from '@hedron/semantic'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyone, modelOf, planText, statementOf } from '../support/plan-text.ts'

let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => duckdb.closeSync())

interface Payment {
  readonly group?: string
  readonly amount: number | null
  /** Null: unknown. */
  readonly day: string | null
}

const modelWith = (payments: readonly Payment[]) => {
  const rows = payments.map(({ group = 'a', amount, day }, position) => {
    const date = day === null ? 'NULL' : `TIMESTAMP '${day} 17:00:00'`
    return `(${position}, '${group}', CAST(${amount} AS DOUBLE), ${date})`
  })
  return modelOf({
    'model/payments.yml': `cubes:
  - name: payments
    sql: ${JSON.stringify(`SELECT * FROM (VALUES ${rows.join(', ')}) AS v(id, fund, amount, d)`)}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: fund, sql: fund, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: d, sql: d, type: time }
    measures:
      - { name: total, sql: amount, type: sum }
      - { name: ratio, sql: "sum({CUBE}.amount) / 2", type: number }
`,
  })
}

/** What a statement gives where its source is of a dialect: as one statement of it, or its parts and the rest over them. */
async function ask(text: string, payments: readonly Payment[], dialect: DialectName = 'duckdb') {
  const model = modelWith(payments)
  const plan = await planText(text, { model, dialect })
  if (plan.kind !== 'post_processing') {
    const { sql, parameters, positions } = statementOf(plan)
    const rows = (await duckdb.runAndReadAll(sql, [...parameters])).getRows()
    return rows.map(row => positions.map(position => row[position]))
  }
  for (const part of plan.parts) {
    const { sql, parameters, columns } = compileQuery(model, part.query, everyone, () => 'duckdb')
    const names = part.columns.map(({ name }, position) => `"${columns[position]?.alias}" AS "${name}"`)
    await duckdb.run(`CREATE OR REPLACE TABLE "${part.name}" AS SELECT ${names.join(', ')} FROM (${sql})`, [
      ...parameters,
    ])
  }
  if (!plan.statement) throw new Error('a plan without a statement')
  return (await duckdb.runAndReadAll(plan.statement.sql, [...plan.statement.parameters])).getRows()
}

const rateOf = async (payments: readonly Payment[], dialect?: DialectName) => {
  const [row] = await ask('SELECT XIRR(amount, d) FROM payments', payments, dialect)
  return row?.[0]
}

const flows = (...pairs: readonly (readonly [amount: number | null, day: string | null])[]): Payment[] =>
  pairs.map(([amount, day]) => ({ amount, day }))

/** The example of Microsoft's page on XIRR, and that of DAX. */
const ofExcel = flows(
  [-10_000, '2008-01-01'],
  [2_750, '2008-03-01'],
  [4_250, '2008-10-30'],
  [3_250, '2009-02-15'],
  [2_750, '2009-04-01'],
)
const ofDax = flows(
  [-10_000, '2014-01-01'],
  [2_750, '2014-03-01'],
  [4_250, '2014-10-30'],
  [3_250, '2015-02-15'],
  [2_750, '2015-04-01'],
)

describe.each(['duckdb', 'postgres', 'mysql'] as const)('XIRR of payments in %s', dialect => {
  test.each([
    ['the example of Excel', ofExcel, 0.373362535],
    ['the example of DAX', ofDax, 0.3749],
    ['a year of 365 days', flows([-100, '2021-01-01'], [110, '2022-01-01']), 0.1],
    ['any order of rows', flows([110, '2022-01-01'], [-100, '2021-01-01']), 0.1],
    ['a loan', flows([100, '2021-01-01'], [-110, '2022-01-01']), 0.1],
    ['a loss, which a guess of 0.1 leads away from', flows([-100, '2013-01-01'], [20, '2014-01-01']), -0.8],
    ['almost all lost', flows([-1_000_000, '2013-01-01'], [1, '2014-01-01']), -0.999999],
    ['nothing won', flows([-100, '2013-01-01'], [100, '2014-01-01']), 0],
    ['double in a day', flows([-1, '2013-01-01'], [2, '2013-01-02']), 2 ** 365 - 1],
    ['half in a day', flows([-2, '2013-01-01'], [1, '2013-01-02']), -1],
    ['rows that pay nothing', [...ofExcel, ...flows([null, null], [0, null], [null, '1990-01-01'])], 0.373362535],
  ])('%s', async (_, payments, wanted) => {
    const found = Number(await rateOf(payments, dialect))
    expect(found / (wanted || 1)).toBeCloseTo(wanted === 0 ? 0 : 1, wanted === 0.3749 ? 3 : 8)
  })

  test('by groups, of the rows that a filter leaves, beside other aggregates', async () => {
    const payments = [...ofExcel, ...ofDax.map(payment => ({ ...payment, group: 'b' }))]
    const text = `SELECT fund, XIRR(amount, d), XIRR(amount, d) FILTER (WHERE id <> 1), COUNT(amount) FROM payments GROUP BY 1 ORDER BY 1`
    const [first, second] = await ask(text, payments, dialect)
    expect(first?.[0]).toBe('a')
    expect(Number(first?.[1])).toBeCloseTo(0.373362535, 8)
    expect(Number(first?.[2])).toBeCloseTo(Number(await rateOf(ofExcel.filter((_, id) => id !== 1))), 9)
    expect(Number(first?.[3])).toBe(5)
    expect(Number(second?.[1])).toBeCloseTo(0.37485859, 6)
  })

  test('over measures of a sub-query, and as a window', async () => {
    const inner = `(SELECT fund, date_trunc('day', d) AS day, MEASURE(total) AS paid FROM payments GROUP BY 1, 2) q`
    const [row] = await ask(`SELECT XIRR(paid, day) FROM ${inner}`, ofExcel, dialect)
    expect(Number(row?.[0])).toBeCloseTo(0.373362535, 8)
    const over = await ask(`SELECT day, XIRR(paid, day) OVER (PARTITION BY fund) FROM ${inner}`, ofExcel, dialect)
    expect(over.map(([, rate]) => Number(rate).toFixed(8))).toEqual(Array.from({ length: 5 }, () => '0.37336253'))
  })

  test('of no payments it is null', async () => {
    expect(await ask('SELECT XIRR(amount, d) FROM payments WHERE id > 9', ofExcel, dialect)).toEqual([[null]])
    expect(await rateOf(flows([null, '2013-01-01'], [0, '2014-01-01']), dialect)).toBe(null)
  })

  test.each([
    ['payments in one direction', flows([100, '2013-01-01'], [100, '2014-01-01'])],
    ['one payment', flows([-100, '2013-01-01'])],
    ['both directions on one day', flows([-100, '2013-01-01'], [110, '2013-01-01'])],
    ['a payment whose date is unknown', flows([-100, null], [110, '2013-01-01'], [-90, '2012-01-01'])],
  ])('no rate of %s: an error, or what the statement says instead', async (_, payments) => {
    await expect(rateOf(payments, dialect)).rejects.toThrow('XIRR finds no rate')
    const text = (instead: string) => `SELECT XIRR(amount, d, 0.1, ${instead}) FROM payments`
    expect(await ask(text('NULL'), payments, dialect)).toEqual([[null]])
    expect(await ask(text('-0.5'), payments, dialect)).toEqual([[-0.5]])
  })
})

test('of several rates XIRR gives the one near the guess', async () => {
  // (1 - 1.1 v) (1 - 1.5 v) of v = 1 / (1 + rate)
  const payments = flows([-1_000, '2021-01-01'], [2_600, '2022-01-01'], [-1_650, '2023-01-01'])
  const near = async (guess: string) =>
    Number((await ask(`SELECT XIRR(amount, d, ${guess}) FROM payments`, payments))[0]?.[0])
  expect(await near('0.05')).toBeCloseTo(0.1, 9)
  expect(await near('0.6')).toBeCloseTo(0.5, 9)
})

/** By halving alone. Its payments of one direction come before those of the other, so that one rate solves it. */
function bruteForce(payments: readonly { readonly amount: number; readonly days: number }[]): number {
  const sum = (x: number) => {
    const last = Math.max(...payments.map(({ days }) => days))
    return payments.reduce(
      (all, { amount, days }) => all + amount * Math.exp((x * (x < 0 ? last - days : -days)) / 365),
      0,
    )
  }
  let [low, high] = [-600, 600]
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    if (Math.sign(sum(middle)) === Math.sign(sum(low))) low = middle
    else high = middle
  }
  return Math.expm1((low + high) / 2)
}

test('XIRR solves what halving solves', async () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 }).map(cents => cents / 100)
  const side = fc.array(fc.tuple(amount, fc.integer({ min: 1, max: 2_000 })), { minLength: 1, maxLength: 5 })
  const series = fc.tuple(side, side, fc.boolean()).map(([paid, got, isLoan]) => {
    const first = paid.map(([cents, days]) => ({ amount: isLoan ? cents : -cents, days }))
    // Two months later, or cents that become thousands within days have a rate that no number holds.
    const second = got.map(([cents, days]) => ({ amount: isLoan ? -cents : cents, days: 2_060 + days }))
    return [...first, ...second]
  })
  await fc.assert(
    fc.asyncProperty(fc.array(series, { minLength: 1, maxLength: 20 }), async many => {
      const payments = many.flatMap((all, position) =>
        all.map(({ amount: paid, days }) => ({
          group: String.fromCharCode(65 + position),
          amount: paid,
          day: new Date(Date.UTC(2000, 0, 1 + days)).toISOString().slice(0, 10),
        })),
      )
      const found = await ask('SELECT fund, XIRR(amount, d) FROM payments GROUP BY 1 ORDER BY 1', payments)
      const wanted = many.map(bruteForce)
      found.forEach(([, rate], position) => {
        const right = wanted[position] ?? Number.NaN
        // What is solved for is the logarithm; of a rate of 1e57 its last digits are the first that the rate has wrong.
        const precision = 1e-9 * Math.max(1, Math.log1p(Math.max(0, right)))
        expect(Math.abs(Number(rate) - right)).toBeLessThan(precision * Math.max(1, Math.abs(right)))
      })
    }),
    { numRuns: 15 },
  )
})

test.each([
  ['SELECT XIRR(total, d) FROM payments', /XIRR of a measure/],
  ['SELECT XIRR(ratio, d) FROM payments', /XIRR of a measure/],
  ['SELECT XIRR(amount, fund) FROM payments', /does not take a value of type text/],
  ['SELECT XIRR(fund, d) FROM payments', /does not take a value of type text/],
  ['SELECT XIRR(amount) FROM payments', /takes 2 to 4 arguments/],
  ['SELECT XIRR(amount, d, amount) FROM payments', /guess or alternative of XIRR that is no constant/],
  ['SELECT XIRR(amount, d, 0.1, amount) FROM payments', /guess or alternative of XIRR that is no constant/],
  ['SELECT XIRR(amount, d, -1) FROM payments', /rates are above -1/],
])('%s is refused', async (text, message) => {
  await expect(ask(text, ofExcel)).rejects.toThrow(message)
})
