import * as z from 'zod'
import type { Scenario, Summary } from '../shapes.ts'
import { openBareStore } from '../support/bare-store.ts'
import { type GeneratedFile, generateCubes } from '../support/generate-model.ts'
import { interleave, timed } from '../support/interleave.ts'
import { createDeployment, type Platform, startPlatform } from '../support/platform.ts'

const many = 1_000

export const writeFiles: Scenario = {
  name: 'write-files',
  describes: 'PUT of data-model files on a dev branch',
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: false })
    const write = await openDevBranch(platform)
    const bare = await openBareStore(scope)
    await write(generateCubes(many))

    say('one file in a request')
    const one = await interleave(
      { rounds: quick ? 50 : 500, warmUps: 20 },
      {
        platform: round => timed(() => write(generateCubes(1, 1_000 + round))),
        bare: round => timed(() => bare.write(generateCubes(1, 1_000 + round))),
      },
    )
    say(`${many} files in a request`)
    const all = await interleave(
      { rounds: quick ? 5 : 30, warmUps: 1 },
      {
        platform: round => timed(() => write(generateCubes(many, 10_000 + round))),
        bare: round => timed(() => bare.write(generateCubes(many, 10_000 + round))),
      },
    )
    say(`${many} files one by one`)
    const single = await interleave(
      { rounds: quick ? 1 : 5 },
      {
        platform: round => timed(() => write(generateCubes(many, 20_000 + round))),
        oneByOne: round => timed(() => writeOneByOne(write, generateCubes(many, 30_000 + round))),
      },
    )
    return [
      {
        what: 'PUT of 1 file',
        unit: 'files/s',
        hedron: rate(one('platform'), 1),
        beside: { what: 'the bare transaction', summary: rate(one('bare'), 1) },
        goal: null,
        note: `One client that waits for each answer: ${one('platform').median.toFixed(1)} ms, 99th percentile ${one('platform').p99.toFixed(1)} ms, on a branch of ${many} files.`,
      },
      {
        what: `PUT of ${many} files`,
        unit: 'files/s',
        hedron: rate(all('platform'), many),
        beside: { what: 'the bare transaction', summary: rate(all('bare'), many) },
        goal: null,
        note: `The bare transaction inserts the same bytes under ids made before and updates one row, in a PostgreSQL with the same settings (fsync on).`,
      },
      {
        what: `PUT of ${many} files`,
        unit: 'files/s',
        hedron: rate(single('platform'), many),
        beside: { what: 'PUT one by one', summary: rate(single('oneByOne'), many) },
        goal: null,
      },
    ]
  },
}

type Write = (files: readonly GeneratedFile[]) => Promise<void>

const Success = z.object({ success: z.literal(true) })

/** Enters dev mode in a new deployment. @returns what writes files there */
export async function openDevBranch(platform: Platform): Promise<Write> {
  const base = `/build/api/v1/deployments/${await createDeployment(platform, 'files')}`
  await platform.call(z.object({ active: z.literal(true) }), 'POST', `${base}/dev-mode`, {})
  return async files => {
    await platform.call(Success, 'PUT', `${base}/data-model/files`, { files })
  }
}

export async function writeOneByOne(write: Write, files: readonly GeneratedFile[]): Promise<void> {
  for (const file of files) await write([file])
}

/** Milliseconds of a call to files in a second; the 99th percentile becomes the slow end. */
function rate({ rounds, median, p99, minimum, maximum }: Summary, files: number): Summary {
  const inSecond = (milliseconds: number) => (files * 1_000) / milliseconds
  return {
    rounds,
    median: inSecond(median),
    p99: inSecond(p99),
    minimum: inSecond(maximum),
    maximum: inSecond(minimum),
  }
}
