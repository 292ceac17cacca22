import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTwoAccounts, type TwoAccounts } from '../support/accounts.ts'
import { type Api, createDeployment, createKey, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

let accounts: TwoAccounts
let deploymentId: number
let params: { deploymentId: number }
/** Administrator. */
let ada: ReturnType<typeof connect>
/** Of Ada's account, with a role that makes content. */
let bob: ReturnType<typeof connect>
/** Bob with a role that only reads. */
let reader: ReturnType<typeof connect>

const withRole = async (api: Api, action: string) =>
  connect(
    api.with(
      await createKey(api, {
        policies: [{ resourceType: 'Deployment', actions: [action], resources: [String(deploymentId)] }],
      }),
    ),
  )

beforeAll(async () => {
  accounts = await startTwoAccounts()
})
afterAll(() => accounts?.dispose())

beforeEach(async () => {
  deploymentId = await createDeployment(accounts.ada)
  params = { deploymentId }
  ada = connect(accounts.ada)
  bob = await withRole(accounts.bob, 'AIBIUser')
  reader = await withRole(accounts.bob, 'AIBIViewer')
})

/** Folders in folders, outermost first. */
async function chain(client: typeof ada, length: number): Promise<number[]> {
  const ids: number[] = []
  for (let level = 1; level <= length; level++) {
    const { id } = await client.createFolder({ params, body: { name: `level ${level}`, parentId: ids.at(-1) ?? null } })
    ids.push(id)
  }
  return ids
}

describe('a folder', () => {
  test('is made at the root or in another, with its owner, place and path', async () => {
    const outer = await ada.createFolder({ params, body: { name: '  Sales  ' } })
    const me = await ada.getMe({})
    expect(outer).toMatchObject({
      name: 'Sales',
      type: 'FOLDER',
      deploymentId,
      position: 0,
      parentId: null,
      folderPath: [],
      createdBy: me.id,
      user: { id: me.id, email: me.email },
    })
    const inner = await ada.createFolder({ params, body: { name: 'Europe', parentId: outer.id, position: 3 } })
    expect(inner).toMatchObject({
      parentId: outer.id,
      position: 3,
      folderPath: [{ id: outer.id, name: 'Sales' }],
    })
    const shown = await ada.getFolders({ params, query: { parentId: outer.id } })
    expect(shown).toMatchObject({ items: [inner], data: [inner], count: 1 })
    expect((await ada.getFolders({ params })).items).toEqual([outer])
    expect((await ada.getFolders({ params, query: { parentId: 0 } })).items).toEqual([outer])
  })

  test('has a name of its own among those beside it, also when many are made at once', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, () => ada.createFolder({ params, body: { name: 'Same' } })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ status: 409, code: 'name_taken' })
    }
    const [first] = (await ada.getFolders({ params })).items
    const parentId = first?.id ?? null
    await ada.createFolder({ params, body: { name: 'Same', parentId } })
    const other = await ada.createFolder({ params, body: { name: 'Other' } })
    const rename = ada.updateFolder({ params: { ...params, folderId: other.id }, body: { name: 'Same' } })
    await expectRefusal(rename, 'name_taken', /"Same"/)
    await expectRefusal(ada.createFolder({ params, body: { name: '   ' } }), 'invalid_request', /^name: /)
    await expectRefusal(ada.createFolder({ params, body: { name: 'x'.repeat(256) } }), 'invalid_request', /^name: /)
    await ada.createFolder({ params, body: { name: 'é'.repeat(255) } })
  })

  test('nests ten levels deep and no deeper', async () => {
    const ids = await chain(ada, 10)
    const parentId = ids.at(-1) ?? null
    await expectRefusal(ada.createFolder({ params, body: { name: 'too deep', parentId } }), 'folder_too_deep', /10/)
  })

  test('is renamed and reordered, and what is not sent or null stays', async () => {
    const { id } = await ada.createFolder({ params, body: { name: 'Old', position: 4 } })
    const where = { ...params, folderId: id }
    const me = await ada.getMe({})
    expect(await ada.updateFolder({ params: where, body: { name: 'New', position: null } })).toMatchObject({
      name: 'New',
      position: 4,
      updatedBy: me.id,
    })
    expect(await ada.updateFolder({ params: where, body: { position: 1 } })).toMatchObject({ name: 'New', position: 1 })
    const before = (await ada.getFolders({ params })).items
    expect(await ada.updateFolder({ params: where, body: {} })).toEqual(before[0])
    expect(await ada.updateFolder({ params: where })).toEqual(before[0])
  })

  test('that still has folders in it is not deleted', async () => {
    const [outer = 0, inner = 0] = await chain(ada, 2)
    const remove = (folderId: number) => ada.deleteFolder({ params: { ...params, folderId } })
    await expectRefusal(remove(outer), 'folder_not_empty', new RegExp(String(outer)))
    await remove(inner)
    await remove(outer)
    await expectRefusal(remove(outer), 'folder_not_found')
    expect((await ada.getFolders({ params })).items).toEqual([])
  })

  test('lists its ancestors from the root down to itself', async () => {
    const ids = await chain(ada, 4)
    const folderId = ids.at(-1) ?? 0
    const ancestors = await ada.getFolderAncestors({ params: { ...params, folderId } })
    expect(ancestors.map(({ id }) => id)).toEqual(ids)
    expect(ancestors.at(-1)?.folderPath?.map(({ id }) => id)).toEqual(ids.slice(0, -1))
  })

  test('of another deployment, or of none, is not there: 404', async () => {
    const { id: folderId } = await ada.createFolder({ params, body: { name: 'Here' } })
    const elsewhere = { deploymentId: await createDeployment(accounts.ada) }
    for (const where of [
      { ...elsewhere, folderId },
      { ...params, folderId: 987_654_321 },
    ]) {
      await expectRefusal(ada.updateFolder({ params: where, body: { name: 'x' } }), 'folder_not_found')
      await expectRefusal(ada.deleteFolder({ params: where }), 'folder_not_found')
      await expectRefusal(ada.getFolderAncestors({ params: where }), 'folder_not_found')
      const { deploymentId: at, folderId: parentId } = where
      await expectRefusal(ada.getFolders({ params: { deploymentId: at }, query: { parentId } }), 'folder_not_found')
      const inside = ada.createFolder({ params: { deploymentId: at }, body: { name: 'x', parentId } })
      await expectRefusal(inside, 'folder_not_found')
    }
    expect((await ada.getFolders({ params: elsewhere })).items).toEqual([])
  })
})

