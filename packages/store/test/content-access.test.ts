import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../src/open-store.ts'
import type { ContentLevel, ContentType } from '../src/schema-content.ts'
import {
  levelOf,
  membershipsOf,
  type Viewer,
  visibleFolders,
  visibleReports,
  visibleWorkbooks,
} from '../src/tables/content-access.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'

let database: TestDatabase<unknown>
let store: Store
let accountId: number
let deploymentId: number
let names = 0

beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ url: database.url })
  accountId = await one('insert into accounts (name) values ($1) returning id', ['acme'])
  deploymentId = await deployment(accountId)
})
afterAll(async () => {
  await store?.close()
  await database?.close()
})

async function one(sql: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await store.pool.query<{ id: number }>(sql, [...values])
  const [row] = rows
  if (row === undefined) throw new Error(`no row: ${sql}`)
  return Number(row.id)
}

const deployment = (account: number) =>
  one(
    `insert into deployments (account_id, name, creation_step, deploy_mode, cloud_provider, region, target_platform, is_managed,
       release_channel_version) values ($1, $2, 'ready', 'cli', 'self', 'self', 'self', false, '1') returning id`,
    [account, `deployment ${++names}`],
  )

const user = (account = accountId) =>
  one('insert into users (account_id, email, username) values ($1, $2, $2) returning id', [
    account,
    `user-${++names}@x.example`,
  ])

const tenant = () =>
  one('insert into embed_tenants (account_id, name) values ($1, $2) returning id', [accountId, `tenant-${++names}`])

interface Place {
  readonly owner?: number | null
  readonly folder?: number | null
  readonly workbook?: number | null
  readonly tenant?: number | null
  readonly deployment?: number
}

const place = (item: Place) => [accountId, item.deployment ?? deploymentId, item.tenant ?? null, item.owner ?? null]

const folder = (item: Place = {}) =>
  one(
    `insert into folders (account_id, deployment_id, embed_tenant_id, user_id, parent_id, name)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [...place(item), item.folder ?? null, `folder ${++names}`],
  )
const workbook = (item: Place = {}) =>
  one(
    `insert into workbooks (account_id, deployment_id, embed_tenant_id, user_id, folder_id, name)
     values ($1, $2, $3, $4, $5, 'workbook') returning id`,
    [...place(item), item.folder ?? null],
  )
const report = (item: Place = {}) =>
  one(
    `insert into reports (account_id, deployment_id, embed_tenant_id, user_id, folder_id, workbook_id, public_id, name)
     values ($1, $2, $3, $4, $5, $6, $7, 'report') returning id`,
    [...place(item), item.folder ?? null, item.workbook ?? null, `public${++names}`],
  )

const share = (
  type: ContentType,
  id: number,
  level: ContentLevel,
  to: { user?: number; group?: number; embedGroup?: number },
) =>
  one(
    `insert into resource_policies (account_id, resource_type, resource_id, level, user_id, group_id, embed_group_id)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [accountId, type, id, level, to.user ?? null, to.group ?? null, to.embedGroup ?? null],
  )

const viewer = (changes: Partial<Viewer> = {}): Viewer => ({
  accountId,
  deploymentId,
  userId: null,
  seesAll: false,
  onlyWorkbookId: null,
  embedTenantId: null,
  groupIds: [],
  embedGroupIds: [],
  ...changes,
})

/** Level of an item, once the lists agree with it. */
async function level(who: Viewer, type: ContentType, id: number): Promise<ContentLevel | null> {
  const found = await levelOf(store.kysely, who, type, id)
  const { kysely } = store
  const rows = await {
    Folder: () => kysely.selectFrom('folders').select('id').where(visibleFolders(who)).execute(),
    Workbook: () => kysely.selectFrom('workbooks').select('id').where(visibleWorkbooks(who)).execute(),
    Report: () => kysely.selectFrom('reports').select('id').where(visibleReports(who)).execute(),
  }[type]()
  const listed = rows.some(row => row.id === id)
  expect(listed, `list and level of ${type} ${id}`).toBe(found !== null)
  return found
}

const types = ['Folder', 'Workbook', 'Report'] as const
const make = { Folder: folder, Workbook: workbook, Report: report }

