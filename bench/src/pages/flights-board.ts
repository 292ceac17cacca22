import * as z from 'zod'
import type { Platform } from '../support/platform.ts'

/** A widget with a report; places are given in order. */
export interface BoardReport {
  readonly meta: { readonly kind: string; readonly spec?: object }
  readonly query: Readonly<Record<string, unknown>>
  /** Width and height in a grid of twelve columns. */
  readonly size: readonly [number, number]
}

const Made = z.object({ id: z.number() })
const Published = z.object({ publicId: z.string() })
const Session = z.object({ sessionId: z.string() })

const flights = (name: string) => `flight_facts.${name}`
const by = (granularity: string) => [{ dimension: flights('departed_at'), granularity }]
const figure = (measure: string): BoardReport => ({
  meta: { kind: 'kpi' },
  query: { measures: [flights(measure)] },
  size: [3, 3],
})
const chart = (mark: string, granularity: string, measure: string): BoardReport => ({
  meta: {
    kind: 'vega',
    spec: {
      mark,
      encoding: {
        x: { field: flights(`departed_at.${granularity}`), type: 'temporal' },
        y: { field: flights(measure), type: 'quantitative' },
      },
    },
  },
  query: { measures: [flights(measure)], timeDimensions: by(granularity) },
  size: [4, 7],
})
const table = (...measures: string[]): BoardReport => ({
  meta: { kind: 'table' },
  query: { measures: measures.map(flights), dimensions: [flights('origin_city')], limit: 100 },
  size: [6, 8],
})

/** Twelve widgets: four figures, six charts, two tables. */
export const twelveWidgets: readonly BoardReport[] = [
  figure('count'),
  figure('average_delay'),
  figure('share_delayed'),
  figure('distance_flown'),
  chart('line', 'day', 'count'),
  chart('area', 'week', 'count'),
  chart('bar', 'month', 'count'),
  chart('line', 'day', 'average_delay'),
  chart('bar', 'week', 'share_delayed'),
  chart('bar', 'month', 'longest_delay'),
  table('count', 'average_delay'),
  table('count', 'share_delayed'),
]
/** The same without charts: what is loaded before them. */
export const noCharts = twelveWidgets.filter(({ meta }) => meta.kind !== 'vega')

/** About 120,000 rows: a week of flights. */
export const manyRows: BoardReport = {
  meta: { kind: 'table' },
  query: {
    dimensions: ['origin', 'destination', 'delay', 'distance'].map(name => `flights.${name}`),
    timeDimensions: [
      { dimension: 'flights.departed_at', granularity: 'minute', dateRange: ['2001-01-01', '2001-01-07'] },
    ],
  },
  size: [12, 18],
}

/** @returns the id in the address of a dashboard that every embed user sees. */
export async function publishBoard(
  platform: Platform,
  deploymentId: number,
  reports: readonly BoardReport[],
): Promise<string> {
  const base = `/api/v1/deployments/${deploymentId}`
  const { id: workbookId } = await platform.call(Made, 'POST', `${base}/workbooks`, { name: 'Flights' })
  const widgets: object[] = []
  let [x, y, height] = [0, 0, 0]
  for (const [index, { meta, query, size }] of reports.entries()) {
    const [w, h] = size
    if (x + w > 12) [x, y, height] = [0, y + height, 0]
    const body = { workbookId, name: `Report ${index}`, jsonQuery: JSON.stringify(query), meta }
    const { id: reportId } = await platform.call(Made, 'POST', `${base}/reports`, body)
    widgets.push({ id: `w${index}`, type: 'CHART', position: { x, y, w, h }, config: { reportId } })
    x += w
    height = Math.max(height, h)
  }
  const one = `${base}/workbooks/${workbookId}`
  const { publicId } = await platform.call(Published, 'POST', `${one}/publish`, { workbookId, config: { widgets } })
  await platform.call(z.unknown(), 'PUT', `${one}/embed-access`, { allEmbedUsers: true, action: 'read' })
  return publicId
}

/** The id of a session that was not used yet. */
export async function openSession(platform: Platform, deploymentId: number, externalId = 'viewer'): Promise<string> {
  const body = { deploymentId, externalId }
  return (await platform.call(Session, 'POST', '/api/v1/embed/generate-session', body)).sessionId
}

/** The address of a dashboard in a frame. */
export async function addressOf(platform: Platform, deploymentId: number, publicId: string): Promise<string> {
  return `${platform.baseUrl}/embed/dashboard/${publicId}?session=${await openSession(platform, deploymentId)}`
}
