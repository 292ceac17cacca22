import { describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Modeler, numbers, numbersPath } from '../support/project.ts'

const api = sharedApi()
const admin = connect(api)
const seconds = (time: string) => Math.round(Date.parse(time) / 1000)

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

async function environmentOf({ client, params }: Modeler, type: 'production' | 'staging' | 'development') {
  const [found] = (await client.getDeploymentEnvironments({ params, query: { type } })).items
  if (!found) throw new Error(`there is no ${type} environment`)
  return { ...found, params: { ...params, environmentId: Number(found.id) }, url: found.api_credentials[0]?.url ?? '' }
}

/** Asks the data API at an address of an environment, with a token. */
async function ask(url: string, action: string, token: string) {
  const query = encodeURIComponent(JSON.stringify({ measures: ['numbers.count'] }))
  const response = await fetch(`${url}/${action}?query=${query}`, { headers: { authorization: token } })
  return { status: response.status, text: await response.text() }
}

/** A deployment with its production, a staging and a development environment, each of which has the cube `numbers`. */
async function threeEnvironments() {
  const modeler = await createModeler(api)
  const { client, params } = modeler
  await modeler.enter()
  await modeler.write({ [numbersPath]: numbers() })
  await modeler.commit()
  await client.createBranch({ params, body: { name: 'feature/staged' } })
  await client.setBranchStagingEnvironment({ params, body: { branchName: 'feature/staged', enabled: true } })
  const environments = {
    production: await environmentOf(modeler, 'production'),
    staging: await environmentOf(modeler, 'staging'),
    development: await environmentOf(modeler, 'development'),
  }
  return { modeler, ...environments }
}

describe('environments', () => {
  test('are production, the staging environments kept active and the dev mode sessions that are open', async () => {
    const { modeler, production, staging, development } = await threeEnvironments()
    const { client, params } = modeler
    const { items, data, pagination } = await client.getDeploymentEnvironments({ params })
    expect(items.map(({ type, branch }) => [type, branch])).toEqual([
      ['production', 'main'],
      ['development', development.branch],
      ['staging', 'feature/staged'],
    ])
    expect(data).toEqual(items)
    expect(pagination).toMatchObject({ total: 3, offset: 0 })
    expect(production.user).toBeNull()
    expect(development.branch).toMatch(/^dev-/)
    expect(development.user).toBe('admin@localhost')
    expect(staging.url).toBe(`${api.baseUrl}/data/${params.deploymentId}/dev-mode/feature/staged/cubejs-api/v1`)

    await client.stopDevMode({ params })
    await client.setBranchStagingEnvironment({ params, body: { branchName: 'feature/staged', enabled: false } })
    const left = await client.getDeploymentEnvironments({ params })
    expect(left.items.map(({ type }) => type)).toEqual(['production'])
    await expectRefusal(
      client.getDeploymentEnvironmentTokens({ params: staging.params }),
      'environment_not_found',
      new RegExp(staging.id),
    )
  })

  test('have addresses that answer', async () => {
    const { modeler, ...environments } = await threeEnvironments()
    const { cubeApiToken } = await modeler.client.deploymentToken({ params: modeler.params })
    for (const { url, type } of Object.values(environments)) {
      await expect
        .poll(() => ask(url, 'load', cubeApiToken), { timeout: 20_000 })
        .toMatchObject({ status: 200, text: expect.stringContaining('"numbers.count":"2"') })
      expect((await ask(url, 'meta', cubeApiToken)).text, type).toContain('"numbers.count"')
    }
  })

  test('of branches that are not there, or cannot be, answer that', async () => {
    const { client, params, deploymentId } = await createModeler(api)
    const { cubeApiToken } = await client.deploymentToken({ params })
    for (const branch of ['nowhere', 'a%00b', '%F0%9F%9A%80', '..%2F..', 'x'.repeat(500), "'--"]) {
      const url = `${api.baseUrl}/data/${deploymentId}/dev-mode/${branch}/cubejs-api/v1`
      for (const action of ['meta', 'load']) {
        const { status, text } = await ask(url, action, cubeApiToken)
        expect([status, typeof JSON.parse(text).error], `${branch} ${text}`).toEqual([404, 'string'])
      }
    }
  })

  test('are filtered by their type, and by no other word', async () => {
    const { modeler } = await threeEnvironments()
    const { client, params, deploymentId } = modeler
    for (const type of ['production', 'staging', 'development'] as const) {
      const { items } = await client.getDeploymentEnvironments({ params, query: { type } })
      expect(items.map(item => item.type)).toEqual([type])
    }
    const { body } = await api.get(`/api/v1/deployments/${deploymentId}/environments?type=testing`)
    expect(body).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('production, staging') })
  })

  test('of a revoked key are gone', async () => {
    const modeler = await createModeler(api)
    const key = await findKey(modeler.api.apiKey)
    await modeler.enter()
    await admin.revokeApiKey({ params: { id: key } })
    const left = await admin.getDeploymentEnvironments({ params: modeler.params })
    expect(left.items.map(({ type }) => type)).toEqual(['production'])
  })
})

