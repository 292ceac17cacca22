import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Client } from '@hedron/contract/client'
import { createClient } from '@hedron/contract/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi, createDeployment } from '../support/api.ts'
import { createContent } from '../support/content-facts.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { expectPublished, publishedOperations } from '../support/published-contract.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'

/** Comments are switched on for the whole account, so it is not the one that other tests share. */
let platform: RunningPlatform
let admin: Client
let deploymentId: number
let params: { publicId: string }
let hidden: { publicId: string }

beforeAll(async () => {
  platform = await startPlatform()
  const api = createApi(platform.baseUrl, platform.apiKey)
  admin = connect(api)
  deploymentId = await createDeployment(api)
  const { workbookId, publicId } = await createContent(api, deploymentId)
  params = { publicId }
  await admin.provisionEmbedUsers({
    params: { embedTenantName: 'tenant-a' },
    body: { users: [{ externalId: 'zoe', email: 'zoe@a.example' }, { externalId: 'quiet' }] },
  })
  await admin.updateEmbedAccess({
    params: { deploymentId, workbookId },
    body: { allEmbedUsers: true, action: 'read', allowEmbed: true },
  })
  const another = await createDeployment(api)
  hidden = { publicId: (await createContent(api, another)).publicId }
  await admin.updateTenantSettings({ body: { embedding: { enableDashboardComments: true } } })
})
afterAll(() => platform?.dispose())

/** A user in a session of an embed tenant. */
async function sign(externalId: string, embedTenantName: string | null): Promise<Client> {
  const body = { deploymentId, externalId, embedTenantName }
  const { sessionId } = await admin.generateSession({ body })
  const { token } = await admin.postTokenBySessionId({ body: { sessionId } })
  return createClient({ baseUrl: platform.baseUrl, authorization: `Embed-Token ${token}` })
}

const bodiesOf = async (client: Client, query: Record<string, string | number | boolean> = {}) =>
  (await client.listDashboardComments({ params, query })).items.map(({ root, replies }) => [
    root.body,
    ...replies.map(({ body }) => body),
  ])

describe('the commands of docs/embedding.md', () => {
  test('comment, reply, resolve and list', async () => {
    const docs = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8')
    const [, code = ''] = /^```sh\n(COMMENTS=.*?)^```$/ms.exec(docs) ?? []
    const body = { deploymentId, externalId: 'reader', embedTenantName: 'tenant-docs' }
    const { sessionId } = await admin.generateSession({ body })
    const { token } = await admin.postTokenBySessionId({ body: { sessionId } })
    const reader = createClient({ baseUrl: platform.baseUrl, authorization: `Embed-Token ${token}` })
    // The first comment of a dashboard that nobody else has written to would be number 1.
    const { id } = await reader.createDashboardComment({ params, body: { body: 'before' } })
    const command = code.replace('"parentId":1', `"parentId":${id}`).replace('/1/resolve', `/${id}/resolve`)
    expect(command).toContain(`"parentId":${id}}`)
    expect(command).toContain(`/${id}/resolve`)
    const env = { HEDRON_API_URL: platform.baseUrl, PUBLIC_ID: params.publicId, EMBED_TOKEN: token }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], {
      env: { PATH: process.env.PATH ?? '', ...env },
      timeout: 60_000,
    })
    const answers = stdout.split(/(?<=\})(?=\{)/).map(text => JSON.parse(text))
    expect(answers).toMatchObject([
      { body: 'Why did May fall?' },
      { body: 'Two shops closed.' },
      { root: { id }, resolvedAt: expect.any(String) },
      { items: [{ root: { body: 'Why did May fall?' } }, { root: { id }, replies: [{ body: 'Two shops closed.' }] }] },
    ])
  })
})

