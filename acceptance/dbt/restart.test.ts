import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi, createDeployment, eventually } from '../support/api.ts'
import { type FileRepository, serveRepository } from '../support/git-files.ts'
import { type RunningPlatform, startPlatform, temporaryDirectory } from '../support/start-platform.ts'

let folder: string
let repository: FileRepository
let platform: RunningPlatform
let api: Api
let id: number

/** A dbt that hangs the first time it comes to a command, and writes a manifest the second time. */
const program = (place: string) => `#!/bin/sh
if [ ! -e ${place}/$1 ]; then echo $$ > ${place}/$1; sleep 600; fi
if [ "$1" = parse ]; then cp ${place}/manifest.json target/manifest.json; fi
`

const start = async (from?: RunningPlatform) => {
  platform = await startPlatform({
    ...(from === undefined ? {} : { dataDirectory: from.dataDirectory, database: from.database }),
    environment: {
      HEDRON_DBT_PROGRAM: join(folder, 'dbt'),
      ...(from === undefined ? {} : { HEDRON_BOOTSTRAP_API_KEY: from.apiKey }),
    },
  })
  api = createApi(platform.baseUrl, platform.apiKey)
}

beforeAll(async () => {
  folder = await temporaryDirectory()
  const manifest = await readFile(new URL('fixtures/shop-manifest.json', import.meta.url), 'utf8')
  await writeFile(join(folder, 'manifest.json'), manifest)
  await writeFile(join(folder, 'dbt'), program(folder))
  await chmod(join(folder, 'dbt'), 0o755)
  await mkdir(join(folder, 'git'))
  repository = await serveRepository(join(folder, 'git'), {
    'dbt_project.yml': 'name: shop\n',
    'profiles.yml': 'shop: {}\n',
    'packages.yml': 'packages: []\n',
    'target/.keep': '',
  })
  await start()
  id = await createDeployment(api)
  const variables = [{ name: 'HEDRON_DBT_REPOSITORY', value: repository.url }]
  await api.put(`/api/v1/deployments/${id}/env-vars`, { env_variables: variables })
})
afterAll(async () => {
  repository?.close()
  await platform?.dispose()
  if (platform !== undefined) await rm(platform.dataDirectory, { recursive: true, force: true, maxRetries: 5 })
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

const statusOf = async (job: string) => (await api.get(`/api/v1/deployments/${id}/dbt-sync/${job}`)).body

describe('a sync outlives servers that are killed in the middle of it', () => {
  test('while dbt installs packages, and while it parses; dbt itself does not', async () => {
    const started = await api.post(`/api/v1/deployments/${id}/dbt-sync`, { ref: 'main' })
    const job = String(started.body.syncJobId)
    for (const command of ['deps', 'parse']) {
      const pid = await eventually(
        () => readFile(join(folder, command), 'utf8').then(Number, () => 0),
        found => found > 0,
        60_000,
      )
      expect((await statusOf(job)).status).toBe(command === 'deps' ? 'RUNNING_DBT_DEPS' : 'COMPILING_DBT')
      const before = platform
      await before.kill()
      expect(
        await eventually(
          async () => isAlive(pid),
          alive => !alive,
        ),
      ).toBe(false)
      await start(before)
    }
    const ended = await eventually(
      () => statusOf(job),
      ({ status }) => ['COMPLETED', 'FAILED'].includes(String(status)),
      60_000,
    )
    expect(ended).toMatchObject({ status: 'COMPLETED', error: null })
    const result = await api.get(`/api/v1/deployments/${id}/dbt-sync/${job}/result`)
    expect(result.body).toMatchObject({ cubeCount: 5 })
    const { body } = await api.get(`/build/api/v1/deployments/${id}/branches`)
    const names = JSON.parse(JSON.stringify(body.items)).map((branch: { name: string }) => branch.name)
    expect(names.filter((name: string) => name.startsWith('dbt-sync/'))).toEqual([started.body.branchName])
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
