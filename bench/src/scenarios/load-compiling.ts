import * as z from 'zod'
import type { Scenario } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import { generateModel } from '../support/generate-model.ts'
import { exchange } from '../support/http.ts'
import { interleave } from '../support/interleave.ts'
import { createDeployment, type Platform, startPlatform } from '../support/platform.ts'
import { summarise } from '../support/statistics.ts'
import { cachedQueries } from './load-cached.ts'

const cubes = 1_000
/** Requests under way at once. */
const clients = 4

export const loadCompiling: Scenario = {
  name: 'load-compiling',
  describes: 'cached /load while a large model compiles',
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const demo = await openDemo(platform)
    const body = JSON.stringify({ query: cachedQueries['6 rows'] })
    const ask = async () => {
      const { status } = await exchange('POST', demo.loadUrl, demo.headers, body)
      if (status !== 200) throw new Error(`/load answered ${status}`)
    }
    const branch = await openBranch(platform)
    const compileTimes: number[] = []
    say(`${cubes} cubes`)
    const measured = await interleave(
      { rounds: quick ? 3 : 15, warmUps: 1 },
      {
        async compiling(round) {
          // Every file is another, and nothing of it was compiled before.
          await branch.write(round)
          const began = performance.now()
          const latencies = await askUntil(ask, branch.compile())
          compileTimes.push(performance.now() - began)
          return summarise(latencies).p99
        },
        async idle() {
          const pause = summarise(compileTimes.length === 0 ? [500] : compileTimes).median
          return summarise(await askUntil(ask, new Promise(resolve => setTimeout(resolve, pause)))).p99
        },
      },
    )
    const compileTime = summarise(compileTimes).median.toFixed(0)
    return [
      {
        what: `p99 of cached /load while ${cubes} cubes compile`,
        unit: 'ms',
        hedron: measured('compiling'),
        beside: { what: 'while nothing does', summary: measured('idle') },
        goal: null,
        isHeadline: true,
        note: `${clients} requests at once, from another process on the same cores; a round is one validation of ${cubes + cubes / 10} new files (${compileTime} ms: read, compiled, stored), and its value the 99th percentile of the answers within it.`,
      },
    ]
  },
}

/** Asks over and over until something else has ended. @returns milliseconds of each answer */
async function askUntil(ask: () => Promise<void>, end: Promise<unknown>): Promise<readonly number[]> {
  let isOver = false
  const ended = end.finally(() => {
    isOver = true
  })
  const latencies: number[] = []
  const client = async () => {
    while (!isOver) {
      const began = performance.now()
      await ask()
      latencies.push(performance.now() - began)
    }
  }
  await Promise.all([ended, ...Array.from({ length: clients }, client)])
  return latencies
}

const Success = z.object({ success: z.literal(true) })
const Validated = z.object({ valid: z.literal(true), cubesCount: z.number().min(cubes) })

/** A dev branch of a new deployment. */
async function openBranch(platform: Platform) {
  const id = await createDeployment(platform, 'large')
  const base = `/build/api/v1/deployments/${id}`
  await platform.call(z.object({ active: z.literal(true) }), 'POST', `${base}/dev-mode`, {})
  return {
    async write(revision: number): Promise<void> {
      await platform.call(Success, 'PUT', `${base}/data-model/files`, { files: generateModel(cubes, revision) })
    },
    async compile(): Promise<void> {
      await platform.call(Validated, 'GET', `${base}/data-model/validate?devMode=true`)
    },
  }
}
