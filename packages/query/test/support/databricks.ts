import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { readDataSources } from '../../src/data-sources.ts'
import { createDatabricksDriver } from '../../src/drivers/databricks/databricks.ts'
import type { DataSource } from '../../src/shapes/data-source.ts'
import type { OpenSource, Statement } from '../../src/shapes/driver.ts'
import type { Table } from '../../src/shapes/query.ts'
import type { TableLimits } from '../../src/table-sink.ts'
import { runWhole } from './run-whole.ts'

/** What the fixture answers to a statement. */
export interface DatabricksAnswer {
  /** Name, word of the API, words of SQL. */
  readonly columns?: readonly (readonly [name: string, type: string, text: string])[]
  /** JSON text of the rows of each piece in the storage. */
  readonly pieces?: readonly (() => string)[]
  /** Of the whole result; absent: one in each piece. */
  readonly rows?: number
  readonly truncated?: boolean
  readonly error?: { readonly error_code: string; readonly message: string }
  readonly state?: 'RUNNING' | 'CANCELED'
}

export interface DatabricksStatement {
  readonly statement: string
  readonly parameters: readonly { readonly name: string; readonly value?: string }[]
  readonly [name: string]: unknown
}

export interface DatabricksFixture {
  /** Bodies of statements as they came. */
  readonly asked: DatabricksStatement[]
  /** Method, path and sign-in of all requests. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[]
  readonly stopped: string[]
  /** What `current_timezone()` says. */
  zone: string
  /** How many requests are told to come again before the next real answers. */
  busy: number
  /** How long the name of a statement lets wait, in milliseconds. */
  slow: number
  readonly port: number
  readonly source: (changes?: Readonly<Record<string, string>>) => DataSource
  open(changes?: Readonly<Record<string, string>>): Promise<
    OpenSource & {
      query(sql: string, changes?: Partial<Statement & TableLimits>, signal?: AbortSignal): Promise<Table>
    }
  >
}

const statements = '/api/2.0/sql/statements'

/** A certificate of its own for 127.0.0.1, as the interface is spoken over TLS alone. */
function makeCertificate(): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'databricks-'))
  try {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ]
    const subject = ['-subj', '/CN=workspace', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Speaks Databricks' documented Statement Execution API: pending first, then pieces that lie behind links. It has no engine. */
export async function startDatabricks(answerTo: (sql: string) => DatabricksAnswer): Promise<DatabricksFixture> {
  const { cert, key } = makeCertificate()
  const running = new Map<string, DatabricksAnswer>()
  const asked: DatabricksStatement[] = []
  const requests: DatabricksFixture['requests'] = []
  const stopped: string[] = []
  const server = createServer({ cert, key }, (request, response) => void respond(request, response))

  function own(sql: string): DatabricksAnswer | undefined {
    if (sql.startsWith('SELECT * FROM (\nSELECT')) return { columns: [] }
    if (sql === 'SELECT current_timezone()') {
      return { columns: [['current_timezone()', 'STRING', 'STRING']], pieces: [() => JSON.stringify([[fixture.zone]])] }
    }
    return undefined
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const send = (body: unknown, status = 200) => response.writeHead(status).end(JSON.stringify(body))
    let body = ''
    for await (const piece of request) body += piece
    const { method, url = '', headers } = request
    requests.push({ line: `${method} ${url}`, headers })
    if (url.startsWith('/storage/')) {
      const [, , id = '', index = ''] = url.split('/')
      return response.end(running.get(id)?.pieces?.[Number.parseInt(index, 10)]?.() ?? '[]')
    }
    if (fixture.busy > 0) {
      fixture.busy -= 1
      return response.writeHead(429, { 'retry-after': '0' }).end()
    }
    if (url === '/oidc/v1/token') {
      const isKnown = headers.authorization === `Basic ${Buffer.from('principal:its%20secret').toString('base64')}`
      if (!isKnown || body !== 'grant_type=client_credentials&scope=all-apis')
        return send({ error: 'invalid_client' }, 401)
      return send({ access_token: 'issued', token_type: 'Bearer', expires_in: 3600 })
    }
    if (!['Bearer dapi-secret', 'Bearer issued'].includes(headers.authorization ?? '')) {
      return send({ error_code: 'UNAUTHENTICATED', message: 'Invalid access token' }, 401)
    }
    if (url === statements) {
      const statement: DatabricksStatement = JSON.parse(body)
      asked.push(statement)
      const id = `s${asked.length}`
      if (fixture.slow > 0) await pause(fixture.slow)
      running.set(id, own(statement.statement) ?? answerTo(statement.statement))
      return send({ statement_id: id, status: { state: 'PENDING' } })
    }
    const [, , , , , id = '', what, , index = '0'] = url.split('/')
    if (what === 'cancel') {
      stopped.push(id)
      return send({})
    }
    const answer = running.get(id) ?? {}
    const { columns, pieces = [], rows = pieces.length, truncated = false, error, state } = answer
    const inline = asked[Number(id.slice(1)) - 1]?.disposition === 'INLINE'
    const pieceOf = (at: number) => {
      const piece = pieces[at]
      if (!piece) return undefined
      const link = `https://127.0.0.1:${fixture.port}/storage/${id}/${at}?sig=x`
      const more = { external_link: link, http_headers: { 'x-key': 'of-storage' } }
      return inline ? { data_array: JSON.parse(piece()) } : { external_links: [{ chunk_index: at, ...more }] }
    }
    if (what === 'result') return send(pieceOf(Number(index)))
    if (error) return send({ statement_id: id, status: { state: 'FAILED', error } })
    if (state) return send({ statement_id: id, status: { state } })
    const fields = columns?.map(([name, type_name, type_text]) => ({ name, type_name, type_text }))
    const counts = { total_chunk_count: pieces.length, total_row_count: rows, truncated }
    const manifest = fields ? { manifest: { format: 'JSON_ARRAY', schema: { columns: fields }, ...counts } } : {}
    return send({ statement_id: id, status: { state: 'SUCCEEDED' }, ...manifest, result: pieceOf(0) })
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const source = (changes: Readonly<Record<string, string>> = {}) => {
    const variables = {
      CUBEJS_DB_TYPE: 'databricks-jdbc',
      CUBEJS_DB_DATABRICKS_URL: `jdbc:databricks://127.0.0.1:${port}/default;transportMode=http;ssl=1;httpPath=/sql/1.0/warehouses/abc123;AuthMech=3;UID=token`,
      CUBEJS_DB_DATABRICKS_TOKEN: 'dapi-secret',
      CUBEJS_DB_DATABRICKS_CATALOG: 'lake',
      CUBEJS_DB_NAME: 'sales',
      CUBEJS_DB_SSL_CA: cert,
    }
    return readDataSources({ ...variables, ...changes }, { dataDirectory: '/nowhere' }).get('default')
  }
  const fixture: DatabricksFixture = {
    asked,
    requests,
    stopped,
    zone: 'Etc/UTC',
    busy: 0,
    slow: 0,
    port,
    source,
    async open(changes) {
      const opened = await createDatabricksDriver().open(source(changes))
      onTestFinished(() => opened.close())
      return { ...opened, query: (sql, statement, signal) => runWhole(opened, { sql, ...statement }, signal) }
    },
  }
  return fixture
}
