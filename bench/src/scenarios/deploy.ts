import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Figure, Scenario, ScenarioContext } from '../shapes.ts'
import { startCountingProxy } from '../support/counting-proxy.ts'
import { cubeFile, type GeneratedFile, generateCubes } from '../support/generate-model.ts'
import { interleave, timed } from '../support/interleave.ts'
import { commandLine } from '../support/paths.ts'
import { createDeployment, type Platform, startPlatform, untilBuilt } from '../support/platform.ts'
import { openReferenceClient } from '../support/reference-client.ts'
import { runProgram } from '../support/run-program.ts'
import { summarise } from '../support/statistics.ts'
import { openDevBranch, writeOneByOne } from './write-files.ts'

const count = 1_000
/** Of five, with which a deploy of all files sends them. */
const uploadsBeforeCut = 3

export const deploy: Scenario = {
  name: 'deploy',
  describes: `deploy of ${count} files with the command line`,
  async run(context) {
    const { quick, scope, say } = context
    const platform = await startPlatform(scope, { demo: false })
    const project = await openProject(context, platform)
    const write = await openDevBranch(platform)
    let revision = 0
    const changeAll = () => project.put(generateCubes(count, ++revision))
    const changeOne = () => project.put([cubeFile(revision % count, ++revision)])

    say('requests of each kind of deploy')
    await changeAll()
    await project.deploy()
    const proxy = await startCountingProxy(scope, platform.baseUrl)
    const requestsOf = async (change: () => Promise<void>) => {
      await change()
      proxy.reset()
      await project.deploy(proxy.baseUrl)
      return proxy.count()
    }
    const requests = {
      none: await requestsOf(async () => {}),
      one: await requestsOf(changeOne),
      all: await requestsOf(changeAll),
    }

    say('time of each kind of deploy')
    // What the command line remembers of a deploy, it remembers by address: the proxy's deploys moved the branch.
    await project.deploy(platform.baseUrl, '--force')
    const timeOf = async (change: () => Promise<void>, ...options: readonly string[]) => {
      await change()
      return project.deploy(platform.baseUrl, ...options)
    }
    const reference = await openReference(context, platform)
    const resume = async () => {
      await changeAll()
      proxy.cutUploadsAfter(uploadsBeforeCut)
      await project.deploy(proxy.baseUrl, '--force').then(
        () => {
          throw new Error('a deploy succeeded whose connection was cut')
        },
        () => {},
      )
      return project.deploy(platform.baseUrl, '--force')
    }
    const small = await interleave(
      { rounds: quick ? 3 : 15, warmUps: 1 },
      { none: () => project.deploy(), one: () => timeOf(changeOne), roundTrip: () => project.run('users', 'me') },
    )
    const large = await interleave(
      { rounds: quick ? 2 : 5 },
      {
        // The writes one by one moved the branch, which a deploy without --force rightly refuses.
        all: () => timeOf(changeAll, '--force'),
        resumed: resume,
        reference: reference.deployChanged,
        oneByOne: round => timed(() => writeOneByOne(write, generateCubes(count, 1_000_000 + round))),
      },
    )
    const beside = { what: 'hedron users me, one round trip', summary: small('roundTrip') }
    const oneRequest = { what: 'one round trip', summary: summarise([1]) }
    const figures: Figure[] = [
      {
        what: `deploy, none of ${count} files changed`,
        unit: 'requests',
        hedron: summarise([requests.none]),
        beside: oneRequest,
        goal: { text: '3 round trips', met: requests.none <= 3 },
        note: 'Counted by a proxy between the command line and the server.',
      },
      {
        what: `deploy, 1 of ${count} files changed`,
        unit: 'requests',
        hedron: summarise([requests.one]),
        beside: oneRequest,
        goal: null,
      },
      {
        what: `deploy, all ${count} files changed`,
        unit: 'requests',
        hedron: summarise([requests.all]),
        beside: { what: 'a PUT for each file', summary: summarise([count]) },
        goal: null,
      },
      {
        what: `deploy, none of ${count} files changed`,
        unit: 'ms',
        hedron: small('none'),
        beside,
        goal: null,
        note: 'The whole program, its start included.',
      },
      { what: `deploy, 1 of ${count} files changed`, unit: 'ms', hedron: small('one'), beside, goal: null },
      {
        what: `deploy, all ${count} files changed`,
        unit: 'ms',
        hedron: large('all'),
        beside: { what: 'PUT one by one', summary: large('oneByOne') },
        goal: { text: '10x faster', met: large('all').median * 10 <= large('oneByOne').median },
        isHeadline: true,
        note: 'The program and its start on the one side, requests over one kept connection on the other.',
      },
      {
        what: `deploy, all ${count} files changed`,
        unit: 'ms',
        hedron: large('all'),
        beside: { what: 'reference npm client deploy', summary: large('reference') },
        goal: null,
        note: 'The same server; the reference client speaks the older protocol, a file a request.',
      },
      {
        what: `deploy, all ${count} files changed, resumed after a cut connection`,
        unit: 'ms',
        hedron: large('resumed'),
        beside: { what: 'the same, not cut', summary: large('all') },
        goal: null,
        note: `A proxy passed on ${uploadsBeforeCut} uploads of the first deploy and cut the connections of the others for good.`,
      },
    ]
    return figures
  },
}

/** A deployment of its own that the reference client deploys all files to, each of which has changed. */
async function openReference({ scope }: ScenarioContext, platform: Platform) {
  const folder = await scope.folder()
  const deploymentId = await createDeployment(platform, 'of the reference client')
  const client = await openReferenceClient(scope, platform, { folder, deploymentId })
  return {
    async deployChanged(round: number): Promise<number> {
      await writeFiles(folder, generateCubes(count, 2_000_000 + round))
      const milliseconds = await client.deploy()
      await untilBuilt(platform, deploymentId)
      return milliseconds
    },
  }
}

async function writeFiles(folder: string, files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

/** A folder with the project, and the command line that deploys it. */
async function openProject({ scope }: ScenarioContext, platform: Platform) {
  const [folder, home] = [await scope.folder(), await scope.folder()]
  const id = await createDeployment(platform, 'deployed')

  async function run(baseUrl: string, ...argv: readonly string[]): Promise<number> {
    const environment = { HOME: home, HEDRON_API_URL: baseUrl, HEDRON_API_KEY: platform.apiKey }
    return (await runProgram(scope, [process.execPath, commandLine, ...argv], { environment })).milliseconds
  }
  return {
    put: (files: readonly GeneratedFile[]) => writeFiles(folder, files),
    /** @returns milliseconds; the build that follows has ended when this returns, and is not in them */
    async deploy(baseUrl = platform.baseUrl, ...options: readonly string[]): Promise<number> {
      const milliseconds = await run(baseUrl, 'deploy', String(id), '--directory', folder, ...options)
      await untilBuilt(platform, id)
      return milliseconds
    },
    run: (...argv: readonly string[]) => run(platform.baseUrl, ...argv),
  }
}
