import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Developer, developer } from '../branches/developer.ts'
import { createWorkbench, refusal, type Workbench } from '../branches/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

const project = { 'model/a.yml': 'cube\n', 'model/b.yml': 'cube\ncube\n', 'README.md': 'Read me\n' }

async function start(settings = {}): Promise<{ ada: Developer; bob: Developer; deploymentId: number }> {
  const deploymentId = await bench.deployment(project, settings)
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  const bob = developer(bench, bench.caller('bob'), deploymentId)
  return { ada, bob, deploymentId }
}

const buildsOf = (deploymentId: number) =>
  bench.store.kysely.selectFrom('builds').select('id').where('deploymentId', '=', deploymentId).execute()

describe('a transaction', () => {
  test('belongs to the credential that started it, and to its deployment', async () => {
    const { ada, bob } = await start()
    const other = await start()
    const transaction = await ada.upload.start()
    for (const who of [bob, other.ada]) {
      await refusal(who.upload.text(transaction, 'x', 'x'), 'upload_not_found')
      await refusal(who.upload.finish(transaction, project), 'upload_not_found')
    }
    await refusal(ada.upload.finish({ id: 'nothing' }, project), 'upload_not_found')
    await refusal(ada.upload.text({ id: 'nothing' }, 'x', 'x'), 'upload_not_found')
  })

  test('is finished once', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    await ada.upload.finish(transaction, project)
    await refusal(ada.upload.finish(transaction, project), 'upload_finished')
    await refusal(ada.upload.text(transaction, 'x', 'x'), 'upload_finished')
  })

  test('finished by two at once makes one commit', async () => {
    const { ada, deploymentId } = await start()
    for (let round = 1; round <= 5; round++) {
      const transaction = await ada.upload.start()
      const files = { x: String(round) }
      await ada.upload.text(transaction, 'x', String(round))
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => ada.upload.finish(transaction, files)))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'upload_finished' })
      }
      expect(await buildsOf(deploymentId)).toHaveLength(round + 1)
      expect(await ada.files()).toEqual(files)
    }
  })

  test('takes files from many calls at once, and none is lost while it is finished', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, `text ${index % 3}`]))
    await Promise.all(Object.entries(files).map(([path, text]) => ada.upload.text(transaction, path, text)))
    const [finished, late] = await Promise.allSettled([
      ada.upload.finish(transaction, files),
      ada.upload.text(transaction, 'late', 'late'),
    ])
    expect(finished.status).toBe('fulfilled')
    if (late.status === 'rejected') expect(late.reason).toMatchObject({ code: 'upload_finished' })
    expect(await ada.files()).toEqual(files)
  })

  test('remembers its branch, which may be named again but not another', async () => {
    const { ada, deploymentId } = await start()
    await ada.createBranch({ name: 'feature' })
    const main = await bench.branch(deploymentId, 'main')
    const transaction = await ada.upload.start({}, { branchName: 'feature' })
    await refusal(ada.upload.finish(transaction, {}, { branchName: 'main' }), 'branch_mismatch')
    await refusal(ada.upload.finish(transaction, {}, { branchId: main.id }), 'branch_mismatch')
    await refusal(ada.upload.finish(transaction, {}, {}, { branchName: 'main' }), 'branch_mismatch')
    await ada.upload.finish(transaction, {}, { branchName: 'feature' }, { branchName: 'feature' })
    expect(await ada.files({ branchName: 'feature' })).toEqual({})
    await refusal(ada.upload.start({ branchName: 'feature' }, { branchName: 'main' }), 'branch_mismatch')
    await refusal(ada.upload.start({ branchName: 'nowhere' }), 'branch_not_found')
    expect(await ada.upload.start({ branchName: '' }, { branchName: '' })).toEqual({ id: expect.any(String) })
  })

  test('ends with its branch', async () => {
    const { ada } = await start()
    await ada.createBranch({ name: 'feature' })
    const transaction = await ada.upload.start({ branchName: 'feature' })
    await ada.removeBranch('feature')
    await refusal(ada.upload.finish(transaction, project), 'upload_not_found')
  })

  test('that nobody finished is removed after a day', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    await ada.upload.text(transaction, 'x', 'x')
    bench.effects.advance(23 * 3_600_000)
    await ada.upload.start()
    await ada.upload.text(transaction, 'y', 'y')
    bench.effects.advance(2 * 3_600_000)
    await ada.upload.start()
    await refusal(ada.upload.text(transaction, 'y', 'y'), 'upload_not_found')
  })

  test('to a shared branch needs deploy mode cli, and to a foreign branch is refused', async () => {
    const { ada, bob, deploymentId } = await start()
    const transaction = await ada.upload.start()
    await bench.settings(deploymentId, { deployMode: 'git' })
    const error = await refusal(ada.upload.start(), 'deploy_mode_not_cli')
    expect(error.message).toContain(`Deployment ${deploymentId}`)
    await refusal(ada.upload.finish(transaction, project), 'deploy_mode_not_cli')
    await refusal(ada.upload.start({ branchName: await bob.enter() }), 'branch_not_yours')
  })

  test('to a shared branch needs SchemaUpdate, to one’s own dev branch less', async () => {
    const { ada, deploymentId } = await start()
    const policies = [
      {
        resourceType: 'Deployment' as const,
        actions: ['SchemaUpdateDevBranches' as const, 'SchemaRead' as const],
        resources: ['All'],
      },
    ]
    const writer = developer(bench, bench.caller('writer', { policies }), deploymentId)
    await refusal(writer.upload.start(), 'permission_missing')
    await writer.enter()
    await writer.deploy({ x: 'x' })
    expect(await writer.files()).toEqual({ x: 'x' })
    expect(await ada.files()).toEqual(project)
  })

  test.each(['', 'x', '[]', 'null', '{"id":1}', '{"other":"x"}'])('text %j is refused', async text => {
    const { ada } = await start()
    const call = bench.operations.uploadFile(
      ada.caller,
      {
        params: ada.params,
        query: {},
        body: { transaction: text, fileName: 'x' },
        files: [{ name: 'x', content: Buffer.from('x') }],
      },
      { requestId: '', address: null, signal: new AbortController().signal },
    )
    const error = await refusal(call, 'invalid_request')
    expect(error.message).toContain('transaction')
  })
})
