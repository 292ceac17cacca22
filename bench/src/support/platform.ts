import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { exchange } from './http.ts'
import { serverProgram } from './paths.ts'
import type { Scope } from './scope.ts'
import { type RunningServer, startServer } from './start-server.ts'

export interface Platform extends RunningServer {
  readonly apiKey: string
  readonly dataDirectory: string
  /** Calls the platform API. @throws when it does not answer 2xx */
  call<T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T>
}

export interface PlatformStart {
  /** Of an earlier start, to go on with its data. */
  readonly dataDirectory?: string
  readonly demo: boolean
  readonly core?: number
  readonly environment?: Readonly<Record<string, string>>
}

const apiKey = `sk-${randomBytes(24).toString('hex')}`

/** Starts the real platform as its own process, as `npm start` does. */
export async function startPlatform(scope: Scope, { demo, core, ...start }: PlatformStart): Promise<Platform> {
  const dataDirectory = start.dataDirectory ?? (await scope.folder())
  const server = await startServer(scope, {
    program: serverProgram,
    cwd: dataDirectory,
    environment: port => ({
      HEDRON_PORT: String(port),
      HEDRON_DATA_DIR: dataDirectory,
      HEDRON_BOOTSTRAP_API_KEY: apiKey,
      HEDRON_DEMO: demo ? '1' : '0',
      HEDRON_LOG_LEVEL: 'warn',
      // What is measured is how fast it answers, not how soon it refuses.
      HEDRON_DATA_RATE_LIMIT: '0',
      ...start.environment,
    }),
    ...(core === undefined ? {} : { core }),
  })
  return {
    ...server,
    apiKey,
    dataDirectory,
    async call(schema, method, path, body) {
      const headers = {
        authorization: `Api-Key ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const text = body === undefined ? undefined : JSON.stringify(body)
      const answer = await exchange(method, `${server.baseUrl}${path}`, headers, text)
      if (answer.status < 200 || answer.status > 299) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
      }
      return schema.parse(JSON.parse(answer.text))
    },
  }
}

const Created = z.object({ id: z.number() })
const BuildState = z.object({ status: z.string() })

/** A new deployment that is deployed to by the command line. @returns its id */
export async function createDeployment(platform: Platform, name: string): Promise<number> {
  const body = { name, deployMode: 'cli' }
  const { id } = await platform.call(Created, 'POST', '/build/api/v1/deployments', body)
  await untilBuilt(platform, id)
  return id
}

/** Waits until the newest build of the deploy branch has ended, so that it does not run into the next measurement. */
export async function untilBuilt(platform: Platform, deploymentId: number): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const path = `/api/v1/deployments/${deploymentId}/build-status`
    const { status } = await platform.call(BuildState, 'GET', path)
    if (status === 'built') return
    if (status === 'failed') throw new Error(`the build of deployment ${deploymentId} failed`)
    if (performance.now() > deadline) throw new Error(`deployment ${deploymentId} is still ${status}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
