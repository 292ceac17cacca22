import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { askSql, sqlRows } from '../cubesql.ts'
import { comparableCell, difference, isSame } from '../questions.ts'
import { Refusal, WrongAnswer } from '../refusal.ts'
import { bigCount, orderCount } from '../source.ts'
import type { Target, World } from '../world.ts'

const factCount = 1_000_000
/** Statements whose rows are known by how the data were made. */
const ofStatus = (status: number) => Math.floor((orderCount - status) / 3) + (status === 0 ? 0 : 1)
export const statusCounts = [
  ['lost', ofStatus(2)],
  ['new', ofStatus(0)],
  ['paid', ofStatus(1)],
] as const
const statements: readonly (readonly [query: string, rows: unknown])[] = [
  ['SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 1', statusCounts],
  [
    'SELECT status, n, SUM(n) OVER () AS all_orders FROM (SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1) AS o ORDER BY 1',
    statusCounts.map(([status, count]) => [status, count, orderCount]),
  ],
  ['SELECT kind, COUNT(*) FROM facts WHERE kind = 3 GROUP BY 1', [[3, Math.ceil((factCount - 3) / 7)]]],
]

/** `cubesql`: small and streamed, read to the end, read slowly, left in the middle, and not read at all. */
export function createSqlClients({ shop, calm }: World): readonly Client[] {
  let turn = 0
  return [
    {
      name: 'cubesql, small',
      count: 2,
      pause: 60,
      async once() {
        const [query, expected] = statements[turn++ % statements.length] ?? ['', []]
        const rows = (await sqlRows(shop, query, turn % 2 === 0 ? { cache: 'no-cache' } : {})).map(row =>
          row.map(comparableCell),
        )
        if (!isSame(rows, expected)) throw new WrongAnswer(`${query} gave ${difference(rows, expected)}`)
      },
    },
    {
      name: `cubesql, ${bigCount} rows of the source`,
      count: 1,
      pause: 500,
      once: () => readAll(shop, 'SELECT id, label FROM big', { count: bigCount, sum: (bigCount * (bigCount + 1)) / 2 }),
    },
    {
      name: 'cubesql, a million rows',
      count: 1,
      pause: 4_000,
      once: () =>
        readAll(shop, 'SELECT id, label FROM facts', { count: factCount, sum: (factCount * (factCount - 1)) / 2 }),
    },
    {
      name: 'cubesql, read slowly',
      count: 1,
      pause: 500,
      once: () =>
        readAll(shop, 'SELECT id, label FROM big', { count: bigCount, sum: (bigCount * (bigCount + 1)) / 2 }, () =>
          sleep(50),
        ),
    },
    {
      name: 'cubesql, left in the middle',
      count: 2,
      pause: 300,
      async once() {
        const query = turn++ % 2 === 0 ? 'SELECT id, label FROM big' : 'SELECT id, label FROM facts'
        let portions = Math.floor(Math.random() * 20)
        for await (const _ of askSql(shop, query)) if (portions-- <= 0) break
      },
    },
    { name: 'cubesql, not read for 40 s', count: 1, pause: 10_000, once: () => readLate(calm) },
  ]
}

/** Reads a table of numbered lines and checks that each came once. */
async function readAll(
  shop: Target,
  query: string,
  expected: { readonly count: number; readonly sum: number },
  afterPortion: () => Promise<unknown> = async () => {},
): Promise<void> {
  let [count, sum] = [0, 0]
  for await (const rows of askSql(shop, query)) {
    for (const [id, label] of rows) {
      if (label !== `a line of text, number ${id}`) throw new WrongAnswer(`the label of ${id} is ${label}`)
      sum += Number(id)
    }
    count += rows.length
    await afterPortion()
  }
  if (count !== expected.count || sum !== expected.sum) {
    throw new WrongAnswer(`${count} rows that add up to ${sum}, instead of ${expected.count} and ${expected.sum}`)
  }
}

/**
 * Reads nothing for longer than the server waits for a reader, of what nobody changes, as a change of variables would end it. It may have
 * been cut off, but must not have been told that all is there.
 */
async function readLate(calm: Target): Promise<void> {
  let count = 0
  try {
    for await (const rows of askSql(calm, 'SELECT id, label FROM facts')) {
      if (count === 0) await sleep(40_000)
      count += rows.length
    }
  } catch (error) {
    const isCutOff = error instanceof TypeError && /terminated|fetch failed/.test(error.message)
    const isTold = error instanceof Refusal && /not read|reader|read/.test(error.message)
    if (isCutOff || isTold) return
    throw error
  }
  if (count !== factCount) throw new WrongAnswer(`${count} rows without an error, read late`)
}
