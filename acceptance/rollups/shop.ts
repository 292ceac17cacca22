import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One order as its source has it. */
export interface Order {
  readonly id: number
  readonly status: string
  readonly city: string
  readonly amount: number | null
  /** Null: nobody wrote down when it was. */
  readonly at: string | null
}

export const orders: readonly Order[] = Array.from({ length: 240 }, (_, position) => ({
  id: position + 1,
  status: ['new', 'paid', 'lost'][position % 3] ?? 'new',
  city: ['Berlin', 'Paris', 'Oslo', 'Rome'][position % 4] ?? 'Berlin',
  amount: position % 7 === 0 ? null : position + 0.25,
  at:
    position % 50 === 49
      ? null
      : new Date(Date.UTC(2024, position % 12, 1 + (position % 28), position % 24)).toISOString(),
}))

/** Puts orders where the deployment's own database reads them, all at once. */
export async function writeOrders(dataDirectory: string, deploymentId: number, rows: readonly Order[]): Promise<void> {
  const folder = join(dataDirectory, 'deployments', String(deploymentId), 'data')
  await mkdir(folder, { recursive: true })
  const lines = rows.map(({ id, status, city, amount, at }) =>
    [id, status, city, amount ?? '', at?.slice(0, 19) ?? ''].join(','),
  )
  await writeFile(join(folder, 'orders.csv.new'), `id,status,city,amount,placed\n${lines.join('\n')}\n`)
  await rename(join(folder, 'orders.csv.new'), join(folder, 'orders.csv'))
}

/** The shop's model with these pre-aggregations. */
export const shopWith = (preAggregations: string, more = ''): Readonly<Record<string, string>> => ({
  'model/cubes/orders.yml': `cubes:
  - name: orders
    sql: >
      SELECT CAST(id AS INTEGER) AS id, status, city, CAST(amount AS DECIMAL(12,2)) AS amount, CAST(placed AS TIMESTAMP) AS placed
      FROM read_csv('orders.csv', header = true, all_varchar = true)
    refresh_key: { every: 1 second }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: city, sql: city, type: string }
      - { name: at, sql: placed, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: largest, sql: amount, type: max }
      - { name: cities, sql: city, type: count_distinct }
      - { name: lately, sql: amount, type: sum, rolling_window: { trailing: 60 day } }
      - { name: share, sql: "1.0 * {revenue} / NULLIF({count}, 0)", type: number }
${more}
    pre_aggregations:
${preAggregations}
`,
})
