import * as z from 'zod'
import { route } from '../route.ts'
import * as schema from '../schemas/dashboard.ts'

/** Any text: one that is no public id names no dashboard, as one that nobody has. */
const DashboardParams = z.strictObject({ publicId: z.string().min(1).max(255) })
const path = '/api/v1/embed/dashboard/{publicId}' as const

export const getDashboard = route({
  operationId: 'getDashboard',
  method: 'get',
  path,
  summary: 'Read an embeddable dashboard',
  description:
    'The published version with its reports as they were then, and no rows. 404 where the caller does not see it; 403 in a signed embed session without creator mode while allowEmbed is off, unless it is shared with all embed users.',
  tags: ['Embed'],
  access: 'caller',
  embeds: true,
  params: DashboardParams,
  response: schema.Dashboard,
  errors: ['dashboard_not_found', 'dashboard_embedding_off'],
})

export const updateDashboardEmbedding = route({
  operationId: 'updateDashboardEmbedding',
  method: 'patch',
  path,
  summary: 'Toggle signed embedding of a dashboard',
  tags: ['Embed'],
  access: 'admin',
  params: DashboardParams,
  body: schema.UpdateDashboardEmbeddingInput,
  response: schema.DashboardEmbeddingResponse,
  errors: ['dashboard_not_found'],
})

export const postDashboardPythonRun = route({
  operationId: 'postDashboardPythonRun',
  method: 'post',
  path: `${path}/python-run`,
  summary: 'Rerun report Python over filtered SQL',
  description: 'Python analysis cannot be enabled on this server, so who sees the dashboard is answered 403.',
  tags: ['Embed'],
  access: 'caller',
  embeds: true,
  params: DashboardParams,
  body: schema.EmbedPythonFilteredRunInput,
  response: schema.PythonAnalysisFilteredRun,
  errors: ['dashboard_not_found', 'dashboard_embedding_off', 'python_not_enabled'],
})
