import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { encodeForm, sendByFetch, sendByHttp } from '../../src/session/http.ts'

let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise(resolve => (server ? server.close(resolve) : resolve(null)))
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

const get = (signal = new AbortController().signal) => ({ method: 'GET', headers: {}, signal })

test('a form reads back as what was put into it, whatever its names hold', async () => {
  const bytes = new Uint8Array([0, 13, 10, 45, 45, 255])
  const { contentType, bytes: encoded } = encodeForm(
    [
      { name: 'transaction', content: '{"id":"ä"}' },
      { name: 'file', fileName: 'model/a "b"\r\n.yml', content: bytes },
      { name: 'file', fileName: 'model/ü.yml', content: '' },
    ],
    'b1',
  )
  const form = await new Response(encoded, { headers: { 'content-type': contentType } }).formData()
  expect(form.get('transaction')).toBe('{"id":"ä"}')
  const files = form.getAll('file').filter(each => typeof each !== 'string')
  expect(files.map(({ name }) => name)).toEqual(['model/a "b"\r\n.yml', 'model/ü.yml'])
  expect(await Promise.all(files.map(each => each.bytes()))).toEqual([bytes, new Uint8Array()])
})

describe.each([
  ['the client of Node', sendByHttp],
  ['the fetch of the binary', sendByFetch],
])('%s', (_, send) => {
  test('sends what it is given and gives what is answered', async () => {
    const url = await serve(async (request, response) => {
      const body = await request.toArray()
      response.writeHead(418, { 'content-type': 'text/plain' })
      response.end(`\ufeff${request.method} ${request.headers['x-a']} ${Buffer.concat(body)}`)
    })
    const answer = await send(`${url}/x`, { ...get(), method: 'PUT', headers: { 'x-a': '1' }, body: 'grüße' })
    expect([answer.ok, answer.status, answer.statusText]).toEqual([false, 418, "I'm a Teapot"])
    expect(await answer.text()).toBe('\ufeffPUT 1 grüße')
  })

  test('says that nothing follows, and wants nothing compressed', async () => {
    const url = await serve(({ headers }, response) => {
      response.end(`${headers['content-length']} ${headers['accept-encoding'] ?? 'identity'}`)
    })
    const answers = ['POST', 'PUT', 'GET'].map(async method => (await send(url, { ...get(), method })).text())
    expect(await Promise.all(answers)).toEqual(['0 identity', '0 identity', 'undefined identity'])
  })

  test('an answer that breaks off is an error', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 20)
    })
    await expect(send(url, get())).rejects.toThrow()
  })

  test('a redirect is not followed, since what is sent carries a credential', async () => {
    const url = await serve((_, response) => response.writeHead(308, { location: 'https://elsewhere.example/' }).end())
    await expect(send(url, get())).rejects.toThrow('it redirects to https://elsewhere.example/')
  })

  test('ends when it is aborted', async () => {
    const url = await serve(() => {})
    const error = await send(url, get(AbortSignal.timeout(20))).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect([Object(error).name, Object(error).cause?.name]).toContain('TimeoutError')
  })

  test('what the server says of the next try is kept', async () => {
    const url = await serve((_, response) => response.writeHead(429, { 'retry-after': '7' }).end())
    const answer = await send(`${url}/`, get())
    expect(answer.headers?.get('retry-after')).toBe('7')
    expect(answer.headers?.get('x-nothing')).toBeNull()
  })
})
