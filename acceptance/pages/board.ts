import { createProject } from '../data-api/project.ts'
import type { Api } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { generateSession } from '../support/embedding.ts'

/** One report on a dashboard, in the widget of the same name. */
export interface BoardReport {
  readonly id: string
  readonly meta: Record<string, unknown>
  readonly query?: object
  readonly sql?: string
  /** x, y, width and height in the grid. */
  readonly place: readonly [number, number, number, number]
}

export interface BoardSpec {
  readonly model: string
  readonly reports: readonly BoardReport[]
  /** Widgets of other kinds. */
  readonly widgets?: readonly {
    readonly id: string
    readonly type: 'FILTER' | 'TEXT' | 'TIME_GRAIN' | 'FIELD'
    readonly place: readonly [number, number, number, number]
    readonly config: Record<string, unknown>
  }[]
  readonly settings?: Record<string, unknown>
  readonly title?: string
}

export interface PublishedBoard {
  readonly deploymentId: number
  readonly publicId: string
  /** @returns the address of the dashboard with a session that was not used yet. */
  url(query?: string, session?: object): Promise<string>
}

/** A deployment with that model, and a dashboard over it that every embed user sees. */
export async function publishBoard(api: Api, spec: BoardSpec): Promise<PublishedBoard> {
  const deploymentId = await createProject(api, { 'model/model.yml': spec.model })
  const client = connect(api)
  const params = { deploymentId }
  const { id: workbookId } = await client.createWorkbook({ params, body: { name: 'Board' } })
  const charts = []
  for (const { id, meta, query, sql, place } of spec.reports) {
    const jsonQuery = query === undefined ? null : JSON.stringify(query)
    const body = { workbookId, name: id, meta, jsonQuery, sqlQuery: sql ?? null }
    const report = await client.createReport({ params, body })
    charts.push({ id, type: 'CHART' as const, position: positionOf(place), config: { reportId: report.id } })
  }
  const others = (spec.widgets ?? []).map(({ place, ...rest }) => ({ ...rest, position: positionOf(place) }))
  const config = { title: spec.title ?? 'Board', settings: spec.settings ?? {}, widgets: [...others, ...charts] }
  const place = { params: { ...params, workbookId } }
  const { publicId } = await client.publishDashboard({ ...place, body: { workbookId, config } })
  await client.updateEmbedAccess({ ...place, body: { allEmbedUsers: true, action: 'read' } })
  return {
    deploymentId,
    publicId,
    async url(query = '', session = {}) {
      const id = await generateSession(api, { deploymentId, externalId: 'viewer', ...session })
      return `${api.baseUrl}/embed/dashboard/${publicId}?session=${id}&${query}`
    },
  }
}

const positionOf = ([x, y, w, h]: readonly [number, number, number, number]) => ({ x, y, w, h })
