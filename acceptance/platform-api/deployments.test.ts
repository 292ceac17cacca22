import { describe, expect, test } from 'vitest'
import { buildOf, createDeployment, load, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal, refusal } from '../support/contract-client.ts'

const api = sharedApi()
const client = connect(api)
const fresh = async (body: Record<string, unknown> = {}) => ({ deploymentId: await createDeployment(api, body) })

describe('creating a deployment', () => {
  test('answers its record, scaffolds a starter project, builds it, and it answers queries', async () => {
    const name = unique('created')
    const created = await client.createDeployment({ body: { name } })
    const { id } = created
    expect(created).toEqual({ id, name, creationStep: 'project', deploymentUrl: `${api.baseUrl}/data/${id}` })
    expect(await client.getDeployment({ params: { deploymentId: id } })).toEqual(created)
    const { items } = await client.listFiles({ params: { deploymentId: id } })
    expect(items.length).toBeGreaterThan(0)
    expect((await buildOf(api, id)).body).toMatchObject({ status: 'built', mode: 'production', branchName: 'main' })
    const { body } = await load(api, id, { measures: ['example_orders.total_amount'] })
    expect(body.data).toEqual([{ 'example_orders.total_amount': '400' }])
  })

  test('takes every field that is published', async () => {
    const cspsConfig = { enabled: true, storageProvider: 's3', s3Bucket: 'rollups', s3Region: 'eu-central-1' }
    const { deploymentId } = await fresh({
      region: 'local',
      cloudProvider: 'gcp',
      isManaged: false,
      targetPlatform: 'kubernetes',
      creationStep: 'databases',
      creationMethod: 'upload',
      deployMode: 'git',
      cspsConfig,
    })
    expect(await client.getDeploymentSettings({ params: { deploymentId } })).toMatchObject({
      region: 'local',
      cloudProvider: 'gcp',
      isManaged: false,
      targetPlatform: 'kubernetes',
      creationStep: 'databases',
      creationMethod: 'upload',
      deployMode: 'git',
      cspsConfig,
    })
  })

  test('by github scaffolds nothing', async () => {
    const params = await fresh({ creationMethod: 'github' })
    expect((await client.listFiles({ params })).items).toEqual([])
  })

  test.each([
    [{}, 'invalid_request', /^name: is required/],
    [{ name: '' }, 'invalid_request', /^name/],
    [{ name: ' \t ' }, 'invalid_request', /^name/],
    [{ name: 'x'.repeat(256) }, 'invalid_request', /^name/],
    [{ name: 'a\nb' }, 'invalid_request', /^name: must not contain control characters/],
    [{ name: 'x', region: 'mars' }, 'region_unknown', /"mars".*local/],
    [{ name: 'x', creationStep: 'begin' }, 'invalid_request', /^creationStep: must be one of project,/],
    [{ name: 'x', deployMode: 'ftp' }, 'invalid_request', /^deployMode: must be one of git, cli/],
    [{ name: 'x', cspsConfig: {} }, 'invalid_request', /^cspsConfig\.enabled/],
  ] as const)('of %j is refused', async (body, code, message) => {
    const { body: answer } = await api.post('/build/api/v1/deployments', body)
    expect(answer.code).toBe(code)
    expect(answer.message).toMatch(message)
  })

  test.each(['Über 数据 🚀', 'שלום עולם', "Robert'); drop table deployments;--", '<script>', '../..'])(
    'keeps the name %s as it is',
    async text => {
      const name = `${text} ${unique('n')}`
      const { id } = await client.createDeployment({ body: { name: `  ${name} ` } })
      expect((await client.getDeployment({ params: { deploymentId: id } })).name).toBe(name)
    },
  )
})

