import { type Route, routeList } from '@hedron/contract'
import { describe, expect, test } from 'vitest'
import { type Api, createDeployment, sharedApi, unique } from '../support/api.ts'
import { createContent } from '../support/content-facts.ts'
import { connect } from '../support/contract-client.ts'
import { prepareEmbedTenant } from '../support/embed-tenants.ts'
import { generateSession } from '../support/embedding.ts'
import { expectPublished, type PublishedOperation, publishedOperations } from '../support/published-contract.ts'
import { type Facts, sampleRequest } from '../support/route-samples.ts'

const api = sharedApi()
const client = connect(api)

const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')
const routeOf = ({ method, path }: PublishedOperation): Route | undefined =>
  routeList.find(route => route.method === method && shapeOf(route.path) === shapeOf(path))

/** Comments need an account that has them switched on: those are held against it in embedding/dashboard-comments.test.ts. */
const served = publishedOperations
  .filter(operation => routeOf(operation)?.access !== 'embed')
  .map(operation => [operation.operationId, operation] as const)

/** A deployment of its own with one of everything that the sample requests name. */
async function prepare(): Promise<Facts> {
  const deploymentId = await createDeployment(api)
  const params = { deploymentId }
  const { items } = await client.getDeploymentEnvironments({ params })
  const folder = await client.createFolder({ params, body: { name: 'target' } })
  const content = await createContent(api, deploymentId)
  // Shown by the dashboard that is read, published and copied.
  const report = await client.createReport({
    params,
    body: { name: 'target', sqlQuery: 'select 1', workbookId: content.workbookId },
  })
  const widget = { id: 'chart', type: 'CHART' as const, position: { x: 0, y: 9, w: 12, h: 9 } }
  const config = { widgets: [{ ...widget, config: { reportId: report.id } }] }
  const { id: attributeId } = await client.createUserAttribute({ body: { name: unique('attribute'), type: 'string' } })
  const { workbookId } = content
  await client.publishDashboard({ params: { ...params, workbookId }, body: { workbookId, config } })
  return {
    deploymentId,
    folderId: folder.id,
    reportId: report.id,
    reportPublicId: report.publicId,
    environmentId: Number(items[0]?.id),
    keyId: 'none',
    branchName: 'main',
    transactionId: 'none',
    freeName: unique('free'),
    attributeId,
    userId: (await client.getMe({})).id,
    places: { '/api/v1/user-attributes/{id}': attributeId, ...(await prepareEmbedTenant(api)) },
    ...content,
  }
}

/** What has to be there before an operation can succeed, and the body it then takes; else the sample's. */
const before: Readonly<Record<string, (facts: Facts) => Promise<object | undefined>>> = {
  postTokenBySessionId: async ({ deploymentId }) => ({
    sessionId: await generateSession(api, { deploymentId, externalId: unique('user') }),
  }),
  // An AI widget has to be published.
  updatePublishedDashboardAiWidgetThread: async ({ deploymentId, workbookId }) => {
    await client.publishDashboard({ params: { deploymentId, workbookId }, body: { workbookId } })
    return undefined
  },
  disconnectReportFromWorkbook: async ({ deploymentId, reportId = 0 }) => {
    const place = { externalWorkbookId: 'sheet', resultLocation: 'Sheet1!A1' }
    await client.connectReportToWorkbook({ params: { deploymentId, reportId }, body: place })
    return { externalWorkbookId: 'sheet', sheetName: 'Sheet1', anchorCell: 'A1' }
  },
}

async function call(route: Route, facts: Facts, caller: Api) {
  const body = await before[route.operationId]?.(facts)
  const sample = sampleRequest(route, facts)
  return caller.request(route.method.toUpperCase(), sample.path, body ?? sample.body)
}

describe('the published contract of embedding and content', () => {
  test.each(served)('%s answers with the published status and shape', async (_, operation) => {
    const route = routeOf(operation)
    if (route === undefined) throw new Error('is not served')
    const answer = await call(route, await prepare(), api)
    if (operation.operationId === 'postDashboardPythonRun') {
      // Python analysis is not enabled here.
      expect([answer.status, answer.body.code]).toEqual([403, 'python_not_enabled'])
      return
    }
    expectPublished(operation, answer)
  })
})
