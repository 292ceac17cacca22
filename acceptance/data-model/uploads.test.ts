import { describe, expect, test } from 'vitest'
import { buildOf, createKey, eventually, sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { createModeler, listed, type Modeler, numbers, numbersPath, sha1, upload } from '../support/project.ts'
import { uploadForm } from '../support/route-samples.ts'

const api = sharedApi()
const starter = 'model/cubes/example_orders.yml'
const content = 'cubes: []\n'

async function start({ client, params }: Modeler, body: { branchName?: string; branchId?: number } = {}) {
  return (await client.startUpload({ params, body })).transaction
}

const send = (
  { client, params }: Modeler,
  transaction: { id: string },
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
) =>
  client.uploadFile({
    params,
    body: uploadForm(
      transaction,
      Object.entries(files).map(([path, bytes]) => ({ path, content: bytes })),
    ),
  })

const finish = (
  { client, params }: Modeler,
  transaction: { id: string },
  files: Record<string, string>,
  more: { autoRemoveFiles?: boolean; commitMessage?: string } = {},
) => client.finishUpload({ params, body: { transaction, files: listed(files), ...more } })

describe('an upload', () => {
  test('starts, takes files and finishes as one commit with one build, and the branch holds exactly those files', async () => {
    const modeler = await createModeler(api)
    await buildOf(api, modeler.deploymentId)
    const { client, params } = modeler
    const { transaction, deploymentName } = await client.startUpload({ params })
    expect(deploymentName).toBe((await client.getDeployment({ params })).name)
    const before = await client.buildStatus({ params })
    expect(await send(modeler, transaction, { 'model/a.yml': content })).toEqual({ success: true })
    await send(modeler, transaction, { 'model/b.yml': content, 'docs/read me.md': 'x', 'ä/数.md': '🚀' })
    const files = { 'model/a.yml': content, 'model/b.yml': content, 'docs/read me.md': 'x', 'ä/数.md': '🚀' }
    expect(await modeler.files()).not.toHaveProperty(['model/a.yml'])
    const { lastHash } = await finish(modeler, transaction, files)
    expect(await modeler.files()).toEqual(files)
    expect(await modeler.head('main')).toBe(lastHash)
    const built = await eventually(
      () => client.buildStatus({ params }),
      ({ status, lastHash: head }) => status === 'built' && head === lastHash,
    )
    expect(built.buildJobId).not.toBe(before.buildJobId)
    // Of all builds of the server, those of other tests included, no second one is this branch's.
    await new Promise(resolve => setTimeout(resolve, 300))
    expect((await client.buildStatus({ params })).buildJobId).toBe(built.buildJobId)
  })

  test('sends one file with its path in fileName, or many with their paths as their names', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const transaction = await start(modeler)
    const single = new FormData()
    single.append('transaction', JSON.stringify(transaction))
    single.append('fileName', 'model/single.yml')
    single.append('file', new Blob([content], { type: 'application/octet-stream' }), 'single.yml')
    await client.uploadFile({ params, body: single })
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`many/${index}.md`, `${index}`]))
    await send(modeler, transaction, many)
    await finish(modeler, transaction, { ...many, 'model/single.yml': content })
    expect(await modeler.files()).toEqual({ ...many, 'model/single.yml': content })
  })

  test('needs to send only what the branch has not: files of the branch are listed with their hash', async () => {
    const modeler = await createModeler(api)
    await upload(modeler, { 'a.md': 'A', 'b.md': 'B' })
    const transaction = await start(modeler)
    await send(modeler, transaction, { 'b.md': 'changed' })
    await finish(modeler, transaction, { 'a.md': 'A', 'b.md': 'changed' })
    expect(await modeler.files()).toEqual({ 'a.md': 'A', 'b.md': 'changed' })
  })

  test('removes files that are not listed, unless autoRemoveFiles is false', async () => {
    const modeler = await createModeler(api)
    await upload(modeler, { 'a.md': 'A', 'b.md': 'B' })
    const keeping = await start(modeler)
    await send(modeler, keeping, { 'c.md': 'C' })
    await finish(modeler, keeping, { 'c.md': 'C' }, { autoRemoveFiles: false })
    expect(Object.keys(await modeler.files())).toEqual(['a.md', 'b.md', 'c.md'])
    await finish(modeler, await start(modeler), { 'a.md': 'A' })
    expect(await modeler.files()).toEqual({ 'a.md': 'A' })
  })

  test('that changes nothing makes no commit and no build', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const first = await upload(modeler, { 'a.md': 'A' })
    const build = await client.buildStatus({ params })
    expect(await upload(modeler, { 'a.md': 'A' })).toBe(first)
    expect((await finish(modeler, await start(modeler), { 'a.md': 'A' })).lastHash).toBe(first)
    expect((await client.buildStatus({ params })).buildJobId).toBe(build.buildJobId)
  })

  test('of no file at all empties the branch', async () => {
    const modeler = await createModeler(api)
    await finish(modeler, await start(modeler), {})
    expect(await modeler.files()).toEqual({})
  })

  test('leaves out what was sent and is not listed', async () => {
    const modeler = await createModeler(api)
    const transaction = await start(modeler)
    await send(modeler, transaction, { 'a.md': 'A', 'not-listed.md': 'x' })
    await finish(modeler, transaction, { 'a.md': 'A' })
    expect(await modeler.files()).toEqual({ 'a.md': 'A' })
  })

  test('keeps the last content of a file that was sent twice', async () => {
    const modeler = await createModeler(api)
    const transaction = await start(modeler)
    await send(modeler, transaction, { 'a.md': 'first' })
    await send(modeler, transaction, { 'a.md': 'second' })
    await finish(modeler, transaction, { 'a.md': 'second' })
    expect(await modeler.files()).toEqual({ 'a.md': 'second' })
  })

  test('shows its commit message, and what the last deploy uploaded', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const transaction = await start(modeler)
    await send(modeler, transaction, { 'a.md': 'A' })
    await finish(modeler, transaction, { 'a.md': 'A' }, { commitMessage: 'From CI' })
    await modeler.enter()
    await modeler.write({ 'edited.md': '' })
    await modeler.commit()
    await client.stopDevMode({ params })
    const { items } = await client.listFiles({ params, query: { showLastCLIUpload: true } })
    expect(items.map(({ path }) => path)).toEqual(['/a.md'])
    expect(Object.keys(await modeler.files())).toEqual(['a.md', 'edited.md'])
  })
})

