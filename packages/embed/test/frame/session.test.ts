import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSession } from '../../src/frame/session.ts'

const hour = 3_600_000
/** The server's clock; that of the machine is ten minutes behind. */
let serverNow = 0
const skew = 10 * 60_000
const tokenFor = (life: number) => {
  const claims = { deploymentId: 1, iat: Math.floor(serverNow / 1000), exp: Math.floor((serverNow + life) / 1000) }
  return `h.${btoa(JSON.stringify(claims))}.s${Math.random()}`
}
const answer = (status: number, life = 24 * hour) =>
  new Response(JSON.stringify(status === 200 ? { token: tokenFor(life) } : {}), { status })

beforeEach(() => {
  vi.useFakeTimers()
  serverNow = 1_800_000_000_000
})
afterEach(() => vi.useRealTimers())

function open(answers: (path: string) => Response | Error) {
  const asked: string[] = []
  const told: string[] = []
  const session = createSession({
    sessionId: 'id',
    privatePage: null,
    now: () => serverNow - skew,
    onEnding: reason => told.push(reason),
    fetch: async path => {
      asked.push(String(path).split('/').at(-1) ?? '')
      const given = answers(String(path))
      if (given instanceof Error) throw given
      return given
    },
  })
  return { session, asked, told }
}
const pass = async (milliseconds: number) => {
  serverNow += milliseconds
  await vi.advanceTimersByTimeAsync(Math.min(milliseconds, 60_000))
}

describe('the session of a frame', () => {
  test('exchanges its id once, and renews an hour before the end by the clock of the server', async () => {
    const { session, asked } = open(() => answer(200))
    await vi.advanceTimersByTimeAsync(0)
    expect([session.state.kind, asked]).toEqual(['open', ['token']])
    await pass(22 * hour)
    expect(asked).toEqual(['token'])
    await pass(1.5 * hour)
    expect(asked).toEqual(['token', 'renew'])
    session.close()
  })

  test('renews once for all whose token was refused', async () => {
    const { session, asked } = open(() => answer(200))
    const token = await session.token()
    expect(await Promise.all([session.refused(token), session.refused(token)])).toEqual([true, true])
    expect(asked).toEqual(['token', 'renew'])
    session.close()
  })

  test('tries again while the network is away, and stays open meanwhile', async () => {
    let isAway = false
    const { session, asked } = open(() => (isAway ? new TypeError('offline') : answer(200)))
    await vi.advanceTimersByTimeAsync(0)
    isAway = true
    await pass(23.5 * hour)
    expect(session.state.kind).toBe('open')
    isAway = false
    await pass(60_000)
    session.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(asked.filter(name => name === 'renew').length).toBeGreaterThan(1)
    expect(session.state.kind).toBe('open')
    session.close()
  })

  test.each([
    [401, 'used', ['used']],
    [403, 'off', ['ended']],
  ] as const)('an id that is answered %i: %s', async (status, kind, expected) => {
    const { session, told } = open(() => answer(status))
    await vi.advanceTimersByTimeAsync(0)
    expect([session.state.kind, told]).toEqual([kind, expected])
    await expect(session.token()).rejects.toThrow()
    session.close()
  })

  test('after a sleep that was too long it has ended, says so, and goes on with another id', async () => {
    const { session, told } = open(path => (path.endsWith('renew') ? answer(401) : answer(200)))
    await vi.advanceTimersByTimeAsync(0)
    await pass(26 * hour)
    session.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect([session.state.kind, told]).toEqual(['ended', ['ended']])
    await session.replace('another')
    expect(session.state.kind).toBe('open')
    session.close()
  })

  test('that it has ended is told again to whoever looks, until there is another one', async () => {
    const { session, told } = open(path => (path.endsWith('renew') ? answer(401) : answer(200)))
    await vi.advanceTimersByTimeAsync(0)
    await pass(26 * hour)
    session.wake()
    await vi.advanceTimersByTimeAsync(0)
    session.wake()
    expect(told).toEqual(['ended'])
    await pass(31_000)
    session.wake()
    expect(told).toEqual(['ended', 'ended'])
    await session.replace('another')
    await pass(31_000)
    session.wake()
    expect(told).toEqual(['ended', 'ended'])
    session.close()
  })

  test('tells once that no renewal goes further', async () => {
    const end = serverNow + 24 * hour
    const { session, told } = open(() => answer(200, end - serverNow))
    await vi.advanceTimersByTimeAsync(0)
    await pass(23.1 * hour)
    await pass(0.8 * hour)
    expect(told).toEqual(['ending'])
    session.close()
  })
})
