import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createPlatform, type DataFolders, type Platform } from '@hedron/platform'
import { createDrivers, createEngines, createQueryService } from '@hedron/query'
import { openStore } from '@hedron/store'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { composeSql, readSqlTls, type SqlService } from './compose-sql.ts'
import type { Config } from './config.ts'
import { addDataRoutes } from './data-api/data-routes.ts'
import { createDataFolders } from './data-folders.ts'
import { addDataSockets } from './data-socket/data-sockets.ts'
import type { Handler } from './http/bind-route.ts'
import { createServer } from './http/create-server.ts'
import { createChatMeter } from './metrics/chat-metrics.ts'
import { addMetrics } from './metrics/metrics-route.ts'
import { createRequestMeter } from './metrics/request-meter.ts'
import { addEmbedPages } from './pages/embed/embed-pages.ts'
import { addPage } from './pages/home.ts'
import { openRollupHome } from './rollup-home.ts'
import { addChatRoutes } from './routes/chat.ts'
import { addGitRoutes } from './routes/git.ts'
import { addMcpRoutes } from './routes/mcp.ts'
import { readOrMakeSecretKey } from './secret-key.ts'
import { openSharedResults } from './shared-results.ts'
import { addDiscoveryRoutes } from './sign-in/discovery-routes.ts'
import { addOAuthRoutes } from './sign-in/oauth-routes.ts'
import { addPeoplePages } from './sign-in/page-routes.ts'
import { sourceFingerprint } from './source-fingerprint.ts'
import { version } from './version.ts'

/** The running service, put together from its parts; the one place that knows all of them. */
export interface Service {
  readonly server: FastifyInstance
  readonly platform: Platform
  readonly dataFolders: DataFolders
  readonly databaseWhere: string
  /** Where the embedded database is, if that is not where it was asked for. */
  readonly note: string | undefined
  /** Begins to serve. @returns how clients reach it; `sql` is null where PostgreSQL's wire protocol is not spoken. */
  listen(): Promise<{ readonly baseUrl: string; readonly sql: ReturnType<SqlService['endpoint']> }>
  /** Stops accepting, lets running requests end, closes everything; bounded to about ten seconds. */
  close(): Promise<void>
}

export async function compose(config: Config, log: Logger, say: (message: string) => void): Promise<Service> {
  const tls = await readSqlTls(config.sql)
  const secretKey = config.secretKey ?? (await readOrMakeSecretKey(config.dataDirectory))
  say(config.databaseUrl === null ? 'Starting the embedded PostgreSQL' : 'Connecting to PostgreSQL')
  const store = await openStore(
    config.databaseUrl === null ? { directory: join(config.dataDirectory, 'postgres') } : { url: config.databaseUrl },
    { log: (level, message) => (level === 'info' ? say(message) : log[level](message)) },
  )
  const effects = { now: () => new Date(), randomBytes: (count: number) => randomBytes(count) }
  const { memoryBytes } = config
  const engines = createEngines({ memoryBytes, computeBytes: memoryBytes / 2 })
  const warn = (message: string) => log.warn(message)
  const { redisUrl: url } = config
  const shared = url === null ? {} : { sharedResults: await openSharedResults({ url, store, secretKey, warn }) }
  const queryService = createQueryService({
    now: Date.now,
    drivers: createDrivers({ duckdb: { memoryBytes }, engines }),
    limits: config.queries,
    engines,
    ...shared,
    log: event => log.debug({ event }, 'query'),
  })
  const dataFolders = createDataFolders(config.dataDirectory)
  let listening = config.baseUrl ?? `http://localhost:${config.port}`
  let stopping = false
  const platform = createPlatform({
    store,
    effects,
    queryService,
    secretKey,
    dataFolders,
    baseUrl: () => listening,
    sqlEndpoint: () => sql.endpoint(new URL(listening).hostname),
    releases: { current: version },
    compilerVersion: sourceFingerprint('@hedron/semantic'),
    continueWaitMs: config.continueWaitMs,
    dataRateLimit: config.dataRateLimit,
    chatTurnMs: config.chatTurnMs,
    longestSessionMs: config.embedSessionMs,
    languageModels: config.languageModels,
    signInLimits: config.signIn,
    dbt: config.dbt,
    rollups: {
      ...(await openRollupHome(config.dataDirectory, engines)),
      diskBytes: config.rollupDiskBytes,
      unusedMs: config.rollupUnusedMs,
    },
    report: error => log.error({ err: error }, 'work in the background failed'),
    warn,
  })
  const sql = composeSql(config.sql, {
    tls,
    access: platform.sql,
    effects,
    report: error => log.error({ err: error }, 'a SQL session failed'),
  })
  const requests = createRequestMeter()
  const chats = createChatMeter()
  const server = await createServer({
    // What the framework says at this level is said better by `announce`.
    logger: log.child({}, { level: log.level === 'info' ? 'warn' : log.level }),
    baseUrl: () => listening,
    newRequestId: () => randomUUID(),
    authenticate: platform.authenticate,
    noteRefusal: platform.noteRefusal,
    // Each operation takes what its own route parses; `bindRoute` gives it exactly that.
    operations: platform.operations as unknown as Readonly<Record<string, Handler>>,
    isReady: async () => !stopping && (await platform.isReady()),
    extend: async instance => {
      await addDataRoutes(instance, platform.data, requests)
      await addChatRoutes(instance, { chat: platform.chat, chats, stallMs: config.queries.stallMs })
      await addMcpRoutes(instance, { mcp: platform.mcp, version, baseUrl: () => listening })
      const sockets = addDataSockets(instance, {
        api: platform.data,
        newRequestId: () => randomUUID(),
        requests,
        report: (error, reqId) => log.error({ err: error, reqId }, 'a data socket failed'),
      })
      addMetrics(instance, {
        queryService,
        requests,
        engines,
        sockets,
        chat: platform.chat,
        chats,
        token: config.metricsToken,
      })
      addGitRoutes(instance, { git: platform.git, authenticate: platform.authenticate })
      await addOAuthRoutes(instance, platform.signIn)
      addDiscoveryRoutes(instance, () => listening)
      await addPeoplePages(instance, { signIn: platform.signIn, account: config.account, baseUrl: () => listening })
      addPage(instance, { version })
      await addEmbedPages(instance, { platform, baseUrl: () => listening })
    },
  })
  return {
    server,
    platform,
    dataFolders,
    databaseWhere: store.where,
    note: store.note,
    async listen() {
      const address = await server.listen({ port: config.port, host: config.host })
      await sql.listen()
      engines.warm()
      if (config.baseUrl === null) listening = `http://localhost:${new URL(address).port}`
      return { baseUrl: listening, sql: sql.endpoint(new URL(listening).hostname) }
    },
    async close() {
      stopping = true
      await Promise.all([platform.suspendChats(), closeServer(server), sql.close()])
      await platform.close()
      await queryService.close()
      await engines.close()
      await store.close()
    },
  }
}

/** Ends when every running request has its answer, or after ten seconds. */
async function closeServer(server: FastifyInstance): Promise<void> {
  // A line whose last request was under way when the server closed is kept alive by it, and nothing more can come over it.
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  try {
    await withDeadline(server.close(), 10_000)
  } finally {
    clearInterval(sweep)
  }
}

async function withDeadline(work: PromiseLike<unknown>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
