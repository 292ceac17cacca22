import { setTimeout as sleep } from 'node:timers/promises'
import { CodedError } from '@hedron/contract'
import { compiledModels } from '@hedron/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Compiler } from '../../src/builds/compiler.ts'
import { createReadModel } from '../../src/builds/read-model.ts'
import { type Developer, developer } from '../branches/developer.ts'
import { lineCompiler } from '../branches/line-compiler.ts'
import { createWorkbench, refusal, type Workbench } from '../branches/workbench.ts'

const compiler = lineCompiler()
let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench(compiler)
})
afterAll(() => bench.close())

async function start(files: Readonly<Record<string, string>> = { 'model/a.yml': 'cube\n' }): Promise<Developer> {
  const deploymentId = await bench.deployment(files)
  return developer(bench, bench.caller('ada'), deploymentId)
}

/** How many times `work` compiles something. */
async function compilations(work: () => Promise<unknown>): Promise<number> {
  const before = compiler.compiled.length
  await work()
  return compiler.compiled.length - before
}

describe('a tree', () => {
  test('compiles once, however many ask at once, and is then in memory', async () => {
    const ada = await start({ 'model/once.yml': 'cube\n' })
    const { store, objects, account } = bench
    let compilations = 0
    const slow: Compiler = {
      ...compiler,
      version: 'slow-1',
      async compile(files, deploymentId) {
        compilations++
        await sleep(200)
        return compiler.compile(files, deploymentId)
      },
    }
    const readModel = createReadModel({ store, objects, compiler: slow, report: () => {} })
    const project = { accountId: account.id, deploymentId: ada.params.deploymentId, deployProjectRoot: '/' }
    const tree = (await ada.status()).filesHash ?? ''
    const models = await Promise.all(Array.from({ length: 5 }, () => readModel(project, tree)))
    expect(compilations).toBe(1)
    expect(new Set(models).size).toBe(1)
    expect(await readModel(project, tree)).toBe(models[0])
  })

  test('that was compiled before, by another node or on another branch, is read', async () => {
    const ada = await start({ 'model/twice.yml': 'cube\ncube\n' })
    await ada.validate()
    const other = lineCompiler()
    const { store, objects, account } = bench
    const readModel = createReadModel({ store, objects, compiler: other, report: () => {} })
    const project = { accountId: account.id, deploymentId: ada.params.deploymentId, deployProjectRoot: '/' }
    const tree = (await ada.status()).filesHash ?? ''
    expect(await readModel(project, tree)).toMatchObject({ tree, cubesCount: 2, model: { cubes: [], views: [] } })
    expect(other.compiled).toEqual([])
    await ada.enter()
    expect(await compilations(() => ada.validate({ devMode: true }))).toBe(0)
    const later = createReadModel({ store, objects, compiler: { ...other, version: 'lines-2' }, report: () => {} })
    await later(project, tree)
    expect(other.compiled).toHaveLength(1)
  })

  test('compiles again only when something in the project changed', async () => {
    const ada = await start({ 'sub/model/a.yml': 'cube\n', outside: '1' })
    await bench.settings(ada.params.deploymentId, { deployProjectRoot: '/sub' })
    await ada.enter()
    expect(await ada.validate({ devMode: true })).toMatchObject({ valid: true, cubesCount: 1 })
    await ada.write({ outside: '2' })
    expect(await compilations(() => ada.validate({ devMode: true }))).toBe(0)
    await ada.write({ 'sub/model/a.yml': 'cube\ncube\n' })
    expect((await ada.validate({ devMode: true })).cubesCount).toBe(2)
    await bench.settings(ada.params.deploymentId, { deployProjectRoot: '/nowhere' })
    expect(await ada.validate({ devMode: true })).toMatchObject({ valid: true, cubesCount: 0 })
  })

  test('gives the compiler the files of the model alone', async () => {
    const ada = await start({ 'model/a.yml': 'cube\n', 'README.md': 'cube\n', 'other/b.yml': 'cube\n' })
    expect((await ada.validate()).cubesCount).toBe(1)
    expect(compiler.compiled.at(-1)).toBe('model/a.yml')
  })

  test('that makes the compiler fail is a problem of Hedron, told as such and tried again', async () => {
    const ada = await start({ 'model/a.yml': 'crash\n' })
    const before = bench.reported.length
    const answer = await ada.validate()
    expect(answer).toMatchObject({ valid: false, errors: [{ code: 'compiler_fault', fileName: null }] })
    expect(bench.reported.slice(before)).toEqual([expect.objectContaining({ message: 'the compiler crashed' })])
    expect(await compilations(() => ada.validate())).toBe(1)
  })
})