describe.each(types)('a %s', type => {
  test('is managed by its owner and not seen by others of the account', async () => {
    const [ada, bob] = [await user(), await user()]
    const id = await make[type]({ owner: ada })
    expect(await level(viewer({ userId: ada }), type, id)).toBe('manage')
    expect(await level(viewer({ userId: bob }), type, id)).toBeNull()
    expect(await level(viewer(), type, id)).toBeNull()
  })

  test.each(['read', 'edit', 'manage'] as const)('shared with a user gives him %s', async wanted => {
    const ada = await user()
    const id = await make[type]()
    await share(type, id, wanted, { user: ada })
    expect(await level(viewer({ userId: ada }), type, id)).toBe(wanted)
    expect(await level(viewer({ userId: await user() }), type, id)).toBeNull()
  })

  test('shared several ways gives the highest level', async () => {
    const ada = await user()
    const group = await one('insert into user_groups (account_id, name) values ($1, $2) returning id', [
      accountId,
      `group ${++names}`,
    ])
    const id = await make[type]()
    await share(type, id, 'edit', { group })
    await share(type, id, 'read', { user: ada })
    expect(await level(viewer({ userId: ada, groupIds: [group] }), type, id)).toBe('edit')
    expect(await level(viewer({ userId: ada }), type, id)).toBe('read')
    expect(await level(viewer({ groupIds: [group + 1000] }), type, id)).toBeNull()
  })

  test('follows the folders around it, however deep', async () => {
    const [ada, owner] = [await user(), await user()]
    const top = await folder({ owner })
    const middle = await folder({ folder: top })
    const low = await folder({ folder: middle })
    const id = await make[type]({ folder: low })
    expect(await level(viewer({ userId: ada }), type, id)).toBeNull()
    await share('Folder', top, 'edit', { user: ada })
    expect(await level(viewer({ userId: ada }), type, id)).toBe('edit')
    expect(await level(viewer({ userId: owner }), type, id)).toBe('manage')
    await share(type, id, 'manage', { user: ada })
    expect(await level(viewer({ userId: ada }), type, id)).toBe('manage')
    expect(await level(viewer({ userId: ada }), 'Folder', middle)).toBe('edit')
  })

  test('of an embed tenant is seen in that workspace alone, by members of its groups too', async () => {
    const [mine, other] = [await tenant(), await tenant()]
    const ada = await user()
    const group = await one(
      'insert into embed_user_groups (account_id, embed_tenant_id, name) values ($1, $2, $3) returning id',
      [accountId, mine, 'managers'],
    )
    const id = await make[type]({ tenant: mine, owner: ada })
    await share(type, id, 'read', { embedGroup: group })
    expect(await level(viewer({ userId: ada, embedTenantId: mine }), type, id)).toBe('manage')
    expect(await level(viewer({ embedTenantId: mine, embedGroupIds: [group] }), type, id)).toBe('read')
    for (const embedTenantId of [other, null]) {
      const elsewhere = viewer({ userId: ada, embedTenantId, embedGroupIds: [group] })
      expect(await level(elsewhere, type, id)).toBeNull()
      expect(await level({ ...elsewhere, seesAll: true }, type, id)).toBeNull()
    }
  })

  test('of another deployment or account is not there, for administrators neither', async () => {
    const id = await make[type]()
    const otherDeployment = await deployment(accountId)
    const otherAccount = await one('insert into accounts (name) values ($1) returning id', [`account ${++names}`])
    expect(await level(viewer({ seesAll: true }), type, id)).toBe('manage')
    expect(await level(viewer({ seesAll: true, deploymentId: otherDeployment }), type, id)).toBeNull()
    expect(await level(viewer({ seesAll: true, accountId: otherAccount }), type, id)).toBeNull()
    expect(await level(viewer({ seesAll: true }), type, id + 1_000_000)).toBeNull()
  })

  test('surfaces the folders that lead to it, to be read, and none beside them', async () => {
    const ada = await user()
    const top = await folder()
    const middle = await folder({ folder: top })
    const sibling = await folder({ folder: top })
    const id = await make[type]({ folder: middle })
    const beside = await make[type]({ folder: middle })
    await share(type, id, 'manage', { user: ada })
    const who = viewer({ userId: ada })
    expect(await level(who, 'Folder', top)).toBe('read')
    expect(await level(who, 'Folder', middle)).toBe('read')
    expect(await level(who, 'Folder', sibling)).toBeNull()
    expect(await level(who, type, beside)).toBeNull()
    expect(await level(viewer({ userId: await user() }), 'Folder', top)).toBeNull()
  })

  test('forgets its shares when it is deleted', async () => {
    const ada = await user()
    const id = await make[type]()
    await share(type, id, 'manage', { user: ada })
    await store.pool.query(`delete from ${type.toLowerCase()}s where id = $1`, [id])
    const { rows } = await store.pool.query(
      'select 1 from resource_policies where resource_type = $1 and resource_id = $2',
      [type, id],
    )
    expect(rows).toEqual([])
  })
})