describe('environment tokens', () => {
  test('carry the security context, open their own environment, and no other', async () => {
    const { modeler, ...environments } = await threeEnvironments()
    const { client } = modeler
    const all = Object.values(environments)
    for (const { type, params } of all) {
      const security_context = { team: 'ä', roles: ['a', 'b'], nested: { deep: null } }
      const { data } = await client.createDeploymentEnvironmentToken({ params, body: { security_context } })
      expect(data.security_context).toEqual(security_context)
      expect(claimsOf(data.token)).toMatchObject(security_context)
      for (const other of all) {
        const { status } = await expect
          .poll(() => ask(other.url, 'load', data.token), { timeout: 20_000 })
          .not.toMatchObject({ text: expect.stringContaining('Continue wait') })
          .then(() => ask(other.url, 'load', data.token))
        expect(status, `token of ${type} on ${other.type}`).toBe(other.type === type ? 200 : 403)
      }
    }
  })

  test('last as long as was asked for, an hour at most', async () => {
    const modeler = await createModeler(api)
    const { params } = await environmentOf(modeler, 'production')
    for (const [expires_in, expected] of [
      [undefined, 3600],
      [null, 3600],
      [1, 1],
      [3600, 3600],
    ] as const) {
      const body = { security_context: {}, ...(expires_in === undefined ? {} : { expires_in }) }
      const { data } = await modeler.client.createDeploymentEnvironmentToken({ params, body })
      expect(Math.abs(seconds(data.expires_at) - seconds(data.created_at) - expected)).toBeLessThanOrEqual(1)
      const { iat, exp } = claimsOf(data.token)
      expect(Number(exp) - Number(iat)).toBe(expected)
    }
    for (const expires_in of [0, -1, 3601, 1.5]) {
      const body = { security_context: {}, expires_in }
      const call = modeler.client.createDeploymentEnvironmentToken({ params, body })
      await expectRefusal(call, 'invalid_request', /^expires_in/)
    }
  })

  test('that ran out open nothing and are not listed', async () => {
    const modeler = await createModeler(api)
    const { params, url } = await environmentOf(modeler, 'production')
    const { client } = modeler
    const { data } = await client.createDeploymentEnvironmentToken({
      params,
      body: { security_context: {}, expires_in: 1 },
    })
    await expect.poll(async () => (await ask(url, 'meta', data.token)).status, { timeout: 5000 }).toBe(403)
    expect((await client.getDeploymentEnvironmentTokens({ params })).items).toEqual([])
  })

  test('are listed with what they carry, oldest first', async () => {
    const { modeler, production, staging } = await threeEnvironments()
    const { client } = modeler
    const made = []
    for (const team of ['a', 'b', 'c']) {
      const body = { security_context: { team } }
      made.push((await client.createDeploymentEnvironmentToken({ params: production.params, body })).data)
    }
    const { items, data, pagination } = await client.getDeploymentEnvironmentTokens({ params: production.params })
    expect(items).toEqual(made)
    expect(data).toEqual(made)
    expect(pagination).toMatchObject({ total: 3 })
    expect((await client.getDeploymentEnvironmentTokens({ params: staging.params })).items).toEqual([])
  })

  test('for meta sync read the meta data and load nothing', async () => {
    const { modeler, production } = await threeEnvironments()
    const { params, url } = production
    const body = { security_context: { scope: ['data'] } }
    const { data } = await modeler.client.createDeploymentEnvironmentTokenForMetaSync({ params, body })
    expect(claimsOf(data.token).scope).toEqual(['meta'])
    await expect.poll(async () => (await ask(url, 'meta', data.token)).status, { timeout: 20_000 }).toBe(200)
    const refused = await ask(url, 'load', data.token)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('data')
  })

  test('with scopes do what those allow', async () => {
    const { modeler, production } = await threeEnvironments()
    const { params, url } = production
    const create = async (scopes: ('meta' | 'data')[]) => {
      const body = { security_context: {}, scopes }
      return (await modeler.client.createDeploymentEnvironmentToken({ params, body })).data.token
    }
    const [data, none] = [await create(['data']), await create([])]
    await expect.poll(async () => (await ask(url, 'load', data)).status, { timeout: 20_000 }).toBe(200)
    expect((await ask(url, 'meta', data)).status).toBe(403)
    for (const action of ['load', 'meta']) expect((await ask(url, action, none)).status, action).toBe(403)
  })

  test('cannot pass for the platform: its own claims are not taken from the security context', async () => {
    const { modeler, production, staging } = await threeEnvironments()
    const security_context = { cubeCloud: { environmentId: Number(staging.id) }, exp: 9_999_999_999, iat: 0, jti: 'x' }
    const { data } = await modeler.client.createDeploymentEnvironmentToken({
      params: production.params,
      body: { security_context },
    })
    const claims = claimsOf(data.token)
    expect(claims.cubeCloud).toMatchObject({ environmentId: Number(production.id) })
    expect(Number(claims.exp)).toBeLessThan(Date.now() / 1000 + 3601)
    expect((await ask(staging.url, 'meta', data.token)).status).toBe(403)
  })

  test('of an environment of another deployment are not there', async () => {
    const [one, two] = [await createModeler(api), await createModeler(api)]
    const { params } = await environmentOf(two, 'production')
    const foreign = { ...params, deploymentId: one.deploymentId }
    await expectRefusal(one.client.getDeploymentEnvironmentTokens({ params: foreign }), 'environment_not_found')
  })
})

/** Id of an API key; others make some at the same time, so that the list has many pages. */
async function findKey(secret: string): Promise<string> {
  for (let after: string | undefined; ; ) {
    const { items, pageInfo } = await admin.listApiKeys({ query: after === undefined ? {} : { after } })
    const found = items.find(({ prefix, deploymentIds }) => secret.startsWith(prefix) && !deploymentIds)
    if (found) return found.id
    if (!pageInfo.endCursor || !pageInfo.hasNextPage) throw new Error('the key is not listed')
    after = pageInfo.endCursor
  }
}