describe('folders', () => {
  test('come in the order of position, then name, page after page', async () => {
    const wanted = ['first', 'Alpha', 'beta', 'Gamma', 'last']
    for (const name of ['last', 'Gamma', 'first', 'beta', 'Alpha']) {
      await ada.createFolder({ params, body: { name, position: { first: 0, last: 9 }[name] ?? 5 } })
    }
    expect((await ada.getFolders({ params })).items.map(({ name }) => name)).toEqual(wanted)
    const walked: string[] = []
    for (let after: string | null | undefined; ; ) {
      const list = await ada.getFolders({ params, query: { first: 2, ...(after ? { after } : {}) } })
      walked.push(...list.items.map(({ name }) => name))
      expect(list.count).toBe(5)
      if (!list.pageInfo.hasNextPage) break
      after = list.pageInfo.endCursor
    }
    expect(walked).toEqual(wanted)
  })

  test('of other users are not there for who is no administrator, and his are for administrators', async () => {
    const hers = await ada.createFolder({ params, body: { name: 'hers' } })
    const his = await bob.createFolder({ params, body: { name: 'his' } })
    expect((await ada.getFolders({ params })).items.map(({ id }) => id)).toEqual([hers.id, his.id])
    expect(await bob.getFolders({ params })).toMatchObject({ items: [{ id: his.id }], count: 1 })
    const where = { ...params, folderId: hers.id }
    await expectRefusal(bob.updateFolder({ params: where, body: { name: 'x' } }), 'folder_not_found')
    await expectRefusal(bob.deleteFolder({ params: where }), 'folder_not_found')
    await expectRefusal(bob.getFolderAncestors({ params: where }), 'folder_not_found')
    await expectRefusal(bob.getFolders({ params, query: { parentId: hers.id } }), 'folder_not_found')
    await expectRefusal(bob.createFolder({ params, body: { name: 'x', parentId: hers.id } }), 'folder_not_found')
    const { pageInfo } = await ada.getFolders({ params, query: { first: 1 } })
    const after = pageInfo.endCursor ?? ''
    expect((await bob.getFolders({ params, query: { after } })).items.map(({ id }) => id)).toEqual([his.id])
  })

  test('are made by AI BI User or higher, not by who only reads', async () => {
    const made = await bob.createFolder({ params, body: { name: unique('made') } })
    await expectRefusal(reader.createFolder({ params, body: { name: 'x' } }), 'permission_missing', /AIBIUser/)
    expect((await reader.getFolders({ params })).items.map(({ id }) => id)).toEqual([made.id])
  })

  test('of another account are not there, nor is its deployment', async () => {
    const eve = connect(accounts.eve)
    const { id: folderId } = await ada.createFolder({ params, body: { name: 'Here' } })
    await expectRefusal(eve.getFolders({ params }), 'deployment_not_found')
    const mine = { deploymentId: await createDeployment(accounts.eve) }
    await expectRefusal(eve.getFolderAncestors({ params: { ...mine, folderId } }), 'folder_not_found')
    await expectRefusal(eve.deleteFolder({ params: { ...mine, folderId } }), 'folder_not_found')
    await expectRefusal(eve.createFolder({ params: mine, body: { name: 'x', parentId: folderId } }), 'folder_not_found')
  })
})