describe('a report in a workbook', () => {
  test('follows the workbook, not who wrote it', async () => {
    const [ada, bob] = [await user(), await user()]
    const book = await workbook({ owner: ada })
    const id = await report({ owner: bob, workbook: book })
    expect(await level(viewer({ userId: ada }), 'Report', id)).toBe('manage')
    expect(await level(viewer({ userId: bob }), 'Report', id)).toBeNull()
    await share('Workbook', book, 'edit', { user: bob })
    expect(await level(viewer({ userId: bob }), 'Report', id)).toBe('edit')
  })

  test("follows the workbook's folder, and can be shared alone", async () => {
    const ada = await user()
    const top = await folder()
    const low = await folder({ folder: top })
    const book = await workbook({ folder: low })
    const [first, second] = [await report({ workbook: book }), await report({ workbook: book })]
    await share('Report', first, 'read', { user: ada })
    expect(await level(viewer({ userId: ada }), 'Report', first)).toBe('read')
    expect(await level(viewer({ userId: ada }), 'Report', second)).toBeNull()
    expect(await level(viewer({ userId: ada }), 'Workbook', book)).toBeNull()
    await share('Folder', top, 'edit', { user: ada })
    expect(await level(viewer({ userId: ada }), 'Report', first)).toBe('edit')
    expect(await level(viewer({ userId: ada }), 'Report', second)).toBe('edit')
  })
})

describe('memberships', () => {
  test('are those of the user, with the groups that the platform shares through', async () => {
    const [ada, mine, other] = [await user(), await tenant(), await tenant()]
    const insertGroup = (kind: string, tenantId: number | null) =>
      one('insert into user_groups (account_id, kind, embed_tenant_id, name) values ($1, $2, $3, $4) returning id', [
        accountId,
        kind,
        tenantId,
        `${kind} ${++names}`,
      ])
    const insertEmbedGroup = (tenantId: number) =>
      one('insert into embed_user_groups (account_id, embed_tenant_id, name) values ($1, $2, $3) returning id', [
        accountId,
        tenantId,
        'team',
      ])
    const [group, , everyone] = [
      await insertGroup('custom', null),
      await insertGroup('custom', null),
      await insertGroup('all_embed_users', null),
    ]
    const [ofMine] = [await insertGroup('embed_tenant', mine), await insertGroup('embed_tenant', other)]
    const [team, foreign] = [await insertEmbedGroup(mine), await insertEmbedGroup(other)]
    await store.pool.query('insert into user_group_members (account_id, group_id, user_id) values ($1, $2, $3)', [
      accountId,
      group,
      ada,
    ])
    for (const id of [team, foreign]) {
      await store.pool.query(
        'insert into embed_user_group_members (account_id, group_id, user_id) values ($1, $2, $3)',
        [accountId, id, ada],
      )
    }
    expect(await membershipsOf(store.kysely, accountId, ada, mine)).toEqual({
      groupIds: [group],
      embedGroupIds: [team],
      allEmbedUsers: everyone,
      embedTenantGroup: ofMine,
    })
    expect(await membershipsOf(store.kysely, accountId, ada, null)).toEqual({
      groupIds: [group],
      embedGroupIds: [],
      allEmbedUsers: everyone,
      embedTenantGroup: null,
    })
    expect((await membershipsOf(store.kysely, accountId + 1000, ada, mine)).groupIds).toEqual([])
  })
})
