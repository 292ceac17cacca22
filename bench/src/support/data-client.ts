import * as z from 'zod'
import { exchange } from './http.ts'
import type { Platform } from './platform.ts'

/** Asks the data API of the demo. */
export interface DataClient {
  readonly deploymentId: number
  readonly loadUrl: string
  readonly cubesqlUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** @returns the body as it came. @throws when it is not an answer */
  load(query: object, cache?: 'no-cache'): Promise<string>
  /** The lines of an answer of the SQL API, as they came. @throws when it is not an answer */
  cubesql(statement: string, cache?: 'no-cache'): Promise<string>
  /** The statement that a query becomes. */
  sql(query: object): Promise<{ readonly sql: string; readonly parameters: readonly (string | number)[] }>
}

const Deployments = z.object({ items: z.array(z.object({ id: z.number(), name: z.string() })) })
const Token = z.object({ cubeApiToken: z.string() })
const Sql = z.object({ sql: z.object({ sql: z.tuple([z.string(), z.array(z.union([z.string(), z.number()]))]) }) })

/** @param branch asks a branch instead of production */
export async function openDemo(platform: Platform, branch?: string): Promise<DataClient> {
  const { items } = await platform.call(Deployments, 'GET', '/api/v1/deployments')
  const demo = items.find(({ name }) => name === 'flights')
  if (demo === undefined) throw new Error('the demo deployment is not there')
  const { cubeApiToken } = await platform.call(Token, 'POST', `/api/v1/deployments/${demo.id}/token`)
  const base = `${platform.baseUrl}/data/${demo.id}${branch === undefined ? '' : `/dev-mode/${branch}`}/cubejs-api/v1`
  const headers = { authorization: cubeApiToken, 'content-type': 'application/json' }

  async function ask(action: string, body: object): Promise<string> {
    const { status, text } = await exchange('POST', `${base}/${action}`, headers, JSON.stringify(body))
    if (status !== 200 || text.startsWith('{"error"'))
      throw new Error(`/${action} answered ${status}: ${text.slice(0, 500)}`)
    return text
  }
  return {
    deploymentId: demo.id,
    loadUrl: `${base}/load`,
    cubesqlUrl: `${base}/cubesql`,
    headers,
    load: (query, cache) => ask('load', cache === undefined ? { query } : { query, cache }),
    async cubesql(statement, cache) {
      const text = await ask('cubesql', cache === undefined ? { query: statement } : { query: statement, cache })
      if (text.includes('"error":')) throw new Error(`cubesql answered ${text.slice(-500)}`)
      return text
    },
    async sql(query) {
      const [sql, parameters] = Sql.parse(JSON.parse(await ask('sql', { query }))).sql.sql
      return { sql, parameters }
    },
  }
}
