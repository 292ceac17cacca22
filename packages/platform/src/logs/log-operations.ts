import { CodedError, type LogLine, type LogSource, type Pod } from '@hedron/contract'
import { builds, type Store } from '@hedron/store'
import * as z from 'zod'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { ReadVariables } from '../deployments/variables.ts'
import type { Operations } from '../operations.ts'
import { pageOf } from '../page.ts'
import { idleRollupVariables } from '../rollups/idle-variables.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

interface LogNeeds {
  readonly store: Store
  readonly findDeployment: FindDeployment
  readonly requestLog: RequestLog
  readonly readVariables: ReadVariables
  /** Name of this node. */
  readonly node: string
}

interface Line extends LogLine {
  readonly source: LogSource
  readonly container: 'INIT' | 'MAIN'
  /** Its place among all lines: time, then what tells lines of one moment apart. */
  readonly key: readonly [at: number, order: number]
}

/** What lines of builds say of where they come from: any node makes them. */
const buildPod = 'build'
const usualLines = 200
const mostLines = 1_000
const Cursor = z.tuple([z.int().min(0), z.int().min(0)])

/** Logs of a deployment: its builds, and the requests that this node has answered. */
export function createLogOperations({
  store,
  findDeployment,
  requestLog,
  readVariables,
  node,
}: LogNeeds): Pick<Operations, 'logs' | 'pods'> {
  const dataApi = `data-api-${node}`

  return {
    async logs(caller, { params, query }) {
      const deployment = await findDeployment(caller, params.deploymentId, 'DeploymentRead')
      const limit = Math.min(query.first ?? usualLines, mostLines)
      const after = query.after === undefined || query.after === '' ? undefined : readCursor(query.after)
      const rows = await builds.listNewestBuilds(store.kysely, caller.accountId, deployment.id, mostLines)
      const container = {
        INIT: 'INIT',
        MAIN: 'MAIN',
        'cubejs-server': 'MAIN',
        vector: null,
        'api-proxy': null,
      } as const
      const variables = await readVariables(store.kysely, caller.accountId, deployment.id)
      const newest = rows.reduce((last, { id, finishedAt }) => (finishedAt === null ? last : Math.max(last, id)), 0)
      const lines = [
        ...rows.flatMap(row => {
          const idle = row.id === newest ? idleRollupVariables(variables) : []
          return linesOfBuild(row, row.branchId === deployment.deployBranchId, idle)
        }),
        ...requestLog.of(deployment.id).map(request => lineOfRequest(request, dataApi)),
      ]
        .filter(line => query.source === undefined || line.source === query.source)
        .filter(line => query.pod === undefined || line.pod === query.pod)
        .filter(line => query.container === undefined || line.container === container[query.container])
        .filter(line => after === undefined || compareKeys(line.key, after) > 0)
        .sort((a, b) => compareKeys(a.key, b.key))
      const shown = after === undefined ? lines.slice(-limit) : lines.slice(0, limit)
      const last = shown.at(-1)?.key ?? after
      return {
        items: shown.map(({ pod, date, message }) => ({ pod, date, message })),
        pageInfo: {
          hasNextPage: after !== undefined && lines.length > shown.length,
          hasPreviousPage: after === undefined && lines.length > shown.length,
          endCursor: last === undefined ? null : Buffer.from(JSON.stringify(last)).toString('base64url'),
        },
      }
    },

    async pods(caller, { params, query }) {
      await findDeployment(caller, params.deploymentId, 'DeploymentRead')
      const running = { status: 'Running', ready: true, restartCount: null } as const
      const all: Pod[] = [
        { name: buildPod, type: 'BUILD', ...running, containers: ['INIT'] },
        { name: dataApi, type: 'API', ...running, containers: ['MAIN'] },
      ]
      return pageOf('pods', query, all, ({ name }) => name)
    },
  }
}

type Build = Awaited<ReturnType<typeof builds.listNewestBuilds>>[number]

/**
 * What is known of a build: queued, begun, ended, each at its time.
 *
 * @param idle variables that change nothing, which is said of the newest one that has ended
 */
function linesOfBuild(build: Build, isProduction: boolean, idle: readonly string[]): Line[] {
  const { id, branchName, createdAt, startedAt, finishedAt, status, errorText } = build
  const line = (at: Date, step: number, what: string): Line => ({
    pod: buildPod,
    container: 'INIT',
    source: isProduction ? 'production' : 'dev',
    date: at.toISOString(),
    message: `build ${id} of ${branchName}: ${what}`,
    key: [at.getTime(), 4 * id + step],
  })
  const ended = startedAt && finishedAt ? ` in ${finishedAt.getTime() - startedAt.getTime()} ms` : ''
  return [
    line(createdAt, 0, 'queued'),
    ...(startedAt === null ? [] : [line(startedAt, 1, 'begun')]),
    ...(finishedAt === null
      ? []
      : [
          line(finishedAt, 2, errorText === null ? `${status}${ended}` : `${status}${ended}: ${errorText}`),
          ...(idle.length === 0 ? [] : [line(finishedAt, 3, `${idle.join(', ')}: no effect, see docs/rollups.md`)]),
        ]),
  ]
}

const lineOfRequest = (request: LoggedRequest, pod: string): Line => ({
  pod,
  container: 'MAIN',
  source: request.branchName === null ? 'production' : 'dev',
  date: new Date(request.at).toISOString(),
  message: `${request.action} of ${request.branchName ?? 'production'}: ${request.status} in ${request.milliseconds.toFixed(1)} ms`,
  key: [request.at, request.number],
})

const compareKeys = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0] || a[1] - b[1]

/** @throws {CodedError} `cursor_invalid` */
function readCursor(cursor: string): readonly [number, number] {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new CodedError('cursor_invalid', { cursor })
  }
}
