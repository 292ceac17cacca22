import * as z from 'zod'
import { listOf, PageInfo } from './page.ts'

export const LogSource = z.enum(['production', 'dev']).meta({ id: 'DeploymentLogsQuerySource' })
export type LogSource = z.infer<typeof LogSource>

export const LogContainer = z
  .enum(['INIT', 'MAIN', 'cubejs-server', 'vector', 'api-proxy'])
  .meta({ id: 'DeploymentLogsQueryContainer' })

export const LogLine = z
  .object({
    pod: z.string().meta({ description: 'What wrote it: build, or the data API of a node.' }),
    date: z.iso.datetime(),
    message: z.string(),
  })
  .meta({ id: 'DeploymentLogLine' })
export type LogLine = z.infer<typeof LogLine>

export const LogsResponse = z
  .object({
    items: z.array(LogLine),
    pageInfo: PageInfo.nullish().meta({ description: 'endCursor: give it as after, and what came since follows.' }),
  })
  .meta({ id: 'DeploymentLogsResponse' })

export const LogsQuery = z.strictObject({
  source: LogSource.optional().meta({ description: 'Only of production, or only of dev and staging branches.' }),
  pod: z.string().max(255).optional().meta({ description: 'Only of this one.' }),
  container: LogContainer.optional().meta({
    description: 'INIT: builds. MAIN, cubejs-server: the data API. There is nothing of the others.',
  }),
  first: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Lines at most; 200 when omitted, more than 1,000 gives 1,000.' }),
  after: z.string().max(1024).optional().meta({ description: 'Lines after this cursor; without it the newest.' }),
})

export const Pod = z
  .object({
    name: z.string().meta({ description: '`pod` of the lines that it writes into the log.' }),
    type: z
      .enum(['API', 'BUILD'])
      .meta({ description: 'API: the data API of a node. BUILD: where models are compiled.' }),
    status: z.literal('Running'),
    ready: z.boolean(),
    restartCount: z.int().min(0).nullable().meta({ description: 'Null: nothing counts the starts of a node.' }),
    containers: z.array(LogContainer).meta({ description: '`container` of the log that narrows to its lines.' }),
  })
  .meta({ id: 'DeploymentPod' })
export type Pod = z.infer<typeof Pod>

export const PodsResponse = listOf(Pod).meta({ id: 'DeploymentPodsResponse' })
