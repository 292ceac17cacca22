import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeModel, query, type Reply, say, startFakeModel } from '../../../../../acceptance/support/fake-model.ts'
import { AgentError } from '../../../src/chat/agent.ts'
import { isRefusedAddress } from '../../../src/chat/language-model/provider/refuse-address.ts'
import { testAgent, testTurn } from './test-turn.ts'

let model: FakeModel
beforeAll(async () => {
  model = await startFakeModel()
})
afterAll(() => model.close())

const status = (code: number, more: Partial<Extract<Reply, { kind: 'status' }>> = {}): Reply => ({
  kind: 'status',
  status: code,
  ...more,
})

describe('a provider that fails for a while', () => {
  test.for<[what: string, reply: Reply]>([
    ['answers 500', status(500)],
    ['answers 503', status(503)],
    ['is overloaded', status(529)],
    ['limits requests', status(429)],
    ['breaks off before it says anything', { kind: 'break', text: [] }],
    ['ends politely without an end', { kind: 'break', text: [], politely: true }],
  ])('that %s is asked again', async ([, reply]) => {
    model.play(reply, reply, say('Here it is.'))
    const { agent, pauses } = testAgent(model.url)
    expect(await agent.answer(testTurn().turn)).toMatchObject({ text: 'Here it is.', usage: { llmCalls: 1 } })
    expect(pauses).toEqual([1_000, 2_000])
  })

  test('that says when is asked again then', async () => {
    model.play(status(429, { headers: { 'retry-after': '7' } }), say('Here it is.'))
    const { agent, pauses } = testAgent(model.url)
    await agent.answer(testTurn().turn)
    expect(pauses).toEqual([7_000])
    model.play(status(429, { headers: { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' } }), say('Here it is.'))
    await agent.answer(testTurn().turn)
    expect(pauses).toEqual([7_000, 20_000])
  })

  test('that wants to be left alone for long is not waited for', async () => {
    model.play(status(429, { headers: { 'retry-after': '3600' } }))
    const { agent, pauses } = testAgent(model.url)
    await expect(agent.answer(testTurn().turn)).rejects.toThrow(/is busy/)
    expect(pauses).toEqual([])
  })
})

describe('a provider that fails', () => {
  test.for<[what: string, reply: Reply, message: RegExp, requests: number]>([
    ['for good', status(500), /provider of the language model failed/, 4],
    ['over its key', status(401), /does not accept this server’s key/, 1],
    ['to know the model', status(404), /does not have this language model/, 1],
    ['to take the request', status(400), /did not take the request/, 1],
    ['with a redirect', status(307, { headers: { location: 'http://127.0.0.1:9/' } }), /leads elsewhere/, 1],
    [
      'with garbage',
      { kind: 'raw', body: 'data: {"choices": [{"del\n\ndata: nonsense\n\n' },
      /cannot be read|broke off/,
      4,
    ],
    [
      'with a page',
      { kind: 'raw', contentType: 'text/html', body: '<html>Sign in</html>' },
      /cannot be read|broke off/,
      4,
    ],
    [
      'with other JSON',
      { kind: 'raw', contentType: 'application/json', body: '{"hello": 1}' },
      /cannot be read|broke off/,
      4,
    ],
    ['mid-word', { kind: 'break', text: ['There are fo'] }, /broke off/, 1],
    ['mid-word, politely', { kind: 'break', text: ['There are fo'], politely: true }, /cannot be read|broke off/, 1],
    ['with nothing', { kind: 'answer' }, /gave no answer/, 2],
    ['by declining', { kind: 'answer', text: ['I '], finish: 'content_filter' }, /declined to answer/, 1],
    ['with 50 MB', { kind: 'flood', bytes: 50_000_000 }, /longer than answers can be/, 1],
    [
      'with a call of 2 MB',
      { kind: 'answer', calls: [{ name: 'serviceSqlApi', input: { sqlQuery: 'x'.repeat(2_000_000) } }] },
      /longer than answers can be/,
      1,
    ],
  ])('%s ends in an honest message', async ([, reply, message, requests]) => {
    model.play(reply)
    const error = await testAgent(model.url)
      .agent.answer(testTurn().turn)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toHaveProperty('message', expect.stringMatching(message))
    expect(model.requests).toHaveLength(requests)
    await expect.poll(() => model.open()).toBe(0)
  })

  test.for<[what: string, reply: Reply]>([
    ['hangs', { kind: 'hang' }],
    ['hangs after its first word', { kind: 'hang', text: ['There'] }],
  ])('to go on and %s is given up', async ([, reply]) => {
    model.play(reply)
    await expect(testAgent(model.url, { silenceMs: 100 }).agent.answer(testTurn().turn)).rejects.toThrow(
      /took too long/,
    )
    await expect.poll(() => model.open()).toBe(0)
  })

  test('to listen is told', async () => {
    const closed = createServer()
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise(resolve => closed.close(resolve))
    await expect(testAgent(`http://127.0.0.1:${port}/v1`).agent.answer(testTurn().turn)).rejects.toThrow(
      /cannot be reached/,
    )
  })

  test('later keeps what was said and found before', async () => {
    model.play({ kind: 'answer', text: ['I look.'], calls: [{ name: 'serviceMeta', input: {} }] }, status(400))
    const { turn, said, saved } = testTurn()
    await expect(testAgent(model.url).agent.answer(turn)).rejects.toThrow(AgentError)
    expect(said).toEqual(['I look.'])
    expect(saved).toHaveLength(2)
  })

  test('at its longest answer says so', async () => {
    model.play({ kind: 'answer', text: ['One, two'], finish: 'length' })
    const { turn, said } = testTurn()
    const { text } = await testAgent(model.url).agent.answer(turn)
    expect(text).toMatch(/^One, two\n\n.*reached the longest/)
    expect(said.join('')).toBe(text)
  })

  test('never puts its key or its words into an error', async () => {
    const reported: unknown[] = []
    const canary = 'sk-canary-0123456789'
    const body = JSON.stringify({
      error: {
        message: `Incorrect API key provided: ${canary}`,
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      },
    })
    for (const code of [400, 401, 403, 404, 429, 500]) {
      model.play(status(code, { body, headers: { 'x-echo': canary } }))
      const error = await testAgent(model.url, { report: fault => reported.push(fault) })
        .agent.answer(testTurn({ input: 'a secret question' }).turn)
        .catch((thrown: unknown) => thrown)
      expect(inspect(error, { depth: 10 })).not.toContain(canary)
    }
    const told = inspect(reported, { depth: 10 })
    expect(told).not.toContain(canary)
    expect(told).not.toContain('secret question')
    expect(told).toContain('credentials (HTTP 401 invalid_api_key invalid_request_error)')
  })

  test('to be resumable from nonsense begins anew', async () => {
    model.play(query('SELECT 1'), say('Done.'))
    const { turn } = testTurn({ resumed: { messages: 'all of them', pending: 7 } })
    expect(await testAgent(model.url).agent.answer(turn)).toMatchObject({ text: 'Done.' })
  })
})

describe('the address of a team’s own model', () => {
  test.for([
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    '0.0.0.0',
    '::',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '224.0.0.1',
    '255.255.255.255',
  ])('%s is refused, whatever is allowed', address => {
    expect(isRefusedAddress(address, true)).toBe(true)
  })

  test.for(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    '%s is refused unless the operator allows it',
    address => {
      expect(isRefusedAddress(address, false)).toBe(true)
      expect(isRefusedAddress(address, true)).toBe(false)
    },
  )

  test.for(['10.1.2.3', '192.168.1.5', '8.8.8.8', '2606:4700::1111', 'fd12:3456::1'])('%s is taken', address => {
    expect(isRefusedAddress(address, false)).toBe(false)
  })

  test.for(['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '169.254.169.254', '[::ffff:a9fe:a9fe]'])(
    'nothing is sent to %s',
    async host => {
      model.play(say('I should not be reached.'))
      const { port } = new URL(model.url)
      const { agent } = testAgent(`http://${host}:${port}/v1`, { address: { isOperators: false }, silenceMs: 500 })
      await expect(agent.answer(testTurn().turn)).rejects.toThrow(/does not connect to/)
      expect(model.requests).toHaveLength(0)
    },
  )
})
