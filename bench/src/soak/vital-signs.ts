import { readdirSync } from 'node:fs'
import { WebSocket } from 'ws'
import { childrenOf, residentMebibytes } from '../support/process-facts.ts'
import type { World } from './world.ts'

/** What the platform holds at a moment. */
export interface VitalSigns {
  readonly at: number
  readonly residentMebibytes: number
  /** Processes in which it computes, and their memory in RAM; null where the system does not say. */
  readonly engines: { readonly count: number; readonly residentMebibytes: number } | null
  /** JavaScript's heap after garbage was collected; null where it was not. */
  readonly heapMebibytes: number | null
  /** Open files and sockets of the process; null where the system does not say. */
  readonly descriptors: number | null
  /** `/metrics` by name. */
  readonly metrics: ReadonlyMap<string, number>
  /** Connections of the platform at the source, and those that compute or hold a transaction. */
  readonly connections: number
  readonly busyConnections: number
}

/** How it is when nobody asks for anything. */
export interface Rest extends VitalSigns {
  /** What was still going on when it was waited for no longer. */
  readonly restless: readonly string[]
}

/** Gauges that are 0 as soon as nobody asks for anything. */
export const busy = ['hedron_queries_running', 'hedron_queries_waiting', 'hedron_query_streams']
/** And those that are 0 when, besides, nobody may come back for what he asked for. */
export const restless = [...busy, 'hedron_query_flights', 'hedron_query_held']

/** @param collect collects garbage before it looks */
export async function takeVitalSigns({ server, source }: World, collect: boolean): Promise<VitalSigns> {
  const heapMebibytes = collect ? await collectGarbage(server.inspectorUrl) : null
  const [found] = await source.ask(
    `SELECT count(*) AS all, count(*) FILTER (WHERE state <> 'idle') AS busy FROM pg_stat_activity WHERE application_name = 'hedron'`,
  )
  return {
    at: performance.now(),
    residentMebibytes: residentMebibytes(server.pid),
    engines: lookAtEngines(server.pid),
    heapMebibytes,
    descriptors: process.platform === 'linux' ? readdirSync(`/proc/${server.pid}/fd`).length : null,
    metrics: await readMetrics(server.baseUrl),
    connections: Number(found?.all),
    busyConnections: Number(found?.busy),
  }
}

function lookAtEngines(pid: number): VitalSigns['engines'] {
  const engines = childrenOf(pid, 'engine-process')
  if (engines === null) return null
  const resident = engines.map(engine => {
    try {
      return residentMebibytes(engine)
    } catch {
      return 0
    }
  })
  return { count: engines.length, residentMebibytes: resident.reduce((sum, each) => sum + each, 0) }
}

async function readMetrics(baseUrl: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${baseUrl}/metrics`, { signal: AbortSignal.timeout(30_000) })).text()
  return new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => {
        const cut = line.lastIndexOf(' ')
        return [line.slice(0, cut), Number(line.slice(cut + 1))]
      }),
  )
}

/** Through the debugger's port. @returns MiB of heap that are in use afterwards */
async function collectGarbage(inspectorUrl: string): Promise<number> {
  const socket = new WebSocket(inspectorUrl)
  const answer = (id: number, method: string, params: object = {}) =>
    new Promise<{ readonly result?: { readonly result?: { readonly value?: unknown } } }>((resolve, reject) => {
      socket.once('error', reject)
      const listen = (data: unknown) => {
        const message = JSON.parse(String(data))
        if (message.id !== id) return
        socket.off('message', listen)
        resolve(message)
      }
      socket.on('message', listen)
      socket.send(JSON.stringify({ id, method, params }))
    })
  try {
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    await answer(1, 'HeapProfiler.collectGarbage')
    const { result } = await answer(2, 'Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' })
    return Number(result?.result?.value) / 2 ** 20
  } finally {
    socket.terminate()
  }
}
