import { Agent, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { expectRefusal } from '../support/contract-client.ts'
import { createModeler, listed, type Modeler } from '../support/project.ts'
import { uploadForm } from '../support/route-samples.ts'

const api = sharedApi()
const mebibyte = 1024 * 1024
let modeler: Modeler
let transaction: { id: string }
let before: Record<string, string>

beforeAll(async () => {
  modeler = await createModeler(api)
  await modeler.enter()
  await modeler.write({ 'kept.md': 'kept' })
  before = await modeler.files()
  transaction = (await modeler.client.startUpload({ params: modeler.params })).transaction
})

describe('a path is refused, wherever it is sent,', () => {
  const bad: [why: string, path: string, reason: RegExp][] = [
    ['that climbs', '../up.yml', /\.\./],
    ['that climbs from within', 'model/../../up.yml', /\.\./],
    ['that climbs at its end', 'model/..', /\.\./],
    ['that steps on the spot', './a.yml', /\. or/],
    ['that is a dot', '.', /\. or/],
    ['that is absolute', '//etc/passwd', /absolute/],
    ['that is absolute on Windows', 'C:/Windows/a.yml', /absolute/],
    ['with a backslash', 'model\\..\\..\\up.yml', /backslash/],
    ['with a line break', 'a\nb.yml', /control character/],
    ['with an escape', 'a\u001b[31m.yml', /control character/],
    ['with an empty folder', 'model//a.yml', /empty/],
    ['that ends with a slash', 'model/', /empty/],
    ['of more than 1 KiB', `${'abcdefghi/'.repeat(103)}a.yml`, /1024 bytes/],
    ['of more than 1 KiB in bytes', `${'ääääääää/'.repeat(61)}a.yml`, /1024 bytes/],
    ['with a name of more than 255 bytes', `${'x'.repeat(256)}.yml`, /255 bytes/],
    ["into git's folder", '.git/config', /git/],
    ["into git's folder, deeper", 'model/.git/hooks/post-checkout', /git/],
    ["into git's folder in capitals", '.GIT/config', /git/],
    ["into git's folder by invisible characters", '.g\u200cit/config', /git/],
    ["into git's folder by its short name", 'GIT~1/config', /git/],
    ["into git's folder by a stream", '.git::$INDEX_ALLOCATION/config', /git/],
    ["into git's folder by dots and spaces", '.git. ./config', /git/],
  ]
  const json = (path: string) => {
    const { client, params } = modeler
    return [
      client.updateFiles({ params, body: { files: [{ path, content: '' }] } }),
      client.removeFiles({ params, body: { files: [{ path }] } }),
      client.renameFiles({ params, body: { files: [{ path: 'kept.md', newPath: path }] } }),
      client.renameFiles({ params, body: { files: [{ path, newPath: 'new.md' }] } }),
      client.finishUpload({ params, body: { transaction, files: { [path]: { hash: '0'.repeat(40) } } } }),
    ]
  }

  test.each(bad)('%s', async (_, path, reason) => {
    await Promise.all(json(path).map(call => expectRefusal(call, 'path_invalid', reason)))
    const form = uploadForm(transaction, [{ path, content: '' }])
    await expectRefusal(modeler.client.uploadFile({ params: modeler.params, body: form }), 'path_invalid', reason)
    const many = new FormData()
    many.append('transaction', JSON.stringify(transaction))
    // A form escapes line breaks and quotes in names, and so cannot carry them.
    if (!/[\n"]/.test(path)) {
      for (const name of ['fine.md', path]) many.append('file', new Blob(['']), name)
      await expectRefusal(modeler.client.uploadFile({ params: modeler.params, body: many }), 'path_invalid', reason)
    }
  })

  test.each([
    ['a NUL', 'a\0.yml'],
    ['half of a surrogate pair', 'a\ud800.yml'],
    ['nothing', ''],
  ])('that holds %s', async (_, path) => {
    const { client, params } = modeler
    const calls = [
      client.updateFiles({ params, body: { files: [{ path, content: '' }] } }),
      client.removeFiles({ params, body: { files: [{ path }] } }),
      client.renameFiles({ params, body: { files: [{ path: 'kept.md', newPath: path }] } }),
    ]
    await Promise.all(calls.map(call => expectRefusal(call, 'invalid_request', /^files\[0\]\.(path|newPath): /)))
    const finish = client.finishUpload({ params, body: { transaction, files: { [path]: { hash: '0' } } } })
    await expect(finish).rejects.toMatchObject({ status: 400 })
  })

  test('a path of exactly 1 KiB, and names in any script, are accepted', async () => {
    const own = await createModeler(api)
    await own.enter()
    const longest = `${'abcdefghi/'.repeat(101)}${'x'.repeat(14)}`
    expect(longest).toHaveLength(1024)
    const files = {
      [longest]: '',
      'שלום/数据/🚀.yml': '',
      '. .md': '',
      '.gitignore': '',
      'a"b\'c<d>|?*.md': '',
      '.git-not': '',
    }
    await own.write(files)
    expect(await own.files()).toMatchObject(files)
  })
})

describe('a content is refused', () => {
  test('that is larger than 10 MiB, and one of exactly that is not', async () => {
    const own = await createModeler(api)
    await own.enter()
    const { client, params } = own
    const largest = 'x'.repeat(10 * mebibyte)
    await own.write({ 'large.md': largest })
    expect((await client.fileHashes({ params }))['large.md']).toEqual(listed({ a: largest }).a)
    await expectRefusal(own.write({ 'larger.md': `${largest}x` }), 'file_invalid', /"larger.md".*10 MiB/)
    await expectRefusal(own.write({ 'larger.md': 'ä'.repeat(5 * mebibyte + 1) }), 'file_invalid', /10 MiB/)
    const { transaction: own10 } = await client.startUpload({ params })
    await client.uploadFile({ params, body: uploadForm(own10, [{ path: 'large.md', content: largest }]) })
    const larger = uploadForm(own10, [{ path: 'larger.md', content: `${largest}x` }])
    await expectRefusal(client.uploadFile({ params, body: larger }), 'file_invalid', /larger.md.*10 MiB/)
  })

  test.each([
    ['is not UTF-8', [0xff, 0xfe, 0x41]],
    ['is Latin-1', [0x4d, 0xfc, 0x6c, 0x6c]],
    ['is UTF-8 cut off', [0x61, 0xe2, 0x82]],
    ['is UTF-8 written too long', [0xc0, 0xaf]],
    ['has half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['has a NUL', [0x61, 0, 0x62]],
  ])('that %s', async (_, bytes) => {
    const form = uploadForm(transaction, [{ path: 'bytes.yml', content: Uint8Array.from(bytes) }])
    const call = modeler.client.uploadFile({ params: modeler.params, body: form })
    await expectRefusal(call, 'file_invalid', /"bytes.yml" is refused/)
  })

  test('that holds NUL or half of a surrogate pair in JSON', async () => {
    for (const content of ['a\0b', 'a\udc00']) {
      await expectRefusal(modeler.write({ 'a.yml': content }), 'invalid_request', /^files\[0\]\.content: /)
    }
  })
})

describe('too much at once', () => {
  test('50,000 files in one call are refused, and 20,000 are written', async () => {
    const own = await createModeler(api)
    await own.enter()
    const { client, params } = own
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `m/${index % 100}/${index}`, content: '' }))
    const tooMany = many(50_000)
    await expectRefusal(client.updateFiles({ params, body: { files: tooMany } }), 'too_many_files', /50000.*20000/)
    await expectRefusal(
      client.removeFiles({ params, body: { files: tooMany.map(({ path }) => ({ path })) } }),
      'too_many_files',
    )
    const { transaction: open } = await client.startUpload({ params })
    const hashes = listed(Object.fromEntries(tooMany.map(({ path }) => [path, ''])))
    await expectRefusal(client.finishUpload({ params, body: { transaction: open, files: hashes } }), 'too_many_files')
    await client.updateFiles({ params, body: { files: many(20_000) } })
    expect(Object.keys(await client.fileHashes({ params }))).toHaveLength(20_001)
  })

  test('a form of more than 64 MiB is refused with 413', async () => {
    const form = uploadForm(
      transaction,
      Array.from({ length: 7 }, (_, index) => ({ path: `${index}.md`, content: 'x'.repeat(10 * mebibyte) })),
    )
    await expectRefusal(modeler.client.uploadFile({ params: modeler.params, body: form }), 'body_too_large', /64 MiB/)
  })
})

