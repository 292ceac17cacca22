import { expect, test } from 'vitest'
import { createSession } from '../../src/session/session.ts'

const credentials = { url: 'http://server.example', token: 'sk-1' }

test('a request that is not answered in time says so', async () => {
  const session = createSession(credentials, {
    environment: {},
    signal: new AbortController().signal,
    fetch: async () => {
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    },
  })
  await expect(session.client.getMe({})).rejects.toThrow(
    'request to http://server.example/api/v1/users/me failed: no answer within 120 s',
  )
})

test('every request carries a time limit and ends with the program', async () => {
  const interrupt = new AbortController()
  let given: AbortSignal | null | undefined
  const session = createSession(credentials, {
    environment: {},
    signal: interrupt.signal,
    fetch: async (_, init) => {
      given = init?.signal
      return Response.json({})
    },
  })
  await session.request('GET', '/x')
  expect(given?.aborted).toBe(false)
  interrupt.abort()
  expect(given?.aborted).toBe(true)
})

test('the innermost cause is the reason', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
  const session = createSession(credentials, {
    environment: {},
    signal: new AbortController().signal,
    fetch: async () => {
      throw new TypeError('fetch failed', { cause: new AggregateError([refused]) })
    },
  })
  await expect(session.request('GET', '/x', { query: { a: [1, 2] } })).rejects.toThrow(
    'request to http://server.example/x?a=1&a=2 failed: connect ECONNREFUSED 127.0.0.1:1',
  )
})
