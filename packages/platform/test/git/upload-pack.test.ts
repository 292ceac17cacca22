import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createCommit } from '../../src/git/create-commit.ts'
import { editTree } from '../../src/git/edit-tree.ts'
import type { GitObject, ObjectId } from '../../src/git/objects.ts'
import { streamPack, writePack } from '../../src/git/pack.ts'
import { packet } from '../../src/git/packet-line.ts'
import { readSnapshot } from '../../src/git/snapshot.ts'
import { advertiseRefs, uploadPackResponse } from '../../src/git/upload-pack.ts'
import { parseUploadRequest } from '../../src/git/upload-request.ts'
import { createRepository, openRepository, runGit } from './git-program.ts'
import { type MemoryObjects, memoryObjects } from './memory-objects.ts'
import { randomHistory, randomNumbers } from './random-history.ts'

/** A server made of nothing but the functions under test. Counts what it sends. */
async function serve(store: MemoryObjects, references: Map<string, ObjectId>, head: string) {
  const sent = { bytes: 0, requests: 0 }
  const server = createServer(async (request, response) => {
    try {
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
        response.end(advertiseRefs(references, head))
        return
      }
      const body = await buffer(request)
      const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      sent.requests++
      response.setHeader('content-type', 'application/x-git-upload-pack-result')
      const input = { reader: store, references, request: parseUploadRequest(plain) }
      for await (const chunk of uploadPackResponse(input)) {
        sent.bytes += chunk.byteLength
        response.write(chunk)
      }
      response.end()
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(server.address())
  return {
    url: `http://127.0.0.1:${port}/model.git`,
    sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address
}

/** Like model files in size: a blob of this many bytes does not fit into one packet. */
const bigFile = Buffer.from(Array.from({ length: 300_000 }, randomByte(1)))

function randomByte(seed: number) {
  const random = randomNumbers(seed)
  return () => random(256)
}

async function commitFile(
  store: MemoryObjects,
  parent: ObjectId,
  path: string,
  content: string | Uint8Array,
  at: number,
) {
  const commit = (await store.read([parent])).get(parent)
  const treeBefore = Buffer.from(commit?.content ?? []).toString('latin1', 5, 45)
  const { treeId, objects } = await editTree(store, treeBefore, new Map([[path, { id: store.addBlob(content) }]]))
  const author = { name: 'Ada', email: 'ada@example.com' }
  const request = { tree: treeId, parents: [parent], author, at: new Date(at * 1000), message: 'Edit' }
  const { id, object } = createCommit(request)
  store.add(new Map([...objects, [id, object]]))
  return id
}

describe('a server made of the upload-pack functions', () => {
  test.each(['0', '1', '2'])(
    'is cloned and fetched from by git, protocol %s, ids and bytes equal',
    async version => {
      const store = memoryObjects()
      const history = await randomHistory(store, 40, 21, 0)
      const main = await commitFile(store, history.at(-1) ?? '', 'model/big.bin', bigFile, 1_700_000_000)
      const references = new Map([
        ['refs/heads/main', main],
        ['refs/heads/dev-ada/x', history[30] ?? ''],
      ])
      await using server = await serve(store, references, 'refs/heads/main')
      await using folder = await createRepository()
      const git = ['-c', `protocol.version=${version}`, '-c', 'fetch.fsckObjects=true']
      const cloned = await runGit(folder.directory, [...git, 'clone', '--quiet', server.url, 'clone'])
      expect([cloned.code, cloned.stderr]).toEqual([0, ''])
      const clone = openRepository(join(folder.directory, 'clone'))
      expect((await clone.git(['rev-parse', 'HEAD', 'origin/dev-ada/x'])).split('\n')).toEqual([main, history[30], ''])
      expect(await clone.git(['symbolic-ref', 'HEAD'])).toBe('refs/heads/main\n')
      const tree = (await clone.git(['rev-parse', 'HEAD^{tree}'])).trim()
      for (const [path, file] of await readSnapshot(store, tree)) {
        const bytes = await readFile(join(clone.directory, path))
        expect([path, bytes.equals(store.all.get(file.id)?.content ?? Buffer.of())]).toEqual([path, true])
      }
      expect(await clone.fsck()).toBe('')

      server.sent.bytes = 0
      references.set('refs/heads/main', await commitFile(store, main, 'model/new.yml', 'cubes: []\n', 1_700_000_100))
      const fetched = await clone.run([...git, 'pull', '--quiet'])
      expect([fetched.code, fetched.stderr]).toEqual([0, ''])
      expect(await clone.git(['rev-parse', 'HEAD'])).toBe(`${references.get('refs/heads/main')}\n`)
      expect(server.sent.bytes).toBeLessThan(2_000)
      expect(await clone.fsck()).toBe('')
    },
    60_000,
  )

  test('agrees on what a client with a long history of its own has already', async () => {
    const store = memoryObjects()
    const history = await randomHistory(store, 50, 22, 0)
    const main = await commitFile(store, history.at(-1) ?? '', 'model/big.bin', bigFile, 1_700_000_000)
    const references = new Map([['refs/heads/main', main]])
    await using server = await serve(store, references, 'refs/heads/main')
    await using folder = await createRepository()
    await runGit(folder.directory, ['clone', '--quiet', server.url, 'clone'])
    const clone = openRepository(join(folder.directory, 'clone'))
    const tree = (await clone.git(['rev-parse', 'HEAD^{tree}'])).trim()
    let local = main
    for (let index = 0; index < 120; index++) {
      local = (await clone.git(['commit-tree', '-p', local, '-m', `local ${index}`, tree])).trim()
    }
    await clone.git(['update-ref', 'refs/heads/main', local])
    references.set('refs/heads/main', await commitFile(store, main, 'model/new.yml', 'x\n', 1_600_000_000))
    server.sent.requests = 0
    server.sent.bytes = 0
    await clone.git(['fetch', '--quiet'])
    expect(await clone.git(['rev-parse', 'origin/main'])).toBe(`${references.get('refs/heads/main')}\n`)
    expect(server.sent.requests).toBeGreaterThan(1)
    expect(server.sent.bytes).toBeLessThan(20_000)
  })

  test('is cloned while it is empty', async () => {
    await using server = await serve(memoryObjects(), new Map(), 'refs/heads/main')
    await using folder = await createRepository()
    const { code, stderr } = await runGit(folder.directory, ['clone', server.url, 'clone'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('empty repository')])
  })

  test('gives out nothing but what references point at, and says why', async () => {
    const store = memoryObjects()
    const [first = '', second = ''] = await randomHistory(store, 2, 23, 0)
    const references = new Map([['refs/heads/main', second]])
    for (const id of [
      first,
      'f'.repeat(40),
      [...store.all.keys()].find(id => store.all.get(id)?.type === 'blob') ?? '',
    ]) {
      const request = { wants: [second, id], haves: [], capabilities: new Set<string>(), done: true }
      const answer = await collect(uploadPackResponse({ reader: store, references, request }))
      expect(answer.toString()).toMatch(new RegExp(`^....ERR No branch points at ${id}\\.`))
    }
  })

  test('refuses a shallow clone in words that reach the person', async () => {
    const store = memoryObjects()
    const [first = ''] = await randomHistory(store, 1, 24, 0)
    await using server = await serve(store, new Map([['refs/heads/main', first]]), 'refs/heads/main')
    await using folder = await createRepository()
    const { code, stderr } = await runGit(folder.directory, ['clone', '--depth=1', server.url, 'clone'])
    expect([code > 0, stderr]).toEqual([true, expect.stringContaining('does not support shallow')])
  })

  test('tells in band 3 when an object is missing halfway', async () => {
    const store = memoryObjects()
    const [first = ''] = await randomHistory(store, 1, 25, 0)
    for (const [id, object] of store.all) if (object.type === 'blob') store.all.delete(id)
    const request = { wants: [first], haves: [], capabilities: new Set(['side-band-64k']), done: true }
    const references = new Map([['refs/heads/main', first]])
    const chunks: Uint8Array[] = []
    const drain = async () => {
      for await (const chunk of uploadPackResponse({ reader: store, references, request })) chunks.push(chunk)
    }
    await expect(drain()).rejects.toThrow(expect.objectContaining({ code: 'object_missing' }))
    expect(Buffer.concat(chunks).toString('latin1')).toContain('\u0003The pack could not be completed.')
  })
})

describe('parseUploadRequest', () => {
  const id = 'a'.repeat(40)

  test('reads wants, haves and capabilities', () => {
    const body = Buffer.concat([
      packet(`want ${id} side-band-64k agent=git/2\n`),
      packet(`want ${'b'.repeat(40)}\n`),
      Buffer.from('0000'),
      packet(`have ${'c'.repeat(40)}`),
      Buffer.from('0000'),
      packet('done\n'),
    ])
    expect(parseUploadRequest(body)).toEqual({
      wants: [id, 'b'.repeat(40)],
      haves: ['c'.repeat(40)],
      capabilities: new Set(['side-band-64k', 'agent=git/2']),
      done: true,
    })
  })

  test.each([
    [Buffer.from('zzzz'), 'request_malformed'],
    [Buffer.from('0003'), 'request_malformed'],
    [Buffer.from('00ffwant'), 'request_malformed'],
    [Buffer.from('00'), 'request_malformed'],
    [packet('want x\n'), 'request_malformed'],
    [packet('push\n'), 'request_malformed'],
    [packet('deepen 1\n'), 'request_unsupported'],
    [packet('filter blob:none\n'), 'request_unsupported'],
  ])('refuses %j', (body, code) => {
    expect(() => parseUploadRequest(body)).toThrow(expect.objectContaining({ name: 'GitError', code }))
  })
})

describe('packs', () => {
  test('streamed and written at once are equally good for git', async () => {
    const store = memoryObjects()
    await randomHistory(store, 5, 26, 0)
    for (const size of [0, 1, 15, 16, 17, 2047, 2048, 300_000]) store.addBlob(bigFile.subarray(0, size))
    async function* objects() {
      yield* store.all
    }
    const streamed = await collect(streamPack(store.all.size, objects()))
    const written = writePack(store.all)
    for (const pack of [streamed, written]) {
      await using repository = await createRepository()
      await repository.unpack(pack)
      expect(await repository.reader.read([...store.all.keys()])).toEqual(asBuffers(store.all))
    }
    await expect(collect(streamPack(1, objects()))).rejects.toThrow('announced 1')
  })

  test('an empty one too', async () => {
    await using repository = await createRepository()
    await repository.unpack(writePack([]))
  })
})

function asBuffers(objects: ReadonlyMap<ObjectId, GitObject>): Map<ObjectId, GitObject> {
  return new Map([...objects].map(([id, { type, content }]) => [id, { type, content: Buffer.from(content) }]))
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
