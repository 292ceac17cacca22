import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../support/scope.ts'
import { createExpected, type Expected } from './expected.ts'
import { createFaults, type Faults } from './faults.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createPlatformClient, type PlatformClient } from './platform-client.ts'
import { calmFiles, modelFiles, versionFile, versionPath } from './project.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { type Source, startSource } from './source.ts'
import { createTicks, type Ticks } from './ticks.ts'

/** Everything that is under load, and what is known to be true of it. */
export interface World {
  readonly server: ServerProcess
  readonly source: Source
  readonly platform: PlatformClient
  readonly faults: Faults
  readonly ledger: Ledger
  readonly ticks: Ticks
  /** The deployment over the source, the demo, and one that nothing is changed of. */
  readonly shop: Target
  readonly demo: Target
  readonly calm: Target
  /** Of the model in production, which commits change. */
  readonly version: Expected<number>
  /** Rows of a query that names no limit, which a variable changes. */
  readonly defaultLimit: Expected<number>
  readonly sqlPort: number
}

/** A deployment and a token for its data API. */
export interface Target {
  readonly deploymentId: number
  readonly token: string
  /** Of the data API of production, to `/cubejs-api`. */
  readonly url: string
}

interface Credential {
  readonly type: string
  readonly port: number
}

export async function startWorld(scope: Scope, say: (message: string) => void): Promise<World> {
  say('starting a PostgreSQL as the source, and the platform in a new data directory')
  const source = await startSource(scope)
  const server = await startServerProcess(scope)
  const platform = createPlatformClient(server, server.apiKey)

  say('making the deployment')
  const deploymentId = await createShop(platform, source)
  const calmId = await createProject(platform, 'calm', {}, calmFiles)
  const target = async (id: number): Promise<Target> => {
    const { cubeApiToken } = await platform.call<{ cubeApiToken: string }>('POST', `/api/v1/deployments/${id}/token`)
    return { deploymentId: id, token: cubeApiToken, url: `${server.baseUrl}/data/${id}/cubejs-api` }
  }
  const { items } = await platform.call<{ items: { id: number; name: string }[] }>('GET', '/api/v1/deployments')
  const demo = items.find(({ name }) => name === 'flights')
  if (demo === undefined) throw new Error('the demo deployment is not there')
  const environments = await platform.call<{ items: { api_credentials: Credential[] }[] }>(
    'GET',
    `/api/v1/deployments/${deploymentId}/environments`,
  )
  const sql = environments.items[0]?.api_credentials.find(({ type }) => type === 'sql')
  if (sql === undefined) throw new Error('no port of the SQL protocol is told')
  return {
    server,
    source,
    platform,
    faults: createFaults(say),
    ledger: createLedger(say),
    ticks: createTicks(),
    shop: await target(deploymentId),
    demo: await target(demo.id),
    calm: await target(calmId),
    version: createExpected(0),
    defaultLimit: createExpected(10_000),
    sqlPort: Number(sql.port),
  }
}

function createShop(platform: PlatformClient, source: Source): Promise<number> {
  const variables = {
    ...source.variables,
    CUBEJS_DATASOURCES: 'default,local',
    CUBEJS_DS_LOCAL_DB_TYPE: 'duckdb',
  }
  return createProject(platform, 'soak', variables, { ...modelFiles, [versionPath]: versionFile(0) })
}

/** A deployment whose production answers from these files. @returns its id */
async function createProject(
  platform: PlatformClient,
  name: string,
  variables: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
): Promise<number> {
  const { id } = await platform.call<{ id: number }>('POST', '/build/api/v1/deployments', { name })
  if (Object.keys(variables).length > 0) await setVariables(platform, id, variables)
  const author = await createAuthor(platform)
  const branchName = await enterDevMode(author, id)
  const base = `/build/api/v1/deployments/${id}`
  await author.call('DELETE', `${base}/data-model/files`, {
    branchName,
    files: [{ path: 'model/cubes/example_orders.yml' }],
  })
  await putFiles(author, id, branchName, files)
  await author.call('POST', `${base}/commit`, { branchName, exitDevMode: true })
  const state = await untilBuilt(platform, id)
  if (state !== 'built') throw new Error(`the model of ${name} was not built: ${state}`)
  return id
}

/** Somebody with a key, and so with a dev branch, of his own. */
export async function createAuthor(platform: PlatformClient): Promise<PlatformClient> {
  const name = `author ${randomBytes(4).toString('hex')}`
  const { token } = await platform.call<{ token: string }>('POST', '/api/v1/api-keys', { name })
  return platform.with(token)
}

/** @returns the name of the author's branch */
export async function enterDevMode(author: PlatformClient, deploymentId: number): Promise<string> {
  const path = `/build/api/v1/deployments/${deploymentId}/dev-mode`
  const { branchName } = await author.call<{ branchName: string }>('POST', path, { branchName: 'main' })
  return branchName
}

export async function putFiles(
  author: PlatformClient,
  deploymentId: number,
  branchName: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await author.call('PUT', `/build/api/v1/deployments/${deploymentId}/data-model/files`, {
    branchName,
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
  })
}

export async function setVariables(
  platform: PlatformClient,
  deploymentId: number,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const pairs = Object.entries(variables).map(([name, value]) => ({ name, value }))
  await platform.call('PUT', `/api/v1/deployments/${deploymentId}/env-vars`, { env_variables: pairs })
}

/** Waits until the newest build of production has ended. @returns how */
export async function untilBuilt(platform: PlatformClient, deploymentId: number): Promise<'built' | 'failed'> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const path = `/api/v1/deployments/${deploymentId}/build-status`
    const { status } = await platform.call<{ status: string }>('GET', path)
    if (status === 'built' || status === 'failed') return status
    if (performance.now() > deadline) throw new Error(`the build is still ${status} after a minute`)
    await sleep(50)
  }
}