describe('the branch of an upload', () => {
  test("is the one named in body or query, else the caller's dev branch, else the deploy branch", async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'one' } })
    await client.createBranch({ params, body: { name: 'two' } })
    await upload(modeler, { 'in-main.md': '' })
    await upload(modeler, { 'in-one.md': '' }, { branchName: 'one' })
    const { transaction } = await client.startUpload({ params, query: { branchName: 'two' } })
    const form = uploadForm(transaction, [{ path: 'in-two.md', content: '' }])
    await client.uploadFile({ params, query: { branchName: 'two' }, body: form })
    const body = { transaction, files: listed({ 'in-two.md': '' }) }
    await client.finishUpload({ params, query: { branchName: 'two' }, body })
    const dev = await modeler.enter()
    await upload(modeler, { 'in-dev.md': '' })
    for (const [branch, path] of Object.entries({
      main: 'in-main.md',
      one: 'in-one.md',
      two: 'in-two.md',
      [dev]: 'in-dev.md',
    })) {
      expect(Object.keys(await modeler.files(branch)), branch).toEqual([path])
    }
  })

  test('is remembered: finishing with another is refused, and leaves the transaction open', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'one' } })
    const transaction = await start(modeler, { branchName: 'one' })
    await send(modeler, transaction, { 'a.md': 'A' })
    const body = { transaction, files: listed({ 'a.md': 'A' }) }
    await expectRefusal(client.finishUpload({ params, body: { ...body, branchName: 'main' } }), 'branch_mismatch')
    await expectRefusal(client.finishUpload({ params, query: { branchName: 'main' }, body }), 'branch_mismatch')
    expect(await modeler.files('one')).not.toHaveProperty(['a.md'])
    await client.finishUpload({ params, body: { ...body, branchName: 'one' } })
    expect(await modeler.files('one')).toEqual({ 'a.md': 'A' })
  })

  test('is refused where body and query, or id and name, disagree, and where it is not there', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'one' } })
    const { items } = await client.listBranches({ params })
    const branchId = items.find(({ name }) => name === 'main')?.id ?? 0
    await expectRefusal(start(modeler, { branchName: 'one', branchId }), 'branch_mismatch')
    const both = client.startUpload({ params, body: { branchName: 'main' }, query: { branchName: 'one' } })
    await expectRefusal(both, 'branch_mismatch')
    await expectRefusal(start(modeler, { branchName: 'nowhere' }), 'branch_not_found', /"nowhere"/)
  })

  test('may be the dev branch of another key of the same user', async () => {
    const modeler = await createModeler(api)
    const branch = await modeler.enter()
    const other = await createModeler(api, modeler.deploymentId)
    await upload(other, { 'a.md': 'A' }, { branchName: branch })
    expect(await modeler.files()).toEqual({ 'a.md': 'A' })
  })

  test('can be a shared one only in deploy mode cli', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.updateDeployment({ params, body: { deployMode: 'git' } })
    await expectRefusal(start(modeler), 'deploy_mode_not_cli', /Set deployMode to cli/)
    await modeler.enter()
    await upload(modeler, { 'a.md': 'A' })
    await client.updateDeployment({ params, body: { deployMode: 'cli' } })
    const main = await start(modeler, { branchName: 'main' })
    await client.updateDeployment({ params, body: { deployMode: 'git' } })
    await expectRefusal(finish(modeler, main, {}), 'deploy_mode_not_cli')
    expect(Object.keys(await modeler.files('main'))).toEqual([starter])
  })

  test('keeps an upload to a dev branch as edits that are not committed', async () => {
    const modeler = await createModeler(api)
    const dev = await modeler.enter()
    const before = await modeler.head(dev)
    const lastHash = await upload(modeler, { 'a.md': 'A' })
    expect(lastHash).toBe(before)
    expect(await modeler.head(dev)).toBe(before)
    await modeler.commit()
    expect(await modeler.files('main')).toEqual({ 'a.md': 'A' })
  })
})

