import { setTimeout as sleep } from 'node:timers/promises'
import { builds } from '@hedron/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBuildRunner } from '../../src/builds/build-runner.ts'
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

/** The status of a branch once nothing builds it any more. */
async function settled(who: Developer, branchName = 'main', wake = bench.runner.notify) {
  for (let tries = 0; tries < 200; tries++) {
    wake()
    const status = await who.status(branchName)
    if (status.status !== 'building') return status
    await sleep(20)
  }
  throw new Error(`branch ${branchName} is still building`)
}

const served = (who: Developer, branchName: string | null = null) =>
  bench.findBranchModel(bench.account.id, who.params.deploymentId, branchName)

describe('a build', () => {
  test('goes from building to built, and its tree is then served', async () => {
    const ada = await start()
    expect(await ada.status()).toMatchObject({ status: 'building', mode: 'production', deploymentStatus: 'none' })
    expect(await served(ada)).toMatchObject({ compiled: null, building: true })
    const status = await settled(ada)
    expect(status).toMatchObject({
      deploymentId: ada.params.deploymentId,
      branchName: 'main',
      mode: 'production',
      status: 'built',
      errorText: null,
      deploymentStatus: 'running',
      buildJobId: expect.any(Number),
    })
    const main = await bench.branch(ada.params.deploymentId, 'main')
    expect(status).toMatchObject({ lastHash: main.head, filesHash: main.servingTree })
    expect(new Date(status.updatedAt ?? '').getTime()).not.toBeNaN()
    expect(await served(ada)).toMatchObject({
      branchName: 'main',
      building: false,
      compiled: { cubesCount: 1, problems: [] },
    })
  })

  test('that ended between the look at the branch and the look at the build is what is served', async () => {
    const ada = await start()
    await settled(ada)
    const { deploymentId } = ada.params
    // The branch as it was read before the build ended.
    await bench.store.kysely
      .updateTable('branches')
      .set({ servingTree: null })
      .where('deploymentId', '=', deploymentId)
      .execute()
    expect(await served(ada)).toMatchObject({ building: false, compiled: { cubesCount: 1 } })
  })

  test('that fails says where, and production keeps the last good one', async () => {
    const ada = await start()
    const good = await settled(ada)
    await ada.enter()
    await ada.write({ 'model/b.yml': 'cube\n\nbroken\nbroken\n' })
    await ada.commit()
    const failed = await settled(ada)
    expect(failed).toMatchObject({
      status: 'failed',
      errorText: 'model/b.yml:3:1 This line is broken. (and 1 more problem)',
      deploymentStatus: 'running',
    })
    expect(failed.filesHash).not.toBe(good.filesHash)
    expect((await served(ada))?.compiled?.tree).toBe(good.filesHash)
    await ada.write({ 'model/b.yml': 'cube\n' })
    await ada.commit()
    expect(await settled(ada)).toMatchObject({ status: 'built', errorText: null })
    expect((await served(ada))?.compiled?.cubesCount).toBe(2)
  })

  test('is made of each shared branch, from its first moment', async () => {
    const ada = await start()
    await ada.createBranch({ name: 'feature' })
    expect(await settled(ada, 'feature')).toMatchObject({ status: 'built', mode: 'staging' })
    await ada.enter('feature')
    await ada.write({ 'model/b.yml': 'cube\n' })
    await ada.commit()
    await settled(ada, 'feature')
    await settled(ada)
    expect((await served(ada, 'feature'))?.compiled?.cubesCount).toBe(2)
    expect((await served(ada))?.compiled?.cubesCount).toBe(1)
    expect(await served(ada, 'nowhere')).toBeUndefined()
  })

  test('that a later one overtakes is cancelled, and the later one counts', async () => {
    const ada = await start()
    await settled(ada)
    const { deploymentId } = ada.params
    await ada.enter()
    const trees: string[] = []
    for (const text of ['1', '2']) {
      await ada.write({ 'model/a.yml': `cube ${text}\n` })
      trees.push((await ada.status()).filesHash ?? '')
    }
    const main = await bench.branch(deploymentId, 'main')
    const queue = (tree: string) =>
      builds.insertBuild(bench.store.kysely, {
        accountId: bench.account.id,
        deploymentId,
        branchId: main.id,
        tree,
        commit: main.head,
      })
    const ids = [await queue(trees[0] ?? ''), await queue(trees[1] ?? '')]
    const first = await bench.store.kysely
      .selectFrom('builds')
      .selectAll()
      .where('id', '=', ids[0] ?? 0)
      .executeTakeFirstOrThrow()
    expect(first.status).toBe('cancelled')
    expect(await settled(ada)).toMatchObject({ buildJobId: ids[1], status: 'built' })
    expect((await bench.branch(deploymentId, 'main')).servingTree).toBe(trees[1])
  })

  test('that ends after a later one does not take its place', async () => {
    const ada = await start()
    await settled(ada)
    const { deploymentId } = ada.params
    const main = await bench.branch(deploymentId, 'main')
    const build = { accountId: bench.account.id, deploymentId, branchId: main.id, commit: main.head }
    const [older, newer] = ['1'.repeat(40), '2'.repeat(40)]
    const clock = { now: new Date(), abandonedBefore: new Date(0) }
    const claims = []
    for (const tree of [older, newer]) {
      await builds.insertBuild(bench.store.kysely, { ...build, tree })
      const claimed = await builds.claimBuild(bench.store.kysely, clock)
      if (!claimed) throw new Error('there was no build to claim')
      claims.push(claimed)
    }
    for (const claimed of claims.reverse()) {
      await bench.store.transaction(transaction =>
        builds.finishBuild(transaction, claimed, { at: new Date(), problem: null }),
      )
    }
    expect((await bench.branch(deploymentId, 'main')).servingTree).toBe(newer)
    const failed = await builds.insertBuild(bench.store.kysely, { ...build, tree: older })
    const claimed = await builds.claimBuild(bench.store.kysely, clock)
    expect(claimed?.id).toBe(failed)
    if (claimed) {
      await bench.store.transaction(transaction =>
        builds.finishBuild(transaction, claimed, { at: new Date(), problem: 'broken' }),
      )
    }
    expect((await bench.branch(deploymentId, 'main')).servingTree).toBe(newer)
  })

  test('left behind by a node that died is taken up at the next start', async () => {
    const ada = await start()
    const clock = { now: bench.effects.now(), abandonedBefore: new Date(0) }
    while (await builds.claimBuild(bench.store.kysely, clock)) {
      // The node that claimed them dies here.
    }
    bench.runner.notify()
    await sleep(50)
    expect((await ada.status()).status).toBe('building')
    const { store, effects, readModel } = bench
    const node = createBuildRunner({ onBuilt: () => {}, store, effects, readModel, report: () => {} })
    await node.resume()
    expect((await settled(ada, 'main', () => {})).status).toBe('built')
    await node.close()
  })

  test('left behind is taken up by another node after a while', async () => {
    const ada = await start()
    const clock = { now: bench.effects.now(), abandonedBefore: new Date(0) }
    while (await builds.claimBuild(bench.store.kysely, clock)) {
      // The node that claimed them dies here.
    }
    bench.effects.advance(61_000)
    expect((await settled(ada)).status).toBe('built')
  })

  test('is done once when several nodes run', async () => {
    const { store, effects, objects } = bench
    const counting = lineCompiler()
    const nodes = Array.from({ length: 3 }, () => {
      const report = (error: unknown) => {
        throw error
      }
      const readModel = createReadModel({ store, objects, compiler: counting, report })
      return createBuildRunner({ onBuilt: () => {}, store, effects, readModel, report })
    })
    const developers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => start({ 'model/a.yml': `cube ${index} of many\n` })),
    )
    const wake = () => {
      for (const node of nodes) node.notify()
    }
    for (const ada of developers) expect((await settled(ada, 'main', wake)).status).toBe('built')
    await Promise.all(nodes.map(node => node.close()))
    expect(counting.compiled).toHaveLength(developers.length)
  })

  test('is not begun by a runner that is closed', async () => {
    const { store, effects, readModel } = bench
    const node = createBuildRunner({ onBuilt: () => {}, store, effects, readModel, report: () => {} })
    await node.close()
    const ada = await start()
    node.notify()
    await sleep(50)
    expect((await ada.status()).status).toBe('building')
    expect((await settled(ada)).status).toBe('built')
  })

  test('of a deleted branch or deployment goes with it', async () => {
    const ada = await start()
    await ada.createBranch({ name: 'feature' })
    await ada.removeBranch('feature')
    await refusal(ada.status('feature'), 'branch_not_found')
    expect((await settled(ada)).status).toBe('built')
  })
})

