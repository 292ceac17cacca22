import { describe, expect, test } from 'vitest'
import { buildOf, eventually, load, sharedApi } from '../support/api.ts'
import { expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Modeler, numbers, numbersPath, upload } from '../support/project.ts'

const api = sharedApi()
const broken = 'cubes:\n  - name: numbers\n    sql_tabel: x\n'

const count = async ({ deploymentId }: Modeler, branch?: string) =>
  (await load(api, deploymentId, { measures: ['numbers.count'] }, branch === undefined ? {} : { branch })).body

describe('validate', () => {
  test('of a good model says so, with the number of its cubes', async () => {
    const { client, params, deploymentId } = await createModeler(api)
    expect(await client.validateDataModel({ params })).toEqual({
      deploymentId,
      branchName: 'main',
      mode: 'production',
      valid: true,
      errors: [],
      warnings: [],
      cubesCount: 1,
    })
  })

  test('of a model that has something without effect says where, and says so again when nothing was compiled anew', async () => {
    const modeler = await createModeler(api)
    await modeler.enter()
    await modeler.write({ [numbersPath]: numbers().replace('sql:', 'rewrite_queries: true\n    sql:') })
    const ask = () => modeler.client.validateDataModel({ params: modeler.params, query: { devMode: true } })
    const { valid, errors, warnings } = await ask()
    expect([valid, errors]).toEqual([true, []])
    expect(warnings).toEqual([
      {
        fileName: numbersPath,
        line: 3,
        column: 5,
        code: 'no_effect',
        message: expect.stringContaining("'rewrite_queries'"),
      },
    ])
    expect((await ask()).warnings).toEqual(warnings)
  })

  test('of a broken model answers 200 with each error, its file, line and column', async () => {
    const modeler = await createModeler(api)
    await modeler.enter()
    await modeler.write({
      'model/one.yml': broken,
      'model/two.yml': 'cubes:\n  - name: [unclosed\n',
      'model/three.yml': numbers().replace('name: numbers', 'name: three').replace('type: count', 'type: cuont'),
    })
    const { valid, errors, mode } = await modeler.client.validateDataModel({
      params: modeler.params,
      query: { devMode: true },
    })
    expect([valid, mode]).toEqual([false, 'dev_mode'])
    expect(new Set(errors.map(({ fileName }) => fileName))).toEqual(
      new Set(['model/one.yml', 'model/two.yml', 'model/three.yml']),
    )
    for (const { fileName, line, column, message, code } of errors) {
      expect(line, fileName ?? '').toBeGreaterThan(0)
      expect(column).toBeGreaterThan(0)
      expect(message).not.toBe('')
      expect(code).not.toBeNull()
    }
    expect(
      errors.find(error => error.fileName === 'model/one.yml' && error.message.includes('sql_tabel')),
    ).toMatchObject({
      line: 3,
      column: 5,
    })
    expect(errors.find(error => error.fileName === 'model/three.yml')).toMatchObject({
      line: 11,
      message: expect.stringContaining('cuont'),
    })
  })

  test('is of the branch named, of the dev branch, or of the deploy branch; both are refused', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const dev = await modeler.enter()
    await modeler.write({ 'model/bad.yml': broken })
    const valid = async (query: { branchName?: string; devMode?: boolean }) => {
      const answer = await client.validateDataModel({ params, query })
      return [answer.branchName, answer.valid]
    }
    expect(await valid({})).toEqual(['main', true])
    expect(await valid({ devMode: false })).toEqual(['main', true])
    expect(await valid({ branchName: 'main' })).toEqual(['main', true])
    expect(await valid({ branchName: dev })).toEqual([dev, false])
    expect(await valid({ devMode: true })).toEqual([dev, false])
    await expectRefusal(valid({ branchName: dev, devMode: true }), 'invalid_request', /cannot be combined/)
    await expectRefusal(valid({ branchName: 'nowhere' }), 'branch_not_found', /"nowhere"/)
  })

  test('of an empty project is valid and has no cubes', async () => {
    const modeler = await createModeler(api)
    await modeler.enter()
    await modeler.remove('model/cubes/example_orders.yml')
    const answer = await modeler.client.validateDataModel({ params: modeler.params, query: { devMode: true } })
    expect(answer).toMatchObject({ valid: true, cubesCount: 0, errors: [] })
  })
})