describe('a form that is refused before its end', () => {
  /** Sends a request on a connection that the next one has to wait for. */
  const send = (agent: Agent, method: string, path: string, body?: Buffer) =>
    new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${modeler.api.apiKey}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'multipart/form-data; boundary=x', 'content-length': body.length }),
      }
      const sent = request(
        `${api.baseUrl}${path}`,
        { method, agent, headers, signal: AbortSignal.timeout(10_000) },
        response => {
          response.resume()
          const port = response.socket.localPort
          response.once('end', () => resolve({ status: response.statusCode, port }))
        },
      )
      sent.once('error', reject)
      sent.end(body)
    })
  const part = (name: string, bytes: number) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.md"\r\n\r\n${'x'.repeat(bytes)}\r\n`

  test.each([
    ['for a part of another name', [part('upload', 9 * mebibyte), part('file', 9 * mebibyte)], 400],
    ['for a file that is too large', [part('file', 30 * mebibyte)], 400],
    ['for its size', Array.from({ length: 8 }, () => part('file', 9 * mebibyte)), 413],
  ])('%s leaves its connection to the next request', async (_, parts, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const path = `/build/api/v1/deployments/${modeler.deploymentId}/data-model/upload/file`
    const refused = await send(agent, 'POST', path, Buffer.from([...parts, '--x--\r\n'].join('')))
    expect(refused.status).toBe(status)
    expect(await send(agent, 'GET', '/api/v1/users/me')).toEqual({ status: 200, port: refused.port })
    agent.destroy()
  })
})

test('and nothing of all that is on the branch, which is written as before', async () => {
  expect(await modeler.files()).toEqual(before)
  await modeler.write({ 'after.md': '' })
  expect(Object.keys(await modeler.files()).sort()).toEqual([...Object.keys(before), 'after.md'].sort())
})
