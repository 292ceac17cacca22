import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi } from '../support/api.ts'
import { type CuttingProxy, type Fate, startCuttingProxy } from './cutting-proxy.ts'
import { createHedron, type Hedron } from './hedron.ts'

const api = sharedApi()
const isUpload = (path: string) => path.endsWith('/upload/file')
/** They travel in three requests. */
const count = 450

let apiKey = ''
let hedron: Hedron
beforeAll(async () => {
  apiKey = await createKey(api)
  hedron = await createHedron({ baseUrl: api.baseUrl, apiKey })
})
afterAll(() => hedron.dispose())

async function writeProject(name: string): Promise<string> {
  const project = join(hedron.folder, name)
  await mkdir(join(project, 'model'), { recursive: true })
  for (let number = 0; number < count; number++) {
    await writeFile(join(project, 'model', `f${number}.yml`), `# ${name} ${number}\ncubes: []\n`)
  }
  return project
}

async function filesOn(id: string): Promise<number> {
  return Object.keys(Object(await hedron.json('data-model', 'file-hashes', id, '--branch', 'main'))).length
}

/** The command line behind a proxy that cuts. */
async function behind<T>(
  fateOf: (path: string) => Fate | Promise<Fate>,
  act: (cut: Hedron) => Promise<T>,
  answered?: (path: string) => void,
): Promise<T> {
  const proxy: CuttingProxy = await startCuttingProxy(api.baseUrl, fateOf, answered)
  const cut = await createHedron({ baseUrl: proxy.baseUrl, apiKey })
  try {
    return await act(cut)
  } finally {
    proxy.close()
    await cut.dispose()
  }
}

describe('a deploy whose connection is cut (issue 8, Speed: resumed after a cut connection)', () => {
  test('sends again what did not arrive, and ends as if nothing had been', async () => {
    const id = String(await createDeployment(api, { deployMode: 'cli' }))
    const project = await writeProject('again')
    let uploads = 0
    const fateOf = (path: string): Fate => (isUpload(path) && ++uploads <= 2 ? 'cut' : 'passed')
    await behind(fateOf, cut => cut.succeed('deploy', id, '--directory', project))
    expect(uploads).toBe(5)
    expect(await filesOn(id)).toBe(count)
  })

  test('for good changes nothing; the next deploy sends only what had not arrived', async () => {
    const id = String(await createDeployment(api, { deployMode: 'cli' }))
    const project = await writeProject('resumed')
    const before = await filesOn(id)
    let uploads = 0
    const first = Promise.withResolvers<void>()
    const fateOf = async (path: string): Promise<Fate> => {
      if (!isUpload(path) || ++uploads === 1) return 'passed'
      await first.promise
      return 'cut'
    }
    const answered = (path: string) => {
      if (isUpload(path)) first.resolve()
    }
    const failed = await behind(fateOf, cut => cut.run('deploy', id, '--directory', project), answered)
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' })
    expect(await filesOn(id)).toBe(before)

    let resumed = 0
    const counting = (path: string): Fate => {
      if (isUpload(path)) resumed += 1
      return 'passed'
    }
    const { exitCode, stderr } = await behind(counting, cut => cut.run('deploy', id, '--directory', project))
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toMatch(/ (50|200) of 450 arrived before, for a plan or a deploy that was not finished/)
    expect(resumed).toBeLessThan(3)
    expect(await filesOn(id)).toBe(count)
  })

  test('takes the files as they are now, not as they were when it was cut', async () => {
    const id = String(await createDeployment(api, { deployMode: 'cli' }))
    const project = await writeProject('edited')
    const atTheEnd = (path: string): Fate => (path.endsWith('/upload/finish') ? 'cut' : 'passed')
    expect((await behind(atTheEnd, cut => cut.run('deploy', id, '--directory', project))).exitCode).toBe(1)
    await writeFile(join(project, 'model', 'f7.yml'), '# edited since\ncubes: []\n')
    const { exitCode, stderr } = await hedron.run('deploy', id, '--directory', project)
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain('449 of 450 arrived before, for a plan or a deploy that was not finished')
    expect(await hedron.succeed('data-model', 'get', id, 'model/f7.yml', '--branch', 'main')).toContain('edited since')
  })

  test('after the server had finished it is done, and the next deploy finds nothing to send', async () => {
    const id = String(await createDeployment(api, { deployMode: 'cli' }))
    const project = await writeProject('unanswered')
    const atTheEnd = (path: string): Fate => (path.endsWith('/upload/finish') ? 'unanswered' : 'passed')
    expect((await behind(atTheEnd, cut => cut.run('deploy', id, '--directory', project))).exitCode).toBe(1)
    expect(await filesOn(id)).toBe(count)
    const { exitCode, stderr } = await hedron.run('deploy', id, '--directory', project)
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain('Uploading 0 changed file(s)')
    expect(stderr).not.toContain('arrived')
  })
})