describe('a thread', () => {
  test('is begun, replied to, edited, resolved and reopened; threads come newest first, replies oldest first', async () => {
    const [ann, ben] = [await sign('ann', 'tenant-thread'), await sign('ben', 'tenant-thread')]
    const one = await ann.createDashboardComment({ params, body: { body: 'one' } })
    expect(one).toMatchObject({
      body: 'one',
      dashboardId: params.publicId,
      isOwn: true,
      editedAt: null,
      removedAt: null,
    })
    const two = await ben.createDashboardComment({ params, body: { body: 'two', parentId: null } })
    await ben.createDashboardComment({ params, body: { body: 'first', parentId: one.id } })
    await ann.createDashboardComment({ params, body: { body: 'second', parentId: one.id } })
    expect(await bodiesOf(ann)).toEqual([['two'], ['one', 'first', 'second']])
    const edited = await ben.updateDashboardComment({ params: { ...params, commentId: two.id }, body: { body: 'TWO' } })
    expect(edited).toMatchObject({ body: 'TWO', editedAt: expect.any(String) })

    const thread = { ...params, commentId: one.id }
    const resolved = await ann.setDashboardCommentResolved({ params: thread, body: { resolved: true } })
    expect(resolved).toMatchObject({ root: { id: one.id }, resolvedAt: expect.any(String), resolvedBy: one.userId })
    expect(await ann.setDashboardCommentResolved({ params: thread, body: { resolved: true } })).toEqual(resolved)
    expect(await bodiesOf(ben)).toEqual([['TWO']])
    expect(await bodiesOf(ben, { includeResolved: true })).toHaveLength(2)
    expect(await bodiesOf(ben, { resolvedOnly: true })).toEqual([['one', 'first', 'second']])
    const open = await ann.setDashboardCommentResolved({ params: thread, body: { resolved: false } })
    expect(open).toMatchObject({ resolvedAt: null, resolvedBy: null })
    expect(await bodiesOf(ben)).toHaveLength(2)
  })

  test("is its author's alone to edit, delete and resolve: 403; a reply cannot be replied to or resolved: 400", async () => {
    const [ann, ben] = [await sign('ann', 'tenant-author'), await sign('ben', 'tenant-author')]
    const { id } = await ann.createDashboardComment({ params, body: { body: 'mine' } })
    const reply = await ben.createDashboardComment({ params, body: { body: 'his', parentId: id } })
    const thread = { ...params, commentId: id }
    const onReply = { ...params, commentId: reply.id }
    await expectRefusal(ben.updateDashboardComment({ params: thread, body: { body: 'x' } }), 'comment_not_yours')
    await expectRefusal(ben.removeDashboardComment({ params: thread }), 'comment_not_yours')
    await expectRefusal(
      ben.setDashboardCommentResolved({ params: thread, body: { resolved: true } }),
      'comment_not_yours',
    )
    await expectRefusal(ann.removeDashboardComment({ params: onReply }), 'comment_not_yours')
    await expectRefusal(
      ben.setDashboardCommentResolved({ params: onReply, body: { resolved: true } }),
      'comment_is_reply',
    )
    const toReply = ann.createDashboardComment({ params, body: { body: 'x', parentId: reply.id } })
    await expectRefusal(toReply, 'comment_is_reply')
    expect(await bodiesOf(ann)).toEqual([['mine', 'his']])
  })

  test('that is deleted keeps its place without its text and takes its replies along; nobody replies to it any more', async () => {
    const [ann, ben] = [await sign('ann', 'tenant-delete'), await sign('ben', 'tenant-delete')]
    const { id } = await ann.createDashboardComment({ params, body: { body: 'secret' } })
    const reply = await ben.createDashboardComment({ params, body: { body: 'also secret', parentId: id } })
    const thread = { ...params, commentId: id }
    for (let time = 0; time < 2; time++) await ann.removeDashboardComment({ params: thread })
    const { items } = await ben.listDashboardComments({ params })
    expect(items).toMatchObject([{ root: { id, body: '', removedAt: expect.any(String) }, replies: [{ body: '' }] }])
    const late = ben.createDashboardComment({ params, body: { body: 'x', parentId: id } })
    await expectRefusal(late, 'comment_not_found')
    const edit = ben.updateDashboardComment({ params: { ...params, commentId: reply.id }, body: { body: 'x' } })
    await expectRefusal(edit, 'comment_not_found')
    await ann.setDashboardCommentResolved({ params: thread, body: { resolved: true } })
    expect(await bodiesOf(ben)).toEqual([])
  })

  test('takes 200 replies and says that it is full, also when they come at once', async () => {
    const ann = await sign('ann', 'tenant-full')
    const { id } = await ann.createDashboardComment({ params, body: { body: 'long' } })
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(
        Array.from({ length: batch === 9 ? 19 : 20 }, (_, index) =>
          ann.createDashboardComment({ params, body: { body: `${batch}/${index}`, parentId: id } }),
        ),
      )
    }
    const last = await Promise.allSettled(
      Array.from({ length: 8 }, () => ann.createDashboardComment({ params, body: { body: 'last', parentId: id } })),
    )
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of last) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'comment_thread_full' })
    }
    expect((await bodiesOf(ann))[0]).toHaveLength(201)
  })

  test('keeps script as the text that it is', async () => {
    const ann = await sign('ann', 'tenant-script')
    const body = '<script>alert(1)</script> [x](javascript:alert(1)) "\u202e'
    expect((await ann.createDashboardComment({ params, body: { body } })).body).toBe(body)
    expect(await bodiesOf(ann)).toEqual([[body]])
    for (const bad of ['', 'x'.repeat(10_001)]) {
      await expectRefusal(ann.createDashboardComment({ params, body: { body: bad } }), 'invalid_request', /^body/)
    }
  })
})

