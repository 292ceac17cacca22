import { startTestServer } from '@hedron/store/testing'
import { Client } from 'pg'
import * as z from 'zod'
import type { Figure, Scenario } from '../shapes.ts'
import { abort, ask, chatUrl, open, threadOf } from '../support/chat-client.ts'
import { interleave, timed } from '../support/interleave.ts'
import { createDeployment, type Platform, startPlatform, untilBuilt } from '../support/platform.ts'
import { postgresVariables } from '../support/postgres-variables.ts'
import type { Scope } from '../support/scope.ts'

/** Ten billion sums: minutes of computing, whoever asks. The name is what the statement is found by. */
const mark = 'endless_sum'
const endless = `SELECT a + b AS ${mark} FROM generate_series(1, 100000) AS a, generate_series(1, 100000) AS b`
const model = `cubes:
  - name: sums
    sql: ${endless}
    measures: [{ name: greatest_sum, sql: ${mark}, type: max }]
`
const question = 'What is the greatest sum?'
const Branch = z.object({ branchName: z.string() })

export const chatAbort: Scenario = {
  name: 'chat-abort',
  describes: 'a question whose query computes for minutes in PostgreSQL, aborted, until the query has stopped there',
  async run({ quick, scope, say }) {
    const server = await startTestServer()
    scope.defer(() => server.stop())
    const database = await openDatabase(scope, server.url)
    const platform = await startPlatform(scope, { demo: false })
    const url = await chatUrl(platform, await deploy(platform, postgresVariables(server.url)))
    say('aborts')
    const answered: number[] = []

    async function stopByAbort(): Promise<number> {
      const asked = ask(question)
      const chatId = await threadOf(await open(platform, url, asked))
      await database.untilRunning(1)
      return timed(async () => {
        const aborted = timed(() => abort(platform, url, chatId, asked))
        await Promise.all([aborted, database.untilRunning(0)])
        answered.push(await aborted)
      })
    }
    async function stopDirectly(): Promise<number> {
      const ended = database.endless()
      await database.untilRunning(1)
      const took = await timed(() => Promise.all([database.cancel(), database.untilRunning(0)]))
      await ended
      return took
    }
    const measured = await interleave(
      { rounds: quick ? 5 : 30, warmUps: 2 },
      { abort: stopByAbort, directly: stopDirectly },
    )
    const figure: Figure = {
      what: 'chat: abort, until its query has stopped in PostgreSQL',
      unit: 'ms',
      hedron: measured('abort'),
      beside: { what: 'pg_cancel_backend of the same query', summary: measured('directly') },
      goal: null,
      note: `From the request to abort until pg_stat_activity no longer has the statement, which would compute for minutes; looked up again and again by a connection of its own. The answer 204 took at most ${Math.max(...answered).toFixed(1)} ms.`,
    }
    return [figure]
  },
}

/** A deployment whose only measure cannot be had in time. @returns its id */
async function deploy(platform: Platform, variables: Readonly<Record<string, string>>): Promise<number> {
  const id = await createDeployment(platform, 'endless')
  const pairs = Object.entries(variables).map(([name, value]) => ({ name, value }))
  await platform.call(z.unknown(), 'PUT', `/api/v1/deployments/${id}/env-vars`, { env_variables: pairs })
  const base = `/build/api/v1/deployments/${id}`
  const { branchName } = await platform.call(Branch, 'POST', `${base}/dev-mode`, { branchName: 'main' })
  const files = [{ path: 'model/sums.yml', content: model }]
  await platform.call(z.unknown(), 'PUT', `${base}/data-model/files`, { branchName, files })
  await platform.call(z.unknown(), 'POST', `${base}/commit`, { branchName, exitDevMode: true })
  await untilBuilt(platform, id)
  return id
}

/** The source, looked at and asked past the platform. */
async function openDatabase(scope: Scope, url: string) {
  const connect = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    scope.defer(() => client.end())
    return client
  }
  const [watching, asking] = [await connect(), await connect()]
  const running = `FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%${mark}%'`
  return {
    /** Waits until so many statements compute. @throws after a minute */
    async untilRunning(wanted: number): Promise<void> {
      const deadline = performance.now() + 60_000
      for (;;) {
        const { rows } = await watching.query<{ count: number }>(`SELECT count(*)::int AS count ${running}`)
        if (rows[0]?.count === wanted) return
        if (performance.now() > deadline) throw new Error(`${rows[0]?.count} statements run, not ${wanted}`)
      }
    },
    /** Computes until it is cancelled. @throws when it fails of anything else */
    async endless(): Promise<void> {
      const failure = await asking
        .query(`SELECT max(${mark}) FROM (${endless}) AS sums`)
        .catch((error: unknown) => error)
      // query_canceled
      if (!(failure instanceof Error && 'code' in failure && failure.code === '57014')) throw failure
    },
    cancel: () => watching.query(`SELECT pg_cancel_backend(pid) ${running}`),
  }
}
