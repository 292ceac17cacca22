import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import * as z from 'zod'
import { programOf } from './paths.ts'
import { runProgram } from './run-program.ts'
import type { Scope } from './scope.ts'

/** Where `taskset` is and there is more than one core, servers have core 0 and their client core 1. */
export function coresOf(): { readonly server: number; readonly client: number } | null {
  const isLinux = process.platform === 'linux'
  return isLinux && cpus().length > 1 && isExecutable('taskset') ? { server: 0, client: 1 } : null
}

const isExecutable = (name: string): boolean =>
  (process.env.PATH ?? '').split(':').some(folder => {
    try {
      return readFileSync(`${folder}/${name}`).length > 0
    } catch {
      return false
    }
  })

export interface Drive {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly seconds: number
  readonly connections: number
}

export interface Driven {
  readonly requestsPerSecond: number
  readonly latency: { readonly p50: number; readonly p99: number }
}

const Result = z.object({
  duration: z.number(),
  errors: z.literal(0),
  timeouts: z.literal(0),
  non2xx: z.literal(0),
  requests: z.object({ total: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
})

/** Sends one request over and over, from as many kept connections. @throws when one of them is not answered 2xx */
export async function drive(scope: Scope, { url, headers, body, seconds, connections }: Drive): Promise<Driven> {
  const cores = coresOf()
  const argv = [
    process.execPath,
    programOf('autocannon', 'autocannon'),
    ...['--json', '-m', 'POST', '-c', String(connections), '-d', String(seconds), '-b', body],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
    url,
  ]
  const [command = '', ...rest] = cores === null ? argv : ['taskset', '-c', String(cores.client), ...argv]
  const { stdout } = await runProgram(scope, [command, ...rest])
  const { requests, duration, latency } = Result.parse(JSON.parse(stdout))
  return { requestsPerSecond: requests.total / duration, latency }
}