describe('threads of one embed tenant', () => {
  test('are not there for another: neither in lists, nor by id, cursor or parentId', async () => {
    const [ann, eve] = [await sign('ann', 'tenant-ours'), await sign('ann', 'tenant-theirs')]
    const ids: number[] = []
    for (const body of ['a', 'b', 'c']) ids.push((await ann.createDashboardComment({ params, body: { body } })).id)
    const own = await eve.createDashboardComment({ params, body: { body: 'of eve' } })
    const { pageInfo } = await ann.listDashboardComments({ params, query: { first: 1 } })
    const after = pageInfo.endCursor ?? ''
    for (const query of [{}, { after }, { includeResolved: true }]) {
      const { items } = await eve.listDashboardComments({ params, query })
      for (const { root } of items) expect(root.id).toBe(own.id)
    }
    const commentId = ids[0] ?? 0
    const there = { ...params, commentId }
    await expectRefusal(eve.updateDashboardComment({ params: there, body: { body: 'x' } }), 'comment_not_found')
    await expectRefusal(eve.removeDashboardComment({ params: there }), 'comment_not_found')
    await expectRefusal(
      eve.setDashboardCommentResolved({ params: there, body: { resolved: true } }),
      'comment_not_found',
    )
    const reply = eve.createDashboardComment({ params, body: { body: 'x', parentId: commentId } })
    await expectRefusal(reply, 'comment_not_found')
    expect(await bodiesOf(ann)).toEqual([['c'], ['b'], ['a']])
    expect((await ann.listDashboardComments({ params, query: { after } })).items.map(({ root }) => root.body)).toEqual([
      'b',
      'a',
    ])
  })

  test('go with the tenant', async () => {
    const ann = await sign('ann', 'tenant-gone')
    await ann.createDashboardComment({ params, body: { body: 'old' } })
    await admin.deleteEmbedTenant({ params: { embedTenantName: 'tenant-gone' } })
    expect(await bodiesOf(await sign('ann', 'tenant-gone'))).toEqual([])
  })
})

describe('mentionable users', () => {
  test('are those of the own embed tenant in the order of user names, found by name or e-mail address', async () => {
    const ann = await sign('ann', 'tenant-a')
    await sign('stranger', 'tenant-b')
    const { items } = await ann.listMentionableEmbedUsers({ params })
    expect(items.map(({ username, email }) => [username, email])).toEqual([
      ['ann', null],
      ['quiet', null],
      ['zoe', 'zoe@a.example'],
    ])
    const find = async (query: Record<string, string | number>) =>
      (await ann.listMentionableEmbedUsers({ params, query })).items.map(({ username }) => username)
    expect([await find({ search: 'ZO' }), await find({ search: '@a.' }), await find({ search: '%' })]).toEqual([
      ['zoe'],
      ['zoe'],
      [],
    ])
    const page = await ann.listMentionableEmbedUsers({ params, query: { first: 2 } })
    expect(await find({ after: page.pageInfo.endCursor ?? '' })).toEqual(['zoe'])
  })
})

