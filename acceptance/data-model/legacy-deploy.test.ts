import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildOf, createDeployment, createKey, load, sharedApi } from '../support/api.ts'
import { numbers } from '../support/project.ts'

const api = sharedApi()
let folder = ''
let id = 0
let auth = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedron-legacy-'))
  id = await createDeployment(api, { deployMode: 'cli' })
  auth = await createKey(api)
  await mkdir(join(folder, 'model'))
  await writeFile(join(folder, 'model/numbers.yml'), numbers('sum'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A request as the package sends it: the credential without a scheme, and JSON said of everything. */
const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${api.baseUrl}/build/deploy/${id}/${path}`, {
    method,
    headers: { authorization: auth, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, body: Object(await answer.json()) }
}

describe('the older deploy protocol (/build/deploy)', () => {
  test('hashes, start, one file a request, finish, as the package sends them', async () => {
    expect((await send('GET', 'files')).status).toBe(200)
    await send('POST', 'set-env?replaceEnv=false', { envVariables: JSON.stringify({ CUBEJS_DB_TYPE: 'duckdb' }) })
    const { body: started } = await send('POST', 'start-upload')
    expect(started.transaction).toBeDefined()
    const boundary = 'legacy'
    const part = (head: string, content: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
    const form = [
      part('name="transaction"', JSON.stringify(started.transaction)),
      part('name="fileName"', 'model/numbers.yml'),
      part('name="file"; filename="numbers.yml"', numbers('sum')),
      `--${boundary}--\r\n`,
    ].join('')
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    expect(await send('POST', 'upload-file', form, type)).toMatchObject({ status: 200, body: { success: true } })
    const { createHash } = await import('node:crypto')
    const files = { 'model/numbers.yml': { hash: createHash('sha1').update(numbers('sum')).digest('hex') } }
    expect((await send('POST', 'finish-upload', { transaction: started.transaction, files })).status).toBe(200)
    await buildOf(api, id)
    expect((await load(api, id, { measures: ['numbers.sum'] })).body.data).toEqual([{ 'numbers.sum': '12' }])
    expect((await send('GET', 'files')).body).toEqual(files)
  })

  test('what it cannot do it refuses, and nobody gets in without a credential', async () => {
    const replaced = await send('POST', 'set-env?replaceEnv=true', { envVariables: '{}' })
    expect(replaced).toMatchObject({ status: 400, body: { message: expect.stringContaining('replaceEnv') } })
    expect((await send('POST', 'set-env', { envVariables: '[1]' })).status).toBe(400)
    expect((await fetch(`${api.baseUrl}/build/deploy/${id}/files`)).status).toBe(401)
    expect((await send('GET', 'files', undefined, { authorization: 'sk-nobody' })).status).toBe(401)
  })

  test('the package itself deploys a folder, and again what changed', async () => {
    const { CubeCloudClient, DeployController } = createRequire(import.meta.url)('@cubejs-backend/cloud')
    const client = new CubeCloudClient({ auth, deploymentId: id, url: api.baseUrl })
    const uploaded: string[] = []
    const deploy = () =>
      new DeployController(
        client,
        { envVariables: { CUBEJS_DB_TYPE: 'duckdb' } },
        { onUpload: (_: unknown, file: string) => uploaded.push(file) },
      ).deploy(folder)
    await writeFile(join(folder, 'model/more.yml'), numbers('max').replace('numbers', 'more'))
    expect(await deploy()).toMatchObject({ lastHash: expect.stringMatching(/^[0-9a-f]{40}$/) })
    await deploy()
    expect(uploaded).toEqual([join('model', 'more.yml')])
    await buildOf(api, id)
    expect((await load(api, id, { measures: ['more.max'] })).body.data).toEqual([{ 'more.max': '7' }])
  })
})
