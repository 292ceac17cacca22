import type { Hedron } from './hedron.ts'

/** 20,000 orders of two customers, made of numbers so that nothing has to be loaded. The policy leaves each customer its own. */
const model = `cubes:
  - name: orders
    sql: >
      SELECT i AS id, CASE WHEN i % 3 = 0 THEN 'globex' ELSE 'acme-corp' END AS customer,
        ['Books', 'Games', 'Music', 'Tools'][1 + (i * 7) % 4] AS category,
        ['paid', 'paid', 'open', 'returned'][1 + (i * 13) % 4] AS status,
        (i * 7919) % 200 + 5 AS amount,
        DATE '2025-01-01' + CAST((i * 31) % 365 AS INTEGER) AS ordered_at
      FROM range(20000) AS t(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: customer, sql: customer, type: string }
      - { name: category, sql: category, type: string }
      - { name: status, sql: status, type: string }
      - { name: ordered_at, sql: ordered_at, type: time, title: Ordered }
    measures:
      - { name: count, type: count, title: Orders, drill_members: [id, category, status, ordered_at] }
      - { name: revenue, sql: amount, type: sum, format: currency }
    access_policy:
      - group: "*"
        row_level:
          filters: [{ member: customer, operator: equals, values: ["{ securityContext.customer }"] }]
`

/** What the product needs to know of it. */
export interface Analytics {
  readonly deploymentId: number
  readonly publicId: string
}

/** Makes the deployment with its model and the dashboard, unless they are there. */
export async function setUp(hedron: Hedron): Promise<Analytics> {
  const deploymentId = await findOrMakeDeployment(hedron)
  const base = `/api/v1/deployments/${deploymentId}`
  const workbook = await hedron.ask('PUT', `${base}/workbooks/by-slug/shop`, { name: 'Shop' })
  const published = recordOf(workbook.publishedDashboard)
  if (typeof published.publicId === 'string') return { deploymentId, publicId: published.publicId }
  const report = async (name: string, meta: object, query: object) => {
    const { id } = await hedron.ask('POST', `${base}/reports`, {
      workbookId: workbook.id,
      name,
      meta,
      jsonQuery: JSON.stringify(query),
    })
    return id
  }
  const time = { dimension: 'orders.ordered_at', granularity: 'month' }
  const [revenue, count, months, categories, table] = [
    await report('Revenue', { kind: 'kpi' }, { measures: ['orders.revenue'] }),
    await report('Orders', { kind: 'kpi' }, { measures: ['orders.count'] }),
    await report('Revenue by month', chart('line', 'orders.ordered_at.month', 'temporal', 'orders.revenue'), {
      measures: ['orders.revenue'],
      timeDimensions: [time],
    }),
    await report('Orders by category', chart('bar', 'orders.category', 'nominal', 'orders.count'), {
      measures: ['orders.count'],
      dimensions: ['orders.category'],
    }),
    await report(
      'Categories and states',
      { kind: 'table' },
      {
        measures: ['orders.count', 'orders.revenue'],
        dimensions: ['orders.category', 'orders.status'],
      },
    ),
  ]
  const widget = (id: string, type: string, position: number[], config: object) => {
    const [x, y, w, h] = position
    return { id, type, position: { x, y, w, h }, config }
  }
  const dashboard = await hedron.ask('POST', `${base}/workbooks/${workbook.id}/publish`, {
    workbookId: workbook.id,
    config: {
      title: 'Your shop',
      widgets: [
        widget('status', 'FILTER', [0, 0, 4, 2], { member: 'orders.status', title: 'Status' }),
        widget('ordered', 'FILTER', [4, 0, 4, 2], {
          member: 'orders.ordered_at',
          operator: 'inDateRange',
          title: 'Ordered',
        }),
        widget('step', 'TIME_GRAIN', [8, 0, 4, 2], {
          member: 'orders.ordered_at',
          granularities: ['week', 'month', 'quarter'],
        }),
        widget('revenue', 'CHART', [0, 2, 6, 3], { reportId: revenue }),
        widget('count', 'CHART', [6, 2, 6, 3], { reportId: count }),
        widget('months', 'CHART', [0, 5, 7, 8], { reportId: months }),
        widget('categories', 'CHART', [7, 5, 5, 8], { reportId: categories }),
        widget('table', 'CHART', [0, 13, 12, 8], { reportId: table }),
      ],
    },
  })
  await hedron.ask('PUT', `${base}/workbooks/${workbook.id}/embed-access`, { allEmbedUsers: true, action: 'read' })
  return { deploymentId, publicId: String(dashboard.publicId) }
}

async function findOrMakeDeployment(hedron: Hedron): Promise<number> {
  const name = 'Embedding example'
  const { items } = await hedron.ask('GET', '/api/v1/deployments?first=1000')
  const known = (Array.isArray(items) ? items : []).find(item => recordOf(item).name === name)
  if (known !== undefined) return Number(recordOf(known).id)
  const { id } = await hedron.ask('POST', '/build/api/v1/deployments', { name })
  const base = `/build/api/v1/deployments/${id}`
  await hedron.ask('POST', `${base}/dev-mode`, { branchName: 'main' })
  await hedron.ask('PUT', `${base}/data-model/files`, { files: [{ path: 'model/cubes/orders.yml', content: model }] })
  await hedron.ask('POST', `${base}/commit`, { message: 'Orders of the example' })
  await hedron.ask('DELETE', `${base}/dev-mode`)
  return Number(id)
}

const chart = (mark: string, x: string, type: string, y: string) => ({
  kind: 'vega',
  spec: { mark, encoding: { x: { field: x, type }, y: { field: y, type: 'quantitative' } } },
})

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