describe('who may not comment', () => {
  test('an API key, and a session without an embed tenant or of an internal user: 403', async () => {
    const body = { body: 'x' }
    await expectRefusal(admin.createDashboardComment({ params, body }), 'embed_session_required')
    await expectRefusal(admin.listDashboardComments({ params }), 'embed_session_required')
    const ann = await sign('ann', null)
    await expectRefusal(ann.listDashboardComments({ params }), 'embed_tenant_required')
    await expectRefusal(ann.createDashboardComment({ params, body }), 'embed_tenant_required')
    const { username } = await admin.getMe({})
    const session = { deploymentId, internalId: username, embedTenantName: 'tenant-a' }
    const { sessionId } = await admin.generateSession({ body: session })
    const { token } = await admin.postTokenBySessionId({ body: { sessionId } })
    const internal = createClient({ baseUrl: platform.baseUrl, authorization: `Embed-Token ${token}` })
    await expectRefusal(internal.listMentionableEmbedUsers({ params }), 'embed_tenant_required')
  })

  test('who does not see the dashboard: 404, as where there is none', async () => {
    const ann = await sign('ann', 'tenant-a')
    for (const other of [hidden, { publicId: 'AbCdEfGhIjKl' }]) {
      await expectRefusal(ann.listDashboardComments({ params: other }), 'dashboard_not_found')
      await expectRefusal(ann.createDashboardComment({ params: other, body: { body: 'x' } }), 'dashboard_not_found')
      await expectRefusal(ann.listMentionableEmbedUsers({ params: other }), 'dashboard_not_found')
    }
  })

  test('anybody, while the account has comments switched off: 403; they come back with the switch', async () => {
    const ann = await sign('ann', 'tenant-switch')
    await ann.createDashboardComment({ params, body: { body: 'kept' } })
    await admin.updateTenantSettings({ body: { embedding: { enableDashboardComments: false } } })
    try {
      await expectRefusal(ann.listDashboardComments({ params }), 'dashboard_comments_off')
      await expectRefusal(ann.createDashboardComment({ params, body: { body: 'x' } }), 'dashboard_comments_off')
    } finally {
      await admin.updateTenantSettings({ body: { embedding: { enableDashboardComments: true } } })
    }
    expect(await bodiesOf(ann)).toEqual([['kept']])
  })
})

test('every operation of comments answers with the published status and shape', async () => {
  const { sessionId } = await admin.generateSession({
    body: { deploymentId, externalId: 'conformist', embedTenantName: 'tenant-published' },
  })
  const { token } = await admin.postTokenBySessionId({ body: { sessionId } })
  const api = createApi(platform.baseUrl, '')
  const comments = `/api/v1/embed/dashboard/${params.publicId}/comments`
  const send = async (operationId: string, method: string, path: string, body?: object) => {
    const operation = publishedOperations.find(published => published.operationId === operationId)
    if (operation === undefined) throw new Error(`${operationId} is not published`)
    const answer = await api.request(method, path, body, { authorization: `Embed-Token ${token}` })
    expectPublished(operation, answer)
    return answer
  }
  const made = await send('createDashboardComment', 'POST', comments, { body: 'hello' })
  const own = `${comments}/${String(made.body.id)}`
  await send('listDashboardComments', 'GET', comments)
  await send('listMentionableEmbedUsers', 'GET', `${comments}/mentionable-users`)
  await send('updateDashboardComment', 'PATCH', own, { body: 'hello again' })
  await send('setDashboardCommentResolved', 'POST', `${own}/resolve`, { resolved: true })
  await send('removeDashboardComment', 'DELETE', own)
})
