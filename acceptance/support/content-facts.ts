import type { Api } from './api.ts'
import { connect } from './contract-client.ts'

/** Content of a deployment that requests name. */
export interface ContentFacts {
  /** A workbook with a slug and a published dashboard, and that dashboard's address. */
  readonly workbookId: number
  readonly slug: string
  readonly publicId: string
}

/** A dashboard without reports, as it is sent. */
export const plainDashboard = {
  title: 'Sales',
  widgets: [
    { id: 'text', type: 'TEXT' as const, position: { x: 0, y: 0, w: 6, h: 2 }, config: { content: '# Sales' } },
    { id: 'summary', type: 'AI' as const, position: { x: 6, y: 0, w: 6, h: 2 }, config: {} },
  ],
}

/** Makes one of each thing that the content operations are about. */
export async function createContent(api: Api, deploymentId: number): Promise<ContentFacts> {
  const client = connect(api)
  const slug = 'sample'
  const { id: workbookId } = await client.upsertWorkbookBySlug({
    params: { deploymentId, slug },
    body: { name: 'Sample', meta: { dashboardDraft: plainDashboard } },
  })
  const params = { deploymentId, workbookId }
  const { publicId } = await client.publishDashboard({ params, body: { workbookId } })
  return { workbookId, slug, publicId }
}

/** Facts of content where no request needs any. */
export const noContent: ContentFacts = { workbookId: 1, slug: 'none', publicId: 'none' }
