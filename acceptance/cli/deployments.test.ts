import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, sharedApi, unique } from '../support/api.ts'
import { createHedron, type Hedron } from './hedron.ts'

const api = sharedApi()
let hedron: Hedron
let id = ''
const name = unique('cli')
beforeAll(async () => {
  hedron = await createHedron(api)
  const created = await hedron.json('deployments', 'create', '--name', name, '-d', '{"deployMode":"cli"}')
  id = String(Object(created).id)
})
afterAll(() => hedron.dispose())

describe('a deployment', () => {
  test('is built, shown, changed', async () => {
    const status = JSON.parse(await hedron.succeed('deployments', 'build-status', id, '--wait', '--poll', '1s'))
    expect(status).toMatchObject({ deploymentId: Number(id), status: 'built', mode: 'production' })
    expect(await hedron.json('deployments', 'get', id)).toMatchObject({ id: Number(id), name })
    expect(await hedron.succeed('deployments', 'list', '--all')).toContain(name)
    expect(await hedron.json('deployments', 'settings', id)).toMatchObject({ deployMode: 'cli' })
    await hedron.succeed('deployments', 'advance-step', id, 'ready')
    expect(await hedron.json('deployments', 'get', id)).toMatchObject({ creationStep: 'ready' })
    await hedron.succeed('deployments', 'reset-step', id)
    expect(await hedron.json('deployments', 'get', id)).toMatchObject({ creationStep: 'project' })
  })

  test('moves to a version of the list, and to no other', async () => {
    const versions = await hedron.json('deployments', 'versions', id)
    const version = String(Object(versions).items[0].releaseChannelVersion)
    await hedron.succeed('deployments', 'update', id, '--release-channel-version', version)
    const refused = await hedron.run('deployments', 'update', id, '--release-channel-version', 'v99.0.0')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('v99.0.0')
  })

  test('keeps its variables, and secrets to itself', async () => {
    expect(await hedron.succeed('variables', 'set', id, 'HOST=db.internal', 'DB_PASS=a=b')).toBe(
      '✓ Set 2 variable(s)\n',
    )
    const listed = await hedron.succeed('variables', 'list', id)
    expect(listed).toMatch(/^HOST +db\.internal$/m)
    expect(listed).toMatch(/^DB_PASS +\[ENCRYPTED\]$/m)
    expect((await hedron.run('variables', 'set', id, 'DB_PASS=[ENCRYPTED]')).exitCode).toBe(1)
  })

  test('has environments with tokens', async () => {
    const environments = await hedron.json('environments', 'list', id, '--type', 'production')
    const environment = String(Object(environments).items[0].id)
    const token = await hedron.succeed(
      'environments',
      'create-token',
      id,
      environment,
      '--security-context',
      '{"tenant":"a"}',
    )
    expect(token.split('.')).toHaveLength(3)
    expect((await hedron.succeed('deployments', 'token', id)).trim().split('.')).toHaveLength(3)
  })

  test('goes only when that is meant', async () => {
    const refused = await hedron.run('deployments', 'delete', id)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('pass --yes')
    expect(await hedron.succeed('deployments', 'delete', id, '--yes')).toBe(`✓ Deleted deployment ${id}\n`)
    const gone = await hedron.run('deployments', 'get', id)
    expect(gone.stderr).toContain(
      `error: not found (404): GET /api/v1/deployments/${id}. There is no deployment ${id}.`,
    )
  })
})

test('an API key works until it is revoked', async () => {
  const created = Object(await hedron.json('api-keys', 'create', '--name', unique('cli')))
  const other = await createHedron({ baseUrl: api.baseUrl, apiKey: String(created.token) })
  expect(await other.succeed('whoami')).toContain('id: ')
  expect(await hedron.succeed('api-keys', 'list', '--all')).toContain(created.name)
  expect(await hedron.succeed('api-keys', 'get', '--', created.id)).not.toContain(created.token)
  await hedron.succeed('api-keys', 'delete', '--', created.id)
  expect((await other.run('whoami')).stderr).toContain('unauthorized (401)')
  await other.dispose()
})

test('a key that may not is told what is missing', async () => {
  const apiKey = await createKey(api, {
    policies: [{ resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['All'] }],
  })
  const reader = await createHedron({ baseUrl: api.baseUrl, apiKey })
  const refused = await reader.run('deployments', 'create', '--name', unique('cli'))
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toMatch(/^error: forbidden \(403\): This needs the permission /)
  await reader.dispose()
})