describe('the status of a dev branch', () => {
  test('is what its files are, edits included', async () => {
    const ada = await start()
    const branchName = await ada.enter()
    expect(await ada.status()).toMatchObject({ branchName, mode: 'dev_mode', status: 'built', buildJobId: null })
    await ada.write({ 'model/b.yml': 'broken\n' })
    expect(await ada.status()).toMatchObject({ status: 'failed', errorText: 'model/b.yml:1:1 This line is broken.' })
    expect((await served(ada, branchName))?.compiled?.problems).toHaveLength(1)
    expect((await settled(ada, 'main')).status).toBe('built')
  })
})

test('the mode of a shared branch that the session points at is dev_mode', async () => {
  const ada = await start()
  await ada.createBranch({ name: 'feature', activate: true })
  expect((await ada.status()).mode).toBe('dev_mode')
  expect((await ada.status('feature')).mode).toBe('dev_mode')
  await ada.leave()
  expect((await ada.status('feature')).mode).toBe('staging')
  await refusal(ada.status('nowhere'), 'branch_not_found')
})

test('a branch that never compiled answers with what is wrong with it', async () => {
  const ada = await start({ 'model/a.yml': 'broken\n' })
  expect(await settled(ada)).toMatchObject({ status: 'failed', deploymentStatus: 'none' })
  expect(await served(ada)).toMatchObject({ building: false, compiled: { problems: [{ code: 'line_broken' }] } })
})

test('a build that fails for another reason than its model is tried again, and ends as failed at last', async () => {
  const ada = await start()
  const { store, effects } = bench
  const reported: unknown[] = []
  const node = createBuildRunner({
    onBuilt: () => {},
    store,
    effects,
    readModel: () => Promise.reject(new Error('the object store is damaged')),
    report: error => reported.push(error),
  })
  const wake = () => {
    effects.advance(61_000)
    node.notify()
  }
  const created = await store.kysely
    .selectFrom('builds')
    .select('createdAt')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  effects.advance(created.createdAt.getTime() - effects.now().getTime())
  const status = await settled(ada, 'main', wake)
  expect(status).toMatchObject({ status: 'failed', errorText: expect.stringContaining('which has logged why') })
  expect(reported.length).toBeGreaterThan(5)
  await node.close()
})
