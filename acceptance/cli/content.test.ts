import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, type Json, sharedApi, unique } from '../support/api.ts'
import { createHedron, type Hedron } from './hedron.ts'

const api = sharedApi()
let hedron: Hedron
let id = ''
beforeAll(async () => {
  hedron = await createHedron({ baseUrl: api.baseUrl, apiKey: await createKey(api) })
  id = String(await createDeployment(api))
})
afterAll(() => hedron.dispose())

const made = async (...argv: readonly string[]): Promise<Json> => JSON.parse(await hedron.succeed(...argv))

describe('content of a deployment (cli-admin 3)', () => {
  test('folders are made, listed, renamed, walked up and deleted', async () => {
    const board = await made('folders', 'create', id, '--name', 'Board "2026"')
    const inner = await made('folders', 'create', id, '--name', 'Quarters', '--parent', String(board.id))
    expect(await hedron.succeed('folders', 'list', id)).toMatch(
      /^ID +NAME +PARENT +POSITION +UPDATED *\n\d+ +Board "2026" /,
    )
    await hedron.succeed('folders', 'update', id, String(inner.id), '--name', 'Months')
    expect(await hedron.succeed('folder', 'ls', id, '--parent', String(board.id))).toContain('Months')
    const ancestors = await hedron.succeed('folders', 'ancestors', id, String(inner.id))
    expect(
      ancestors
        .split('\n')
        .slice(1, 3)
        .map(line => line.split(/ {2,}/)[1]),
    ).toEqual(['Board "2026"', 'Months'])
    const refused = await hedron.run('folders', 'delete', id, String(board.id))
    expect(refused.exitCode).toBe(1)
    expect(await hedron.succeed('folders', 'delete', id, String(inner.id))).toBe(`✓ Deleted folder ${inner.id}\n`)
    expect(await hedron.json('folders', 'rm', id, String(board.id))).toBeTypeOf('object')
    expect(await hedron.run('folders', 'list', id)).toEqual({ exitCode: 0, stdout: '', stderr: 'No results\n' })
  })

  test('a workbook gets reports and a dashboard, moves, is published, copied and deleted', async () => {
    const folder = await made('folders', 'create', id, '--name', unique('folder'))
    const workbook = await made('workbooks', 'create', id, '--name', 'Revenue', '--folder', String(folder.id))
    expect(workbook).toMatchObject({ name: 'Revenue', folderId: folder.id })
    const query = '{"measures":["numbers.count"]}'
    const report = await made(
      'reports',
      'create',
      id,
      '--name',
      'Count',
      '--workbook',
      String(workbook.id),
      '--json-query',
      query,
    )
    expect(await made('reports', 'get', id, String(report.id))).toMatchObject({ name: 'Count', jsonQuery: query })
    const invalid = await hedron.run('reports', 'create', id, '--json-query', '{')
    expect(invalid).toMatchObject({ exitCode: 1, stderr: 'error: --json-query is not valid JSON\n' })

    await made('workbooks', 'update', id, String(workbook.id), '--folder', '0')
    expect(await made('workbooks', 'get', id, String(workbook.id))).toMatchObject({ folderId: null })
    expect(await hedron.succeed('workbooks', 'list', id, '--folder', '0')).toContain('Revenue')
    expect(
      await made(
        'workspace',
        'move',
        id,
        '--type',
        'WORKBOOK',
        '--id',
        String(workbook.id),
        '--folder',
        String(folder.id),
      ),
    ).toBeTypeOf('object')
    expect(await hedron.succeed('workspace', 'list', id, '--type', 'WORKBOOK', '--search', 'reven')).toContain(
      'WORKBOOK',
    )

    const draft = join(hedron.folder, 'dashboard.json')
    const widget = { id: 'w1', type: 'TEXT', position: { x: 0, y: 0, w: 4, h: 2 }, config: { content: 'Hello' } }
    await writeFile(draft, JSON.stringify({ dashboardDraft: { widgets: [widget] } }))
    const saved = await hedron.run('workbooks', 'dashboard', id, String(workbook.id), '-d', `@${draft}`)
    expect(saved.stderr).toBe('')
    const published = await made('workbooks', 'publish', id, String(workbook.id))
    const publicId = String(published.publicId ?? Object(published.dashboard).publicId)
    expect(await hedron.succeed('embed', 'enable-dashboard', publicId)).toBe(
      `✓ Enabled signed embedding for dashboard \`${publicId}\`\n`,
    )
    expect(await hedron.succeed('embed', 'disable-dashboard', publicId)).toContain('✓ Disabled')
    expect(await made('embed', 'dashboard', publicId)).toBeTypeOf('object')

    const copy = await made('workbooks', 'duplicate', id, String(workbook.id))
    expect(copy.id).not.toBe(workbook.id)
    expect(await hedron.succeed('reports', 'list', id, '--workbook', String(workbook.id))).toMatch(/Count/)
    const mixed = await hedron.run('reports', 'list', id, '--limit', '2', '--first', '2')
    expect(mixed.stderr).toBe('error: --limit/--page are deprecated and cannot be combined with --first/--after\n')
    expect(await hedron.succeed('reports', 'delete', id, String(report.id))).toBe(`✓ Deleted report ${report.id}\n`)
    expect(await hedron.succeed('workbooks', 'delete', id, String(workbook.id))).toBe(
      `✓ Deleted workbook ${workbook.id}\n`,
    )
    expect((await hedron.run('workbooks', 'get', id, String(workbook.id))).stderr).toContain(
      'not found (404): GET /api/v1/deployments/',
    )
  })

  test('all pages are followed, and one page tells of the next', async () => {
    const other = String(await createDeployment(api))
    for (const name of ['a', 'b', 'c']) await made('folders', 'create', other, '--name', name)
    const page = await hedron.run('folders', 'list', other, '--first', '2')
    expect(page.stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(page.stderr).toMatch(/^more: --after '/)
    expect((await hedron.succeed('folders', 'list', other, '--all')).trimEnd().split('\n')).toHaveLength(4)
  })
})

describe('people and the account (cli-admin 4)', () => {
  test('users, groups and their members', async () => {
    const name = unique('grace')
    const user = await made('users', 'create', '-d', JSON.stringify({ email: `${name}@example.com`, username: name }))
    const group = await made('groups', 'create', '--name', name, '--description', 'Compilers')
    expect(await made('users', 'update', String(user.id), '-d', '{"firstName":"Grace"}')).toBeTypeOf('object')
    expect(await hedron.succeed('groups', 'members', 'add', String(group.id), String(user.id))).toBe(
      `✓ Added 1 user(s) to group ${group.id}\n`,
    )
    expect(await hedron.succeed('groups', 'members', 'list', String(group.id))).toMatch(/Grace/)
    await hedron.succeed('groups', 'members', 'remove', String(group.id), String(user.id))
    expect(await hedron.succeed('groups', 'list', '--search', name)).toMatch(
      /ID +NAME +USERS +DESCRIPTION *\n.* 0 +Compilers/,
    )
    expect(await hedron.succeed('group', 'rm', String(group.id))).toBe(`✓ Deleted group ${group.id}\n`)
    expect(await hedron.succeed('users', 'delete', String(user.id))).toBe(`✓ Deleted user ${user.id}\n`)
  })

  test('attributes carry values of their type, by id or name', async () => {
    const name = unique('limits').replaceAll('-', '_')
    const attribute = await made('attributes', 'create', '--name', name, '--type', 'number_array')
    const { id: me } = Object(await hedron.json('users', 'me'))
    const set = ['attributes', 'values', 'set', '--user', String(me), '--attribute'] as const
    expect(await made(...set, name, '--value', '[1,2]')).toMatchObject({ value: [1, 2] })
    expect(await made(...set, String(attribute.id), '--clear')).toMatchObject({ value: null })
    expect((await hedron.run(...set, name)).stderr).toContain('provide --value')
    expect((await hedron.run(...set, unique('none'), '--value', '1')).stderr).toContain('there is no user attribute')
    expect(await hedron.succeed('attributes', 'values', 'get', String(me))).toContain(name)
    expect(await hedron.succeed('attributes', 'delete', String(attribute.id))).toContain('✓ Deleted user attribute')
  })

  test('sharing is given and taken back by name, never by leaving something out', async () => {
    const { id: me } = Object(await hedron.json('users', 'me'))
    const folder = await made('folders', 'create', id, '--name', unique('shared'))
    const item = ['--resource-type', 'Folder', '--resource-id', String(folder.id)]
    const bare = await hedron.run('policies', 'set-user', ...item, '--user', String(me))
    expect(bare.exitCode).toBe(2)
    expect(bare.stderr).toContain('one of --action and --clear is required')
    expect(await hedron.succeed('policies', 'set-user', ...item, '--user', String(me), '--action', 'FolderRead')).toBe(
      '✓ Updated user policy\n',
    )
    expect(await made('policies', 'get', ...item)).toMatchObject({
      userPolicies: [{ userId: me, action: 'FolderRead' }],
    })
    await hedron.succeed('policies', 'set-user', ...item, '--user', String(me), '--clear')
    expect(await made('policies', 'get', ...item)).toMatchObject({ userPolicies: [] })
  })

  test('a group is shared with and no longer, as a user is', async () => {
    const group = await made('groups', 'create', '--name', unique('group'))
    const folder = await made('folders', 'create', id, '--name', unique('shared'))
    const item = ['--resource-type', 'Folder', '--resource-id', String(folder.id)]
    const set = ['policies', 'set-group', ...item, '--group', String(group.id)] as const
    expect((await hedron.run(...set)).exitCode).toBe(2)
    expect(await hedron.succeed(...set, '--action', 'FolderEdit')).toBe('✓ Updated group policy\n')
    expect(await made('policies', 'get', ...item)).toMatchObject({
      groupPolicies: [{ groupId: group.id, action: 'FolderEdit' }],
    })
    expect(await hedron.json(...set, '--clear')).toBeTypeOf('object')
    expect(await made('policies', 'get', ...item)).toMatchObject({ groupPolicies: [] })
    expect((await hedron.run(...set, '--action', 'WorkbookRead')).exitCode).toBe(1)
  })

  test('settings of the account and of the application are shown', async () => {
    expect(await made('tenant', 'settings')).toBeTypeOf('object')
    expect(await made('app', 'config')).toBeTypeOf('object')
  })

  test('an embed session is made and becomes a token once; tenants are listed and deleted', async () => {
    const tenant = unique('tenant')
    const body = JSON.stringify({ deploymentId: Number(id), externalId: 'ada', embedTenantName: tenant })
    const session = (await hedron.succeed('embed', 'generate-session', '-d', body)).trim()
    expect(session).toMatch(/^[0-9a-f]+$/)
    expect((await hedron.succeed('embed', 'token', '--session-id', session)).trim()).toMatch(/\S{20,}/)
    expect((await hedron.run('embed', 'token', '--session-id', session)).exitCode).toBe(1)
    expect(await hedron.succeed('embed', 'tenant', 'list', '--search', tenant)).toContain(tenant)
    expect(await hedron.succeed('embed', 'tenant', 'users', tenant)).toContain('ada')
    expect((await hedron.run('embed', 'tenant', 'groups', tenant)).stderr).toBe('No results\n')
    const withGroup = {
      ...JSON.parse(body),
      creatorMode: true,
      groupDefinitions: [{ name: 'sales' }],
    }
    await hedron.succeed('embed', 'generate-session', '-d', JSON.stringify(withGroup))
    const listed = await hedron.succeed('embed', 'tenant', 'groups', tenant)
    const [, group = ''] = /^(\d+) +sales +0$/m.exec(listed) ?? []
    expect(await hedron.succeed('embed', 'tenant', 'delete-group', tenant, group)).toBe(
      `✓ Deleted group ${group} of embed tenant \`${tenant}\`\n`,
    )
    expect((await hedron.run('embed', 'tenant', 'groups', tenant)).stderr).toBe('No results\n')
    expect((await hedron.run('embed', 'tenant', 'delete-group', tenant, group)).exitCode).toBe(1)
    expect(await hedron.succeed('embed', 'tenant', 'delete', tenant)).toBe(`✓ Deleted embed tenant \`${tenant}\`\n`)
  })
})
