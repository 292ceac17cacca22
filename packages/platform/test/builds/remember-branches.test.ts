import { listen, openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createBranchChanges } from '../../src/builds/branch-changes.ts'
import { rememberBranches } from '../../src/builds/remember-branches.ts'
import type { BranchModel } from '../../src/queries/branch-models.ts'
import { tellChanges } from '../../src/tell-changes.ts'

const branch = (tree: string, isBuilt = true): BranchModel => ({
  branchId: 1,
  branchName: 'main',
  compiled: isBuilt ? { tree, model: null, problems: [], cubesCount: 0 } : null,
  building: !isBuilt,
})

describe('a branch that is remembered', () => {
  test('is looked for once, until its deployment changes', async () => {
    const changes = createBranchChanges()
    const find = vi.fn(async () => branch('a'))
    const remember = rememberBranches(find, changes)
    changes.begin()
    await remember(1, 7, null)
    await remember(1, 7, null)
    changes.changed(8)
    await remember(1, 7, null)
    expect(find).toHaveBeenCalledTimes(1)
    changes.changed(7)
    await remember(1, 7, null)
    expect(find).toHaveBeenCalledTimes(2)
  })

  test('is looked for every time while changes of other nodes are not heard, and anew when they are again', async () => {
    const changes = createBranchChanges()
    const find = vi.fn(async () => branch('a'))
    const remember = rememberBranches(find, changes)
    await remember(1, 7, null)
    await remember(1, 7, null)
    expect(find).toHaveBeenCalledTimes(2)
    changes.begin()
    await remember(1, 7, null)
    changes.end()
    changes.begin()
    await remember(1, 7, null)
    expect(find).toHaveBeenCalledTimes(4)
  })

  test('is not kept when it changed while it was looked for', async () => {
    const changes = createBranchChanges()
    changes.begin()
    const answers = [branch('old'), branch('new')]
    const find = vi.fn(async () => {
      const answer = answers.shift()
      changes.changed(7)
      return answer
    })
    const remember = rememberBranches(find, changes)
    expect((await remember(1, 7, null))?.compiled?.tree).toBe('old')
    expect((await remember(1, 7, null))?.compiled?.tree).toBe('new')
  })

  test('is kept apart by account, deployment and name; one that is missing or not built is not kept', async () => {
    const changes = createBranchChanges()
    changes.begin()
    const find = vi.fn(async (account: number, deployment: number, name: string | null) =>
      name === 'missing' ? undefined : branch(`${account} ${deployment} ${name}`, name !== 'new'),
    )
    const remember = rememberBranches(find, changes)
    for (const key of [
      [1, 7, null],
      [2, 7, null],
      [1, 8, null],
      [1, 7, 'x'],
    ] as const) {
      expect((await remember(key[0], key[1], key[2]))?.compiled?.tree).toBe(key.join(' ').replace(/ $/, ' null'))
    }
    const before = find.mock.calls.length
    for (const name of ['missing', 'missing', 'new', 'new']) await remember(1, 7, name)
    expect(find.mock.calls.length).toBe(before + 4)
  })
})

describe('on two nodes', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let nodeA: Store
  let nodeB: Store
  beforeAll(async () => {
    database = await createTestDatabase()
    nodeA = await openStore({ url: database.url })
    nodeB = await openStore({ url: database.url })
  })
  afterAll(async () => {
    await nodeB.close()
    await nodeA.close()
    await database.close()
  })

  test('a change that one commits is heard by the other, also after the connection was lost', async () => {
    const changes = createBranchChanges()
    const listener = listen(nodeB.pool, {
      channel: 'hedron_branch_changes',
      onMessage: payload => changes.changed(Number(payload)),
      onBegin: changes.begin,
      onEnd: changes.end,
    })
    try {
      await vi.waitFor(() => expect(changes.generation(1)).not.toBeNull(), 5000)
      const { id } = await createDeployment(nodeA)
      await heard(id, () =>
        nodeA.kysely.updateTable('deployments').set({ name: 'renamed' }).where('id', '=', id).execute(),
      )

      const lost = changes.generation(id)
      await nodeA.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen hedron_branch_changes%' and datname = current_database()",
      )
      await vi.waitFor(() => expect(changes.generation(id)).not.toBe(lost), 5000)
      await vi.waitFor(() => expect(changes.generation(id)).not.toBeNull(), 5000)
      await heard(id, () => nodeA.kysely.deleteFrom('deployments').where('id', '=', id).execute())
    } finally {
      await listener.close()
    }
    expect(changes.generation(1)).toBeNull()

    async function heard(id: number, change: () => Promise<unknown>): Promise<void> {
      const before = changes.generation(id)
      await change()
      await vi.waitFor(() => expect(changes.generation(id)).not.toBe(before), 5000)
    }
  })
})

test('an operation that writes tells of it before it answers, also when it fails; one that reads does not', async () => {
  const told: number[] = []
  const operation = async () => ({ success: true })
  const failing = async () => {
    throw new Error('no')
  }
  const operations = { updateFiles: operation, pull: failing, listFiles: operation, createApiKey: operation }
  const telling = tellChanges({ changed: id => told.push(id) }, operations as never)
  const call = (name: 'updateFiles' | 'pull' | 'listFiles' | 'createApiKey', params: object) =>
    telling[name](undefined as never, { params } as never, undefined as never)
  await call('updateFiles', { deploymentId: 3 })
  await expect(call('pull', { deploymentId: 4 })).rejects.toThrow('no')
  await call('listFiles', { deploymentId: 5 })
  await call('createApiKey', {})
  expect(told).toEqual([3, 4])
})

async function createDeployment(store: Store): Promise<{ id: number }> {
  const { id: accountId } = await store.kysely
    .insertInto('accounts')
    .values({ name: 'acme' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return store.kysely
    .insertInto('deployments')
    .values({
      accountId,
      name: 'shop',
      creationStep: 'project',
      deployMode: 'cli',
      cloudProvider: 'cubecloud',
      region: 'local',
      targetPlatform: 'aws',
      isManaged: true,
      releaseChannelVersion: '0.1.0',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