describe('an upload transaction', () => {
  test('that is unknown, of another deployment or of another key is not there', async () => {
    const [modeler, elsewhere] = [await createModeler(api), await createModeler(api)]
    const transaction = await start(modeler)
    const stranger = { ...modeler, client: connect(api.with(await createKey(api))) }
    for (const [who, which] of [
      [modeler, { id: 'unknown' }],
      [modeler, { id: '' }],
      [elsewhere, transaction],
      [stranger, transaction],
    ] as const) {
      await expectRefusal(send(who, which, { 'a.md': 'A' }), 'upload_not_found')
      await expectRefusal(finish(who, which, {}), 'upload_not_found')
    }
    await finish(modeler, transaction, { [starter]: (await modeler.files())[starter] ?? '' })
  })

  test('that is finished takes nothing more', async () => {
    const modeler = await createModeler(api)
    const transaction = await start(modeler)
    await send(modeler, transaction, { 'a.md': 'A' })
    await finish(modeler, transaction, { 'a.md': 'A' })
    await expectRefusal(send(modeler, transaction, { 'b.md': 'B' }), 'upload_finished', /Start a new one/)
    await expectRefusal(finish(modeler, transaction, { 'a.md': 'A' }), 'upload_finished')
    expect(await modeler.files()).toEqual({ 'a.md': 'A' })
  })

  test('that two finish at once is finished once', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const transaction = await start(modeler)
    await send(modeler, transaction, { 'a.md': 'A' })
    const finishes = Array.from({ length: 6 }, () => finish(modeler, transaction, { 'a.md': 'A' }))
    const outcomes = await Promise.allSettled(finishes)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'upload_finished' })
    }
    expect(await modeler.files()).toEqual({ 'a.md': 'A' })
    expect((await client.listBranches({ params })).items[0]?.lastHash).toBe(await modeler.head('main'))
  })

  test('of each of two who deploy at once leaves the files of one of them, whole', async () => {
    const one = await createModeler(api)
    const two = await createModeler(api, one.deploymentId)
    const projects = ['one', 'two'].map(name =>
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${name}/${index}.md`, name])),
    )
    await Promise.all([upload(one, projects[0] ?? {}), upload(two, projects[1] ?? {})])
    expect(projects).toContainEqual(await one.files('main'))
  })

  test('lists a file that was not sent: refused, nothing changed, and still open', async () => {
    const modeler = await createModeler(api)
    const transaction = await start(modeler)
    await send(modeler, transaction, { 'a.md': 'A' })
    await expectRefusal(finish(modeler, transaction, { 'a.md': 'A', 'b.md': 'B' }), 'upload_incomplete', /"b.md"/)
    await expectRefusal(finish(modeler, transaction, { 'a.md': 'other' }), 'upload_incomplete', /"a.md"/)
    expect(Object.keys(await modeler.files())).toEqual([starter])
    await send(modeler, transaction, { 'b.md': 'B' })
    await finish(modeler, transaction, { 'a.md': 'A', 'b.md': 'B' })
    expect(await modeler.files()).toEqual({ 'a.md': 'A', 'b.md': 'B' })
  })

  test('starts with and without a body', async () => {
    const { deploymentId } = await createModeler(api)
    for (const body of [undefined, {}, '', null]) {
      const { status } = await api.post(`/build/api/v1/deployments/${deploymentId}/data-model/upload/start`, body)
      expect(status).toBe(200)
    }
  })
})

describe('a form that uploads files', () => {
  async function post(parts: (form: FormData, transaction: { id: string }) => void) {
    const modeler = await createModeler(api)
    const transaction = await start(modeler)
    const form = new FormData()
    parts(form, transaction)
    const path = `/build/api/v1/deployments/${modeler.deploymentId}/data-model/upload/file`
    const { status, body } = await modeler.api.post(path, form)
    return [status, body.code, body.message]
  }
  const blob = () => new Blob([content])

  test.each<[string, (form: FormData, transaction: { id: string }) => void, RegExp]>([
    ['no transaction', form => form.append('file', blob(), 'a.md'), /transaction: is required/],
    [
      'a transaction that is no JSON',
      form => {
        form.append('transaction', 'x')
        form.append('file', blob(), 'a.md')
      },
      /transaction: must be .* JSON text/,
    ],
    ['no file', (form, transaction) => form.append('transaction', JSON.stringify(transaction)), /file: is required/],
    [
      'two files and one fileName',
      (form, transaction) => {
        form.append('transaction', JSON.stringify(transaction))
        form.append('fileName', 'a.md')
        form.append('file', blob(), 'a.md')
        form.append('file', blob(), 'b.md')
      },
      /fileName: names one file/,
    ],
    [
      'a file under another name',
      (form, transaction) => {
        form.append('transaction', JSON.stringify(transaction))
        form.append('upload', blob(), 'a.md')
      },
      /parts named "file"/,
    ],
    [
      'an unknown field',
      (form, transaction) => {
        form.append('transaction', JSON.stringify(transaction))
        form.append('mode', '0755')
        form.append('file', blob(), 'a.md')
      },
      /"mode"/,
    ],
    [
      'more than 1,000 files',
      (form, transaction) => {
        form.append('transaction', JSON.stringify(transaction))
        for (let index = 0; index <= 1000; index++) form.append('file', new Blob(['']), `${index}.md`)
      },
      /./,
    ],
  ])('with %s is refused', async (_, parts, message) => {
    const [status, code, text] = await post(parts)
    expect([status, code]).toEqual([400, 'invalid_request'])
    expect(text).toMatch(message)
  })

  test.each([
    ['that ends in the middle', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nabc'],
    ['without its boundary', 'abc'],
    ['that is empty', '--x--\r\n'],
    ['of broken headers', '--x\r\nContent-Disposition\r\n\r\nabc\r\n--x--\r\n'],
  ])('%s is refused', async (_, text) => {
    const { api: own, deploymentId } = await createModeler(api)
    const path = `/build/api/v1/deployments/${deploymentId}/data-model/upload/file`
    for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
      const { status, body } = await own.request('POST', path, text, { 'content-type': type })
      expect([status, body.code], type).toEqual([400, 'invalid_request'])
    }
  })
})

describe('an upload of a whole project', () => {
  test('goes live: production answers from it', async () => {
    const modeler = await createModeler(api)
    await upload(modeler, { [numbersPath]: numbers('sum') })
    expect((await buildOf(api, modeler.deploymentId)).body).toMatchObject({ status: 'built', mode: 'production' })
    const { valid, cubesCount } = await modeler.client.validateDataModel({ params: modeler.params })
    expect([valid, cubesCount]).toEqual([true, 1])
    expect(await modeler.client.fileHashes({ params: modeler.params })).toEqual({
      [numbersPath]: { hash: sha1(numbers('sum')) },
    })
  })

  test('below a project root leaves the rest of the repository alone', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.updateDeployment({ params, body: { deployProjectRoot: '/analytics' } })
    const query = { useDeployProjectRoot: true }
    const { transaction } = await client.startUpload({ params, query })
    const form = uploadForm(transaction, [{ path: 'model/a.yml', content }])
    await client.uploadFile({ params, query, body: form })
    await client.finishUpload({ params, query, body: { transaction, files: listed({ 'model/a.yml': content }) } })
    expect(Object.keys(await modeler.files()).sort()).toEqual(['analytics/model/a.yml', starter])
  })
})
