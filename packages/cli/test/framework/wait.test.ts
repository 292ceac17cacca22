import { ApiError } from '@hedron/contract/client'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/framework/failure.ts'
import { type Step, type WaitOptions, waitFor } from '../../src/framework/wait.ts'

type Look = (signal: AbortSignal) => Promise<Step<string>>

/** Plays looks one after the other; the last one stays. The clock moves only while the wait sleeps. */
function play(looks: readonly Look[], options: Partial<WaitOptions> = {}) {
  let now = 0
  let count = 0
  const sleeps: number[] = []
  const progress: string[] = []
  const effects = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      sleeps.push(milliseconds)
      now += milliseconds
    },
    signal: new AbortController().signal,
  }
  const look: Look = signal => {
    const current = looks[Math.min(count, looks.length - 1)]
    count += 1
    return current === undefined ? Promise.reject(new Error('nothing to play')) : current(signal)
  }
  const result = waitFor(
    effects,
    { progress: line => progress.push(line) },
    { what: 'build', timeout: 60_000, interval: 5_000, ...options },
    look,
  )
  return {
    result,
    sleeps,
    progress,
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const waiting =
  (label: string): Look =>
  async () => ({ waiting: label })
const done: Look = async () => ({ done: 'yes' })
const failing =
  (status: number): Look =>
  async () => {
    throw new ApiError('GET', '/x', status, { message: 'down' }, '')
  }

describe('waiting', () => {
  test('looks at once and says what changed', async () => {
    const { result, sleeps, progress } = play([waiting('queued'), waiting('queued'), waiting('running'), done])
    expect(await result).toBe('yes')
    expect(sleeps).toEqual([250, 500, 1_000])
    expect(progress).toEqual(['build: queued', 'build: running'])
  })

  test('bears five failures in a row, each time for longer', async () => {
    const { result, sleeps, progress } = play([...Array<Look>(5).fill(failing(503)), done], { timeout: 600_000 })
    expect(await result).toBe('yes')
    expect(sleeps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000])
    expect(progress[4]).toBe('build: GET /x failed with 503 Service Unavailable: down (retrying, 5/5)')
  })

  test('the sixth failure in a row is the end of it; progress begins the count anew', async () => {
    await expect(play([failing(500)], { timeout: 600_000 }).result).rejects.toThrow(ApiError)
    const recovered = play(
      [...Array<Look>(5).fill(failing(429)), waiting('x'), ...Array<Look>(5).fill(failing(408)), done],
      {
        timeout: 3_600_000,
      },
    )
    expect(await recovered.result).toBe('yes')
  })

  test.each([400, 401, 404, 200])('%d is no passing disturbance', async status => {
    const { result, sleeps } = play([failing(status), done])
    await expect(result).rejects.toThrow(ApiError)
    expect(sleeps).toEqual([])
  })

  test('no answer is one', async () => {
    const silent: Look = async () => {
      throw new Failure('transport_failed', { url: 'http://x', reason: 'reset' })
    }
    expect(await play([silent, done]).result).toBe('yes')
  })

  test('gives up on time and says what it saw last', async () => {
    const { result, sleeps } = play([waiting('running')], { timeout: 12_000 })
    await expect(result).rejects.toThrow(
      'timed out after 12s waiting for build (last seen: running). It may still be running — re-run the status command to check, or raise --timeout',
    )
    expect(sleeps).toEqual([250, 500, 1_000, 2_000, 4_000, 4_250])
  })

  test('blames a failure only while it lasts', async () => {
    await expect(play([waiting('a'), failing(503)], { timeout: 6_000 }).result).rejects.toThrow(
      /\. Last error: GET \/x failed with 503 Service Unavailable: down$/,
    )
    await expect(play([failing(503), waiting('a')], { timeout: 6_000 }).result).rejects.toThrow(/--timeout$/)
  })

  test('a success after the deadline comes too late', async () => {
    const played = play([
      async () => {
        await Promise.resolve()
        played.advance(61_000)
        return { done: 'late' }
      },
    ])
    await expect(played.result).rejects.toThrow('timed out after 61s waiting for build')
  })

  test('a request that is open at the deadline is dropped', async () => {
    const open: Look = signal =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () =>
          reject(new Failure('transport_failed', { url: 'http://x', reason: 'aborted' })),
        )
      })
    await expect(play([open], { timeout: 30 }).result).rejects.toThrow('waiting for build. It may still be running')
  })
})

test('a server that says when to ask again is not asked before', async () => {
  const busy: Look = async () => {
    throw new ApiError('GET', '/x', 429, { message: 'slow down' }, '', 12)
  }
  const { result, sleeps } = play([busy, waiting('building'), async () => ({ done: 'built' })])
  expect(await result).toBe('built')
  expect(sleeps[0]).toBe(12_000)
  expect(sleeps[1]).toBeLessThanOrEqual(5_000)
})
