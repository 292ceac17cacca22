import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { readDataSources } from '../../src/data-sources.ts'
import { createTrinoDriver } from '../../src/drivers/trino/trino.ts'
import type { DataSource } from '../../src/shapes/data-source.ts'
import type { OpenSource, Statement } from '../../src/shapes/driver.ts'
import type { Table } from '../../src/shapes/query.ts'
import type { TableLimits } from '../../src/table-sink.ts'
import { runWhole } from './run-whole.ts'

/** What the fixture answers to a statement. */
export interface TrinoAnswer {
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  /** JSON text of the rows of each page; a function makes them until it gives none. */
  readonly pages?: readonly string[] | ((page: number) => string | undefined)
  readonly error?: { readonly message: string; readonly errorName: string; readonly errorType: string }
  readonly updateType?: string
}

export interface TrinoFixture {
  /** Statements as they came, with their transactions. */
  readonly asked: { readonly sql: string; readonly headers: IncomingMessage['headers'] }[]
  /** Queries that were stopped before their end. */
  readonly stopped: string[]
  /** Answers with this status before the next real answers. */
  busy: number
  readonly source: (changes?: Readonly<Record<string, string>>) => DataSource
  open(changes?: Readonly<Record<string, string>>): Promise<
    OpenSource & {
      query(sql: string, changes?: Partial<Statement & TableLimits>, signal?: AbortSignal): Promise<Table>
    }
  >
}

/** Speaks Trino's documented REST protocol: queued first, then pages, each at an address of its own. It has no engine. */
export async function startTrino(answerTo: (sql: string) => TrinoAnswer): Promise<TrinoFixture> {
  const running = new Map<string, TrinoAnswer>()
  const asked: TrinoFixture['asked'] = []
  const stopped: string[] = []
  const server = createServer((request, response) => void respond(request, response))

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const send = (body: string, headers = {}) => response.writeHead(200, headers).end(body)
    let sql = ''
    for await (const piece of request) sql += piece
    if (fixture.busy > 0) {
      fixture.busy -= 1
      return response.writeHead(503).end()
    }
    // As a coordinator behind a proxy names itself.
    const at = (id: string, page: number) =>
      `"nextUri":"http://coordinator.internal/v1/statement/executing/${id}/x/${page}"`
    if (request.method === 'POST') {
      asked.push({ sql, headers: request.headers })
      const id = `q${asked.length}`
      if (sql === 'START TRANSACTION READ ONLY') {
        return send(`{"id":"${id}","updateType":"START TRANSACTION"}`, { 'X-Trino-Started-Transaction-Id': `t${id}` })
      }
      if (sql === 'ROLLBACK') return send(`{"id":"${id}"}`, { 'X-Trino-Clear-Transaction-Id': 'true' })
      running.set(id, answerTo(sql))
      return send(`{"id":"${id}",${at(id, 0)},"stats":{"state":"QUEUED"}}`)
    }
    const [, , , , id = '', , page = '0'] = request.url?.split('/') ?? []
    if (request.method === 'DELETE') {
      stopped.push(id)
      return response.writeHead(204).end()
    }
    const answer = running.get(id) ?? {}
    const number = Number(page)
    const { columns, pages = [], error, updateType } = answer
    const rows = typeof pages === 'function' ? pages(number) : pages[number]
    const isLast = rows === undefined
    const parts = [
      `"id":"${id}"`,
      ...(columns ? [`"columns":${JSON.stringify(columns)}`] : []),
      ...(rows === undefined ? [] : [`"data":${rows}`]),
      ...(isLast && error ? [`"error":${JSON.stringify(error)}`] : []),
      ...(updateType ? [`"updateType":"${updateType}"`] : []),
      ...(isLast ? [] : [at(id, number + 1)]),
    ]
    return send(`{${parts.join(',')}}`)
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const source = (changes: Readonly<Record<string, string>> = {}) => {
    const variables = {
      CUBEJS_DB_TYPE: 'trino',
      CUBEJS_DB_HOST: '127.0.0.1',
      CUBEJS_DB_PORT: String(port),
      CUBEJS_DB_USER: 'reader',
      CUBEJS_DB_PRESTO_CATALOG: 'lake',
      CUBEJS_DB_SCHEMA: 'sales',
    }
    return readDataSources({ ...variables, ...changes }, { dataDirectory: '/nowhere' }).get('default')
  }
  const fixture: TrinoFixture = {
    asked,
    stopped,
    busy: 0,
    source,
    async open(changes) {
      const opened = await createTrinoDriver().open(source(changes))
      onTestFinished(() => opened.close())
      return { ...opened, query: (sql, statement, signal) => runWhole(opened, { sql, ...statement }, signal) }
    },
  }
  return fixture
}