describe('the name of a deployment', () => {
  test('is unique in the account', async () => {
    const name = unique('taken')
    await client.createDeployment({ body: { name } })
    await expectRefusal(client.createDeployment({ body: { name } }), 'name_taken', new RegExp(name))
    const params = await fresh()
    await expectRefusal(client.updateDeployment({ params, body: { name } }), 'name_taken', new RegExp(name))
  })

  test('is had by one of those that race for it', async () => {
    const name = unique('race')
    const creations = Array.from({ length: 6 }, () => client.createDeployment({ body: { name } }))
    const outcomes = await Promise.allSettled(creations)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const errors = await Promise.all(creations.map(creation => refusal(creation).catch(() => null)))
    expect(errors.filter(error => error !== null).map(({ code }) => code)).toEqual(Array(5).fill('name_taken'))

    const renamed = unique('race')
    const others = await Promise.all([fresh(), fresh(), fresh()])
    const updates = await Promise.allSettled(
      others.map(params => client.updateDeployment({ params, body: { name: renamed } })),
    )
    expect(updates.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is free again once its deployment is deleted', async () => {
    const name = unique('again')
    const { id } = await client.createDeployment({ body: { name } })
    await client.deleteDeployment({ params: { deploymentId: id } })
    expect((await client.createDeployment({ body: { name } })).id).not.toBe(id)
  })

  test('may be sent again as it is', async () => {
    const params = await fresh()
    const { name } = await client.getDeployment({ params })
    expect((await client.updateDeployment({ params, body: { name } })).name).toBe(name)
  })
})

describe('updating settings', () => {
  test('changes what is sent, keeps the rest, and answers all settings', async () => {
    const params = await fresh()
    const before = await client.getDeploymentSettings({ params })
    const sent = {
      name: unique('renamed'),
      template: 'multiCluster' as const,
      deployBranchReadOnly: true,
      deployBranchMergeAllowed: false,
      deployProjectRoot: 'analytics/cube/',
      customDomain: 'data.example.com',
      launchpadTabs: ['one', 'two'],
      defaultLaunchpadViewGroup: 'sales',
    }
    const after = await client.updateDeployment({ params, body: sent })
    expect(after).toEqual({ ...before, ...sent, deployProjectRoot: '/analytics/cube' })
    expect(await client.getDeploymentSettings({ params })).toEqual(after)
    for (const body of [{}, undefined, { name: null, template: null, releaseChannel: null, deployBranchName: null }]) {
      expect(await client.updateDeployment({ params, ...(body === undefined ? {} : { body }) })).toEqual(after)
    }
    const cleared = { customDomain: null, launchpadTabs: null, defaultLaunchpadViewGroup: null }
    expect(await client.updateDeployment({ params, body: cleared })).toEqual({ ...after, ...cleared })
  })

  test('merges templateVariables key by key, also when two are sent at once', async () => {
    const params = await fresh()
    const update = (templateVariables: Record<string, unknown>) =>
      client.updateDeployment({ params, body: { templateVariables } })
    await update({ one: 1, two: { deep: [true, null] } })
    expect((await update({ two: 'changed', three: null })).templateVariables).toEqual({
      one: 1,
      two: 'changed',
      three: null,
    })
    const names = Array.from({ length: 8 }, (_, index) => `flag${index}`)
    await Promise.all(names.map(name => update({ [name]: true })))
    const { templateVariables } = await client.getDeploymentSettings({ params })
    expect(Object.keys(templateVariables ?? {}).sort()).toEqual([...names, 'one', 'three', 'two'].sort())
  })

  test('refuses what is wrong and changes nothing', async () => {
    const params = await fresh()
    const before = await client.getDeploymentSettings({ params })
    const refused = [
      [{ template: 'simpleCluster', deployBranchName: 'nowhere' }, 'branch_not_found', /"nowhere"/],
      [{ template: 'simpleCluster', region: 'mars' }, 'region_unknown', /"mars"/],
      [{ template: 'simpleCluster', deployProjectRoot: '/a/../b' }, 'path_invalid', /root/],
      [{ template: 'simpleCluster', releaseChannelVersion: 'v0.0.0' }, 'version_unknown', /0\.0\.0/],
    ] as const
    for (const [body, code, message] of refused) {
      await expectRefusal(client.updateDeployment({ params, body }), code, message)
    }
    expect(await client.getDeploymentSettings({ params })).toEqual(before)
  })
})

describe('versions', () => {
  test('lists the head of each channel and marks the one in effect', async () => {
    const params = await fresh()
    const { items, data } = await client.listDeploymentVersions({ params })
    expect(data).toEqual(items)
    expect(items.filter(row => row.isLatestInChannel).map(row => row.releaseChannel)).toEqual(['latest', 'release'])
    const settings = await client.getDeploymentSettings({ params })
    expect(items.filter(row => row.isCurrent)).toEqual([
      expect.objectContaining({ version: settings.releaseChannelVersion, releaseChannel: settings.releaseChannel }),
    ])
  })

  test('a listed version is accepted with and without v and as an image reference', async () => {
    const params = await fresh()
    const { items } = await client.listDeploymentVersions({ params })
    for (const { version, releaseChannel, releaseChannelVersion: published } of items) {
      for (const form of [
        version,
        `v${version}`,
        published,
        `hedron:v${version}`,
        `registry:5000/a/hedron:${version}`,
      ]) {
        const body = { releaseChannel, releaseChannelVersion: form }
        const settings = await client.updateDeployment({ params, body })
        expect(settings, form).toMatchObject({ releaseChannel, releaseChannelVersion: version })
      }
    }
  })

  test.each(['0.0.1', 'v99.0.0', '', 'latest', 'v', ':', 'vv1.0.0'])('%j is none and is refused', async version => {
    const params = await fresh()
    const before = await client.getDeploymentSettings({ params })
    const call = client.updateDeployment({ params, body: { releaseChannelVersion: version } })
    await expectRefusal(call, 'version_unknown', /can be v\d/)
    expect(await client.getDeploymentSettings({ params })).toEqual(before)
  })

  test('a channel alone moves to its newest', async () => {
    const params = await fresh()
    const { items } = await client.listDeploymentVersions({ params })
    const newest = items.find(row => row.releaseChannel === 'release' && row.isLatestInChannel)
    const settings = await client.updateDeployment({ params, body: { releaseChannel: 'release' } })
    expect(settings).toMatchObject({ releaseChannel: 'release', releaseChannelVersion: newest?.version })
    const after = await client.listDeploymentVersions({ params })
    expect(after.items.filter(row => row.isCurrent).map(row => row.releaseChannel)).toEqual(['release'])
  })

  test('the newest of a channel holds nothing back, unless that is asked for', async () => {
    const params = await fresh()
    const { items } = await client.listDeploymentVersions({ params })
    const version = items.find(row => row.isLatestInChannel)?.version ?? ''
    const choose = (body: { releaseChannelVersionHold?: boolean }) =>
      client.updateDeployment({ params, body: { ...body, releaseChannelVersion: version } })
    expect((await choose({})).releaseChannelVersionHold).toBe(false)
    expect((await choose({ releaseChannelVersionHold: true })).releaseChannelVersionHold).toBe(true)
    expect((await choose({})).releaseChannelVersionHold).toBe(false)
    const held = await client.updateDeployment({ params, body: { releaseChannelVersionHold: true } })
    expect(held.releaseChannelVersionHold).toBe(true)
    expect((await client.updateDeployment({ params, body: {} })).releaseChannelVersionHold).toBe(true)
  })
})

describe('creation steps', () => {
  test('advance to the step named, and reset to the first', async () => {
    const params = await fresh()
    for (const creationStep of ['upload', 'schema', 'databases', 'ready'] as const) {
      const moved = await client.advanceCreationStep({ params, body: { creationStep } })
      expect(moved.creationStep).toBe(creationStep)
      expect((await client.getDeployment({ params })).creationStep).toBe(creationStep)
    }
    expect((await client.resetCreationStep({ params })).creationStep).toBe('project')
    expect((await client.getDeployment({ params })).creationStep).toBe('project')
  })

  test('filter the list, one or several', async () => {
    const ready = (await fresh({ creationStep: 'ready' })).deploymentId
    const ssh = (await fresh({ creationStep: 'ssh' })).deploymentId
    const idsAt = async (...creationStep: readonly ('ready' | 'ssh')[]) => {
      const { items } = await client.getDeployments({ query: { creationStep: [...creationStep] } })
      expect(items.every(item => creationStep.some(step => step === item.creationStep))).toBe(true)
      return items.map(({ id }) => id)
    }
    expect(await idsAt('ready')).toEqual(expect.arrayContaining([ready]))
    expect(await idsAt('ready')).not.toContain(ssh)
    expect(await idsAt('ready', 'ssh')).toEqual(expect.arrayContaining([ready, ssh]))
    const { status, body } = await api.get('/api/v1/deployments?creationStep=begin')
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })
})

describe('deleting a deployment', () => {
  test('removes it and all that hangs on it', async () => {
    const params = await fresh()
    const { api_credentials } = (await client.getDeploymentEnvironments({ params })).items[0] ?? {}
    expect(await client.deleteDeployment({ params })).toEqual({ success: true })
    await expectRefusal(client.getDeployment({ params }), 'deployment_not_found', new RegExp(`${params.deploymentId}`))
    await expectRefusal(client.deleteDeployment({ params }), 'deployment_not_found')
    await expectRefusal(client.listBranches({ params }), 'deployment_not_found')
    expect((await client.getDeployments({})).items.map(({ id }) => id)).not.toContain(params.deploymentId)
    const data = await fetch(`${api_credentials?.[0]?.url}/meta`)
    expect(data.status).toBeGreaterThanOrEqual(400)
    expect(data.status).toBeLessThan(500)
  })

  test('ten times at once deletes it once', async () => {
    const params = await fresh()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => client.deleteDeployment({ params })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('the deployment token', () => {
  const claims = (token: string): { iat: number; exp: number; cubeCloud: { email: string } } =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  test.each([
    [undefined, 86_400],
    [{}, 86_400],
    [{ expiresIn: null }, 86_400],
    [{ expiresIn: 60 }, 60],
    [{ expiresIn: 86_400 }, 86_400],
  ])('asked for with %j opens the data API for %d seconds', async (body, seconds) => {
    const params = await fresh()
    const { cubeApiToken } = await client.deploymentToken({ params, ...(body === undefined ? {} : { body }) })
    const { iat, exp, cubeCloud } = claims(cubeApiToken)
    expect(exp - iat).toBe(seconds)
    expect(cubeCloud.email).toBe('admin@localhost')
    const query = { measures: ['example_orders.count'] }
    expect((await load(api, params.deploymentId, query, { token: cubeApiToken })).status).toBe(200)
    const other = await fresh()
    expect((await load(api, other.deploymentId, query, { token: cubeApiToken })).status).toBe(403)
  })

  test.each([59, 86_401, 0, -1, 1.5, '60'])('cannot last %j', async expiresIn => {
    const { deploymentId } = await fresh()
    const { body } = await api.post(`/api/v1/deployments/${deploymentId}/token`, { expiresIn })
    expect([body.code, body.message]).toEqual(['invalid_request', expect.stringMatching(/^expiresIn/)])
  })
})

describe('regions', () => {
  test('are those that a deployment can be in', async () => {
    const { items, data } = await client.listRegions({})
    expect(items.length).toBeGreaterThan(0)
    expect(data).toEqual(items)
    for (const { name } of items) await fresh({ region: name })
  })
})
