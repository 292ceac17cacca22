import { beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject, type ProjectFiles } from '../data-api/project.ts'
import { sharedApi, unique } from '../support/api.ts'
import { claimsOf, dataClaims, exchange, generateSession, openSession } from '../support/embedding.ts'

const api = sharedApi()

const files: ProjectFiles = {
  'model/orders.yml': `cubes:
  - name: orders
    sql: >
      SELECT * FROM (VALUES (1, 'red', 10), (2, 'red', 20), (3, 'blue', 400)) AS rows(id, tenant, amount)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
    access_policy:
      - group: "*"
        row_level:
          filters: [{ member: tenant, operator: equals, values: ["{ securityContext.company }"] }]
`,
}

let deploymentId = 0
beforeAll(async () => {
  deploymentId = await createProject(api, files)
})

describe('a session', () => {
  test('goes from generate-session over its token to rows that its security context lets through', async () => {
    const externalId = unique('user')
    const sessionId = await generateSession(api, { deploymentId, externalId, securityContext: { company: 'red' } })
    expect(sessionId).toMatch(/^[0-9a-f]{64}$/)
    const { status, body } = await exchange(api, sessionId)
    expect(status).toBe(200)
    expect(claimsOf(String(body.token))).toMatchObject({ iss: 'cubecloud', deploymentId, externalId })
    const session = await openSession(api, { deploymentId, externalId, securityContext: { company: 'red' } })
    expect((await session.get('/api/v1/users/me')).body).toMatchObject({ externalId, isAdmin: false })
    const deployment = await session.get(`/api/v1/deployments/${deploymentId}`)
    expect(deployment.body).toMatchObject({ id: deploymentId, deploymentUrl: `${api.baseUrl}/data/${deploymentId}` })
    const token = await session.post(`/api/v1/deployments/${deploymentId}/token`)
    const data = await createDataClient(api, deploymentId)
    const answer = await data.load(
      { measures: ['orders.revenue'] },
      {},
      { authorization: String(token.body.cubeApiToken) },
    )
    expect(rowsOf(answer.body)).toEqual([{ 'orders.revenue': '30' }])
    expect(await dataClaims(session, deploymentId)).toMatchObject({
      company: 'red',
      cubeCloud: { username: externalId, externalId, groups: [], userAttributes: {} },
    })
  })
})