describe('a compilation that another try could end otherwise', () => {
  async function withCompiler(compile: Compiler['compile']) {
    const ada = await start({ 'model/a.yml': 'cube\n' })
    const { store, objects, account } = bench
    const reported: unknown[] = []
    const needs = { store, objects, compiler: { ...compiler, version: 'unsure', compile } }
    const node = () => createReadModel({ ...needs, report: error => reported.push(error) })
    const project = { accountId: account.id, deploymentId: ada.params.deploymentId, deployProjectRoot: '/' }
    return { node, project, tree: (await ada.status()).filesHash ?? '', reported }
  }

  test('is kept in memory for a while and never stored', async () => {
    const problem = { code: 'compile_too_slow', message: 'Too slow.', file: '', line: 1, column: 1 }
    let compilations = 0
    const { node, project, tree, reported } = await withCompiler(async () => {
      compilations++
      return { model: null, problems: [problem], warnings: [], cubesCount: 0, isFinal: false }
    })
    const readModel = node()
    expect(await readModel(project, tree)).toMatchObject({ model: null, problems: [problem] })
    await readModel(project, tree)
    expect(compilations).toBe(1)
    await node()(project, tree)
    expect(compilations).toBe(2)
    expect(reported).toEqual([])
  })

  test('is refused when too many wait, which is no fault of the model', async () => {
    const { node, project, tree, reported } = await withCompiler(async () => {
      throw new CodedError('rate_limited', { seconds: 5 })
    })
    await refusal(node()(project, tree), 'rate_limited')
    expect(reported).toEqual([])
  })
})

describe('validate', () => {
  test('is of the deploy branch when none is named, whatever the session', async () => {
    const ada = await start()
    await ada.enter()
    await ada.write({ 'model/a.yml': 'broken\n' })
    expect(await ada.validate()).toEqual({
      deploymentId: ada.params.deploymentId,
      branchName: 'main',
      mode: 'production',
      valid: true,
      errors: [],
      warnings: [],
      cubesCount: 1,
    })
    expect((await ada.validate({ branchName: '' })).branchName).toBe('main')
  })

  test('tells each problem with its place', async () => {
    const ada = await start()
    const branchName = await ada.enter()
    await ada.write({ 'model/cubes/orders.yml': 'cube\n\nbroken\n' })
    const answer = await ada.validate({ devMode: true })
    expect(answer).toMatchObject({ branchName, mode: 'dev_mode', valid: false, cubesCount: 2 })
    expect(answer.errors).toEqual([
      {
        message: 'line 3, column 1: This line is broken.',
        fileName: 'model/cubes/orders.yml',
        line: 3,
        column: 1,
        code: 'line_broken',
      },
    ])
    expect(await ada.validate({ branchName })).toEqual(answer)
  })

  test('of a shared branch is of its head, built or not', async () => {
    const ada = await start()
    await ada.createBranch({ name: 'feature' })
    await ada.enter('feature')
    await ada.write({ 'model/a.yml': 'broken\n' })
    expect((await ada.validate({ branchName: 'feature' })).valid).toBe(true)
    await ada.commit()
    expect(await ada.validate({ branchName: 'feature' })).toMatchObject({ valid: false, mode: 'dev_mode' })
  })

  test('refuses both parameters, no session and an unknown branch', async () => {
    const ada = await start()
    await refusal(ada.validate({ devMode: true }), 'dev_mode_inactive')
    await refusal(ada.validate({ devMode: true, branchName: 'main' }), 'invalid_request')
    await refusal(ada.validate({ branchName: 'nowhere' }), 'branch_not_found')
  })
})

test('compiled models are kept for the newest hundred trees of a deployment', async () => {
  const ada = await start()
  const other = await start()
  const { store, account } = bench
  const kept = async (who: Developer) =>
    (
      await store.kysely
        .selectFrom('compiledModels')
        .select('compilerVersion')
        .where('deploymentId', '=', who.params.deploymentId)
        .orderBy('createdAt')
        .execute()
    ).map(row => row.compilerVersion)
  await other.validate()
  for (let index = 0; index < 103; index++) {
    await compiledModels.insertCompiledModel(
      store.kysely,
      account.id,
      { deploymentId: ada.params.deploymentId, tree: '1'.repeat(40), compilerVersion: `version ${index}` },
      { model: '{}', problems: [], warnings: [], cubesCount: 0 },
    )
  }
  const versions = await kept(ada)
  expect(versions).toHaveLength(100)
  expect(versions.at(-1)).toBe('version 102')
  expect(versions).not.toContain('version 2')
  expect(await kept(other)).toHaveLength(1)
})
