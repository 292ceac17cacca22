import { describe, expect, test } from 'vitest'
import { browserModule } from '../support/browser-modules.ts'

const { loadDocument, LoadError } = await browserModule('load-document.js')
const { healthOf } = await browserModule('health.js')

const good = { openapi: '3.1.0', paths: {} }
const answer = (status: number, body: string, headers = {}) => ({
  fetch: async () => new Response(body, { status, headers }),
})
const failing = (name: string) => ({ fetch: () => Promise.reject(Object.assign(new Error('no'), { name })) })
const load = (
  effects: Pick<Parameters<typeof loadDocument>[1], 'fetch'>,
  onProgress: (bytes: number) => void = () => {},
) => loadDocument('/api/v1/spec', { ...effects, signal: AbortSignal.timeout(5_000), onProgress })

describe('loading the document', () => {
  test('gives it, and counts bytes on the way', async () => {
    const counts: number[] = []
    const text = JSON.stringify({ ...good, info: { title: 'ü'.repeat(10) } })
    expect(await load(answer(200, text), bytes => counts.push(bytes))).toEqual(JSON.parse(text))
    expect(counts.at(-1)).toBe(Buffer.byteLength(text))
  })

  test('puts characters together that arrive in two parts', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...good, info: { title: 'ü' } }))
    const cut = bytes.indexOf(0xc3) + 1
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, cut))
        controller.enqueue(bytes.subarray(cut))
        controller.close()
      },
    })
    expect(await load({ fetch: async () => new Response(body) })).toHaveProperty('info.title', 'ü')
  })

  test.each([
    ['an error', answer(500, '{}', { 'x-request-id': 'r-1' }), 'was answered with an error', 'HTTP 500, request r-1'],
    ['a refusal', answer(403, '{}'), 'was refused', 'HTTP 403'],
    ['a page', answer(200, '<html>'), 'no OpenAPI document', 'HTTP 200'],
    ['another document', answer(200, '{"openapi":3}'), 'no OpenAPI document', 'HTTP 200'],
    ['no network', failing('TypeError'), 'could not be reached', 'network'],
    ['no answer', failing('TimeoutError'), 'did not answer in time', 'timeout'],
    ['the reader', failing('AbortError'), 'was cancelled', 'cancelled'],
  ])('says what happened, what to do and what to quote: %s', async (_case, effects, message, code) => {
    const error: unknown = await load(effects).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(LoadError)
    expect(error).toMatchObject({
      message: expect.stringContaining(message),
      code,
      advice: expect.stringMatching(/\w.*\.$/),
    })
  })
})

test.each([
  [200, 'ready'],
  [500, 'starting'],
  [503, 'starting'],
  [502, 'silent'],
  [504, 'silent'],
  [null, 'silent'],
])('an answer of %s to /readyz means %s', (status, key) => {
  expect(healthOf(status)).toBe(key)
})