describe('build status', () => {
  test('tells production, staging and dev mode apart', async () => {
    const modeler = await createModeler(api)
    const { client, params, deploymentId } = modeler
    await client.createBranch({ params, body: { name: 'shared' } })
    const status = async (branchName?: string) =>
      (await client.buildStatus({ params, query: branchName === undefined ? {} : { branchName } })).mode
    expect(await status()).toBe('production')
    expect(await status('shared')).toBe('staging')
    const dev = await modeler.enter('shared')
    expect([await status(), await status(dev), await status('main')]).toEqual(['dev_mode', 'dev_mode', 'production'])
    const built = (await buildOf(api, deploymentId, 'shared')).body
    expect(built).toMatchObject({ deploymentId, branchName: 'shared', status: 'built', errorText: null })
    expect(built.lastHash).toBe(await modeler.head('shared'))
    expect(built.filesHash).toMatch(/^[0-9a-f]{40}$/)
    expect(new Date(String(built.updatedAt)).toISOString()).toBe(built.updatedAt)
  })

  test('of a branch that is not there is refused', async () => {
    const { client, params } = await createModeler(api)
    await expectRefusal(client.buildStatus({ params, query: { branchName: 'nowhere' } }), 'branch_not_found', /nowhere/)
  })

  test('of a dev branch follows its files without any commit', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await modeler.enter()
    const good = await client.buildStatus({ params })
    await modeler.write({ 'model/bad.yml': broken })
    const bad = await client.buildStatus({ params })
    expect(bad).toMatchObject({
      mode: 'dev_mode',
      status: 'failed',
      errorText: expect.stringContaining('model/bad.yml'),
    })
    expect(bad.filesHash).not.toBe(good.filesHash)
    await modeler.remove('model/bad.yml')
    expect(await client.buildStatus({ params })).toMatchObject({
      status: 'built',
      filesHash: good.filesHash,
      errorText: null,
    })
  })
})

describe('a model that does not compile is stored, and production keeps serving the last good build', () => {
  test.each<[string, (modeler: Modeler, content: string) => Promise<unknown>]>([
    ['an upload', (modeler, content) => upload(modeler, { [numbersPath]: content })],
    [
      'a commit',
      async (modeler, content) => {
        await modeler.enter()
        await modeler.write({ [numbersPath]: content })
        await modeler.commit()
        await modeler.client.stopDevMode({ params: modeler.params })
      },
    ],
  ])('by %s', async (_, change) => {
    const modeler = await createModeler(api)
    const { client, params, deploymentId } = modeler
    await change(modeler, numbers('sum'))
    await buildOf(api, deploymentId)
    expect((await count(modeler)).data).toEqual([{ 'numbers.count': '2' }])

    await change(modeler, broken)
    const failed = (await buildOf(api, deploymentId)).body
    expect(failed).toMatchObject({ status: 'failed', mode: 'production', deploymentStatus: 'running' })
    expect(failed.errorText).toMatch(/model\/numbers\.yml:\d+:\d+ /)
    expect(failed.lastHash).toBe(await modeler.head('main'))
    expect((await modeler.files('main'))[numbersPath]).toBe(broken)
    const { valid, errors } = await client.validateDataModel({ params })
    expect(valid).toBe(false)
    expect(errors).toContainEqual(expect.objectContaining({ fileName: numbersPath, line: 3, column: 5 }))
    expect((await count(modeler)).data).toEqual([{ 'numbers.count': '2' }])

    await change(modeler, numbers('max'))
    const mended = await eventually(
      async () => (await client.buildStatus({ params })).status,
      status => status === 'built',
    )
    expect(mended).toBe('built')
    const { body } = await load(api, deploymentId, { measures: ['numbers.max'] })
    expect(body.data).toEqual([{ 'numbers.max': '7' }])
  })

  test('a dev branch answers with the errors of its own files', async () => {
    const modeler = await createModeler(api)
    const dev = await modeler.enter()
    await modeler.write({ [numbersPath]: broken })
    const { error } = await count(modeler, dev)
    expect(String(error)).toMatch(/model\/numbers\.yml/)
    expect((await load(api, modeler.deploymentId, { measures: ['example_orders.count'] })).status).toBe(200)
  })
})

describe('every change of a shared branch is built', () => {
  test('the newest of many pushes at once is what is served in the end', async () => {
    const modeler = await createModeler(api)
    for (const measures of [['sum'], ['sum', 'min'], ['sum', 'min', 'max']]) {
      await upload(modeler, { [numbersPath]: numbers(...measures) })
    }
    const { client, params, deploymentId } = modeler
    const head = await modeler.head('main')
    const status = await eventually(
      () => client.buildStatus({ params }),
      ({ status, lastHash }) => status === 'built' && lastHash === head,
    )
    expect(status.errorText).toBeNull()
    const { body } = await load(api, deploymentId, { measures: ['numbers.max', 'numbers.min'] })
    expect(body.data).toEqual([{ 'numbers.max': '7', 'numbers.min': '5' }])
  })

  test('staging answers from its own branch', async () => {
    const modeler = await createModeler(api)
    const { client, params, deploymentId } = modeler
    await client.createBranch({ params, body: { name: 'feature/staged' } })
    await upload(modeler, { [numbersPath]: numbers() }, { branchName: 'feature/staged' })
    await buildOf(api, deploymentId, 'feature/staged')
    expect((await count(modeler, 'feature/staged')).data).toEqual([{ 'numbers.count': '2' }])
    expect(await count(modeler)).toHaveProperty('error')
  })
})
