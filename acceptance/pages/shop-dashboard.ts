import { createProject } from '../data-api/project.ts'
import type { Api } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { generateSession } from '../support/embedding.ts'

/** Orders of two customers; the policy leaves each its own. A category is a formula to spreadsheets, a status markup to browsers. */
const model = `cubes:
  - name: orders
    sql: >
      SELECT i AS id, CASE WHEN i % 4 = 0 THEN 'globex' ELSE 'acme' END AS customer,
        ['Books', 'Games', '=HYPERLINK("https://evil.example")'][1 + i % 3] AS category,
        ['paid', '<img src=x onerror=alert(1)>'][1 + i % 2] AS status,
        i AS amount, TIMESTAMP '2025-01-01 00:30:00' + INTERVAL (i % 360) DAY AS ordered_at
      FROM range(1200) AS t(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: customer, sql: customer, type: string }
      - { name: category, sql: category, type: string }
      - { name: status, sql: status, type: string }
      - { name: ordered_at, sql: ordered_at, type: time, title: Ordered }
    measures:
      - { name: count, type: count, title: Orders, drill_members: [id, category] }
      - { name: revenue, sql: amount, type: sum }
    access_policy:
      - group: "*"
        row_level:
          filters: [{ member: customer, operator: equals, values: ["{ securityContext.customer }"] }]
`

export interface ShopDashboard {
  readonly deploymentId: number
  readonly workbookId: number
  readonly publicId: string
  /** @returns the id of a session of a customer. */
  session(customer: 'acme' | 'globex', body?: object): Promise<string>
}

export const hostileTitle = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

/** A dashboard with a widget of every kind over that model, for all embed users. */
export async function createShopDashboard(api: Api, settings: Record<string, unknown> = {}): Promise<ShopDashboard> {
  const deploymentId = await createProject(api, { 'model/orders.yml': model })
  const client = connect(api)
  const params = { deploymentId }
  const { id: workbookId } = await client.createWorkbook({ params, body: { name: 'Shop' } })
  const report = async (name: string, meta: Record<string, unknown>, query: object | null, sqlQuery?: string) => {
    const jsonQuery = query === null ? null : JSON.stringify(query)
    const { id } = await client.createReport({
      params,
      body: { workbookId, name, meta, jsonQuery, sqlQuery: sqlQuery ?? null },
    })
    return id
  }
  const chart = (mark: string, x: string, type: string) => ({
    kind: 'vega',
    spec: { mark, encoding: { x: { field: x, type }, y: { field: 'orders.count', type: 'quantitative' } } },
  })
  const count = { measures: ['orders.count'] }
  const timeDimensions = [{ dimension: 'orders.ordered_at', granularity: 'month' }]
  const reports = {
    figure: await report('Orders', { kind: 'kpi' }, count),
    months: await report('By month', chart('line', 'orders.ordered_at.month', 'temporal'), {
      ...count,
      timeDimensions,
    }),
    categories: await report(
      hostileTitle,
      { kind: 'table' },
      { ...count, dimensions: ['orders.category', 'orders.status'] },
    ),
    statement: await report(
      'By SQL',
      { kind: 'table' },
      null,
      'SELECT category, MEASURE(count) AS n FROM orders GROUP BY 1',
    ),
    gone: await report('Gone', { kind: 'table' }, { measures: ['orders.vanished'] }),
    html: await report('Page', { kind: 'html', spec: '<p>Written <b>words</b></p>' }, null),
    loads: await report(
      'Loads',
      {
        kind: 'vega',
        spec: {
          mark: 'bar',
          encoding: { x: { field: 'orders.category' }, y: { field: 'orders.count', type: 'quantitative' } },
        },
      },
      { ...count, dimensions: ['orders.category'] },
    ),
  }
  const widget = (
    id: string,
    type: 'CHART' | 'TEXT' | 'FILTER' | 'TIME_GRAIN' | 'FIELD' | 'CONTAINER' | 'DIVIDER' | 'AI',
    [x = 0, y = 0, w = 1, h = 1]: number[],
    config: Record<string, unknown>,
  ) => ({
    id,
    type,
    position: { x, y, w, h },
    config,
  })
  const widgets = [
    widget('category', 'FILTER', [0, 0, 3, 2], { member: 'orders.category', title: 'Category' }),
    widget('ordered', 'FILTER', [3, 0, 3, 2], { member: 'orders.ordered_at', title: 'When', operator: 'inDateRange' }),
    widget('step', 'TIME_GRAIN', [6, 0, 3, 2], {
      member: 'orders.ordered_at',
      granularities: ['month', 'quarter'],
      title: 'Step',
    }),
    widget('measure', 'FIELD', [9, 0, 3, 2], { member: 'orders.count', options: ['orders.revenue'], title: 'Measure' }),
    widget('figure', 'CHART', [0, 2, 3, 3], { reportId: reports.figure }),
    widget('text', 'TEXT', [3, 2, 5, 3], {
      content: '## Words\n<script>alert(1)</script> [link](javascript:alert(1))',
    }),
    widget('summary', 'AI', [8, 2, 4, 3], { content: 'A **summary** that was written before' }),
    widget('months', 'CHART', [0, 5, 6, 8], { reportId: reports.months }),
    widget('categories', 'CHART', [6, 5, 6, 8], { reportId: reports.categories }),
    widget('line', 'DIVIDER', [0, 13, 12, 1], {}),
    widget('tabs', 'CONTAINER', [0, 14, 8, 9], {
      tabs: [
        { title: 'One', widgetIds: ['statement'] },
        { title: 'Two', widgetIds: ['html'] },
      ],
    }),
    widget('statement', 'CHART', [0, 0, 12, 6], { reportId: reports.statement }),
    widget('html', 'CHART', [0, 0, 12, 6], { reportId: reports.html }),
    widget('gone', 'CHART', [8, 14, 4, 9], { reportId: reports.gone }),
  ]
  const { publicId } = await client.publishDashboard({
    params: { ...params, workbookId },
    body: { workbookId, config: { title: 'Shop', settings, widgets } },
  })
  await client.updateEmbedAccess({ params: { ...params, workbookId }, body: { allEmbedUsers: true, action: 'read' } })
  return {
    deploymentId,
    workbookId,
    publicId,
    session: (customer, body = {}) =>
      generateSession(api, {
        deploymentId,
        externalId: `viewer-of-${customer}`,
        securityContext: { customer },
        ...body,
      }),
  }
}
