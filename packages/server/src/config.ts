import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { LanguageModelSettings } from '@hedron/platform'
import * as z from 'zod'

const absentWhenBlank = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)
const text = (schema: z.ZodType<string>) => z.preprocess(absentWhenBlank, schema.optional())

const Environment = z.object({
  HEDRON_PORT: z.preprocess(absentWhenBlank, z.coerce.number().int().min(0).max(65_535).default(4000)),
  HEDRON_HOST: z.preprocess(absentWhenBlank, z.string().default('127.0.0.1')),
  HEDRON_BASE_URL: text(z.url({ protocol: /^https?$/ })), // absent: http://localhost:<port>
  HEDRON_DATA_DIR: z.preprocess(absentWhenBlank, z.string().default('.hedron')),
  HEDRON_DATABASE_URL: text(z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')), // absent: an embedded PostgreSQL below the data directory
  HEDRON_REDIS_URL: text(
    z
      .url({
        protocol: /^rediss?$/,
        hostname: /./,
        error: 'must begin with redis:// or rediss:// and a host',
        abort: true,
      })
      .refine(url => /^\/?\d*$/.test(new URL(url).pathname), 'must end with the host or the number of a database'),
  ), // absent: each node keeps its own results
  HEDRON_ADMIN_EMAIL: z.preprocess(
    absentWhenBlank,
    z
      .string()
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
      .default('admin@localhost'),
  ),
  HEDRON_ADMIN_PASSWORD: text(z.string().min(8)), // absent: made at the first start and printed once
  HEDRON_BOOTSTRAP_API_KEY: text(
    z.string().regex(/^sk-[\x21-\x7e]{32,}$/, 'must be sk- and 32 or more visible characters'),
  ),
  HEDRON_ACCOUNT: z.preprocess(
    absentWhenBlank,
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/)
      .default('hedron'),
  ),
  HEDRON_DEMO: z.preprocess(absentWhenBlank, z.enum(['0', '1']).default('1')),
  HEDRON_CONTINUE_WAIT_SECONDS: z.preprocess(absentWhenBlank, z.coerce.number().min(0.1).max(90).default(5)),
  HEDRON_QUERY_CACHE_MB: z.preprocess(absentWhenBlank, z.coerce.number().min(1).default(256)), // at least HEDRON_QUERY_RESULT_MB
  HEDRON_QUERY_RESULT_MB: z.preprocess(absentWhenBlank, z.coerce.number().min(1).default(64)), // a larger result is an error
  HEDRON_QUERY_QUEUE: z.preprocess(absentWhenBlank, z.coerce.number().int().min(1).max(1_000_000).default(500)), // waiting, of one data source
  HEDRON_EMBEDDED_QUERIES: z.preprocess(absentWhenBlank, z.coerce.number().int().min(1).max(256).default(4)), // of DuckDB at once
  HEDRON_EMBEDDED_MEMORY_MB: z.preprocess(
    absentWhenBlank,
    z.coerce.number().int().min(64).max(1_048_576).default(1024),
  ), // of one statement in DuckDB
  HEDRON_STREAM_STALL_SECONDS: z.preprocess(absentWhenBlank, z.coerce.number().min(0.1).max(86_400).default(30)), // before an unread stream is stopped
  HEDRON_CHAT_TURN_SECONDS: z.preprocess(absentWhenBlank, z.coerce.number().min(1).max(3600).default(300)), // for the answer to a chat message
  HEDRON_DATA_RATE_LIMIT: z.preprocess(absentWhenBlank, z.coerce.number().int().min(0).max(1_000_000).default(100)), // 0: no limit
  HEDRON_ROLLUP_DISK_MB: z.preprocess(absentWhenBlank, z.coerce.number().min(1).default(10_240)), // what the files of rollups may take
  HEDRON_ROLLUP_UNUSED_HOURS: z.preprocess(absentWhenBlank, z.coerce.number().min(0.01).default(24)), // after which they are dropped
  HEDRON_EMBED_SESSION_HOURS: z.preprocess(absentWhenBlank, z.coerce.number().min(1).max(8_760).default(168)), // after its exchange no embed session is renewed beyond
  HEDRON_SIGN_IN_IDLE_HOURS: z.preprocess(absentWhenBlank, z.coerce.number().min(0.001).max(720).default(8)), // after which who does nothing is signed out
  HEDRON_SIGN_IN_HOURS: z.preprocess(absentWhenBlank, z.coerce.number().min(0.001).max(720).default(24)), // after which everybody is
  HEDRON_ACCESS_TOKEN_MINUTES: z.preprocess(absentWhenBlank, z.coerce.number().min(0.01).max(1_440).default(15)), // of a program that logged in
  HEDRON_LOGIN_UNUSED_DAYS: z.preprocess(absentWhenBlank, z.coerce.number().min(0.001).max(180).default(30)), // after which its login ends
  HEDRON_DBT_PROGRAM: text(z.string()), // absent: dbt is not run on this server
  HEDRON_DBT_SECONDS: z.preprocess(absentWhenBlank, z.coerce.number().min(1).max(7_200).default(600)), // for each command of dbt
  HEDRON_DBT_MEMORY_MB: z.preprocess(absentWhenBlank, z.coerce.number().int().min(256).default(4_096)), // of each process of it
  HEDRON_METRICS_TOKEN: text(z.string().regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible characters')), // absent: /metrics is read from this machine alone
  HEDRON_SECRET_KEY: text(z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')), // absent: kept in the data directory
  HEDRON_SQL_PORT: z.preprocess(absentWhenBlank, z.coerce.number().int().min(0).max(65_535).optional()), // absent: PostgreSQL's protocol is not spoken
  CUBEJS_PG_SQL_PORT: z.preprocess(absentWhenBlank, z.coerce.number().int().min(0).max(65_535).optional()), // another name for it
  HEDRON_SQL_HOST: text(z.string()), // absent: HEDRON_HOST
  HEDRON_SQL_TLS_CERT: text(z.string()), // files in PEM; absent: connections are not encrypted
  HEDRON_SQL_TLS_KEY: text(z.string()),
  HEDRON_LLM_PROVIDER: z.preprocess(absentWhenBlank, z.enum(['openai', 'anthropic', 'openai-compatible']).optional()), // absent: as the base URL or the one key tells
  HEDRON_LLM_MODEL: text(z.string()), // absent: no language model but those whose keys are set
  HEDRON_LLM_BASE_URL: text(z.url({ protocol: /^https?$/ })), // absent: the provider's own
  HEDRON_LLM_API_KEY: text(z.string()), // absent: that of the provider; none for a base URL
  OPENAI_API_KEY: text(z.string()),
  ANTHROPIC_API_KEY: text(z.string()),
  HEDRON_LLM_TIMEOUT_SECONDS: z.preprocess(absentWhenBlank, z.coerce.number().min(1).max(600).default(60)), // how long a provider may say nothing
  HEDRON_LLM_TURN_TOKENS: z.preprocess(absentWhenBlank, z.coerce.number().int().min(1_000).default(200_000)), // of one answer, input and output
  HEDRON_LLM_ALLOW_LOOPBACK: z.preprocess(absentWhenBlank, z.enum(['0', '1']).default('0')), // 1: models of deployments may be on this machine
  HEDRON_LOG_LEVEL: z.preprocess(absentWhenBlank, z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
  HEDRON_LOG_FORMAT: z.preprocess(absentWhenBlank, z.enum(['json', 'text']).optional()), // absent: text on a terminal, json elsewhere
})

/** Everything that can be set from outside, complete. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Null: made from the port that the server really listens on. */
  readonly baseUrl: string | null
  readonly dataDirectory: string
  readonly databaseUrl: string | null
  /** Where nodes share results of queries; null: each keeps its own. */
  readonly redisUrl: string | null
  readonly account: string
  readonly adminEmail: string
  readonly adminPassword: string | null
  readonly bootstrapApiKey: string | null
  readonly demo: boolean
  readonly secretKey: Buffer | null
  /** Whoever shows it may read `/metrics`; null: whoever asks from this machine. */
  readonly metricsToken: string | null
  /** How long a data request waits for a slow query before it is told to ask again. */
  readonly continueWaitMs: number
  /** What a statement of a data source may take in DuckDB; one that the SQL API computes gets half of it. */
  readonly memoryBytes: number
  /** What queries may take of this node, as the query service understands it. */
  readonly queries: {
    readonly cacheBytes: number
    readonly resultBytes: number
    /** Queries that may wait for one data source. */
    readonly queued: number
    /** Queries that DuckDB computes at once. */
    readonly embeddedRunning: number
    /** How long rows of a stream may lie unread. */
    readonly stallMs: number
  }
  /** How long the answer to a chat message may take. */
  readonly chatTurnMs: number
  /** Requests a second that this node answers for the data API of one deployment; 0: as many as come. */
  readonly dataRateLimit: number
  /** How long after its exchange an embed session can be renewed. */
  readonly embedSessionMs: number
  readonly signIn: {
    /** After how long without a request a person is signed out, and after how long in any case. */
    readonly idleMs: number
    readonly longestMs: number
    /** How long an access token of a program is good, and after how long unused its login ends. */
    readonly accessMs: number
    readonly unusedMs: number
  }
  /** Whether and how dbt is run for syncs; a program of null: it is not. */
  readonly dbt: {
    readonly program: string | null
    readonly limits: { readonly milliseconds: number; readonly memoryBytes: number }
  }
  readonly rollupDiskBytes: number
  /** After how long a rollup that nobody uses is dropped. */
  readonly rollupUnusedMs: number
  /** Where PostgreSQL's protocol is spoken; null: nowhere. */
  readonly sql: {
    readonly port: number
    readonly host: string
    /** Paths of the certificate and its key. */
    readonly tls: { readonly cert: string; readonly key: string } | null
  } | null
  readonly languageModels: LanguageModelSettings
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly logFormat: 'json' | 'text' | null
}

/** What is wrong with the environment, for people. */
export class ConfigError extends Error {}

/**
 * Reads the environment (DESIGN.md section 4). Called once, where the program is put together.
 *
 * @throws {ConfigError} naming each variable that cannot be used.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const { success, data, error } = Environment.safeParse(environment)
  if (!success) {
    const lines = error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`The environment cannot be used.\n${lines.join('\n')}`)
  }
  return {
    port: data.HEDRON_PORT,
    host: data.HEDRON_HOST,
    baseUrl: data.HEDRON_BASE_URL?.replace(/\/+$/, '') ?? null,
    dataDirectory: resolve(data.HEDRON_DATA_DIR.replace(/^~(?=\/|$)/, homedir())),
    databaseUrl: data.HEDRON_DATABASE_URL ?? null,
    redisUrl: data.HEDRON_REDIS_URL ?? null,
    account: data.HEDRON_ACCOUNT,
    adminEmail: data.HEDRON_ADMIN_EMAIL,
    adminPassword: data.HEDRON_ADMIN_PASSWORD ?? null,
    bootstrapApiKey: data.HEDRON_BOOTSTRAP_API_KEY ?? null,
    demo: data.HEDRON_DEMO === '1',
    embedSessionMs: data.HEDRON_EMBED_SESSION_HOURS * 3_600_000,
    signIn: {
      idleMs: data.HEDRON_SIGN_IN_IDLE_HOURS * 3_600_000,
      longestMs: data.HEDRON_SIGN_IN_HOURS * 3_600_000,
      accessMs: data.HEDRON_ACCESS_TOKEN_MINUTES * 60_000,
      unusedMs: data.HEDRON_LOGIN_UNUSED_DAYS * 86_400_000,
    },
    dbt: {
      program: data.HEDRON_DBT_PROGRAM ?? null,
      limits: { milliseconds: data.HEDRON_DBT_SECONDS * 1000, memoryBytes: data.HEDRON_DBT_MEMORY_MB * 2 ** 20 },
    },
    rollupDiskBytes: data.HEDRON_ROLLUP_DISK_MB * 2 ** 20,
    rollupUnusedMs: data.HEDRON_ROLLUP_UNUSED_HOURS * 3_600_000,
    metricsToken: data.HEDRON_METRICS_TOKEN ?? null,
    secretKey: data.HEDRON_SECRET_KEY === undefined ? null : Buffer.from(data.HEDRON_SECRET_KEY, 'hex'),
    continueWaitMs: data.HEDRON_CONTINUE_WAIT_SECONDS * 1000,
    queries: queriesConfig(data),
    memoryBytes: data.HEDRON_EMBEDDED_MEMORY_MB * 2 ** 20,
    chatTurnMs: data.HEDRON_CHAT_TURN_SECONDS * 1000,
    dataRateLimit: data.HEDRON_DATA_RATE_LIMIT,
    sql: sqlConfig(data),
    languageModels: languageModelConfig(data),
    logLevel: data.HEDRON_LOG_LEVEL,
    logFormat: data.HEDRON_LOG_FORMAT ?? null,
  }
}

function queriesConfig(data: z.infer<typeof Environment>): Config['queries'] {
  const { HEDRON_QUERY_CACHE_MB: cache, HEDRON_QUERY_RESULT_MB: result } = data
  if (cache < result) {
    throw new ConfigError(
      `The environment cannot be used.\n  HEDRON_QUERY_CACHE_MB: ${cache} is less than HEDRON_QUERY_RESULT_MB, ${result}, so that the largest results could not be kept`,
    )
  }
  return {
    cacheBytes: Math.floor(cache * 2 ** 20),
    resultBytes: Math.floor(result * 2 ** 20),
    queued: data.HEDRON_QUERY_QUEUE,
    embeddedRunning: data.HEDRON_EMBEDDED_QUERIES,
    stallMs: data.HEDRON_STREAM_STALL_SECONDS * 1000,
  }
}

function sqlConfig(data: z.infer<typeof Environment>): Config['sql'] {
  const port = data.HEDRON_SQL_PORT ?? data.CUBEJS_PG_SQL_PORT
  if (port === undefined) return null
  const { HEDRON_SQL_TLS_CERT: cert, HEDRON_SQL_TLS_KEY: key } = data
  if ((cert === undefined) !== (key === undefined)) {
    throw new ConfigError(
      'The environment cannot be used.\n  HEDRON_SQL_TLS_CERT and HEDRON_SQL_TLS_KEY: one needs the other',
    )
  }
  const tls = cert === undefined || key === undefined ? null : { cert: resolve(cert), key: resolve(key) }
  return { port, host: data.HEDRON_SQL_HOST ?? data.HEDRON_HOST, tls }
}

/** Which language models there are (docs/chat.md, "Language models"). */
function languageModelConfig(data: z.infer<typeof Environment>): LanguageModelSettings {
  const keys = { openai: data.OPENAI_API_KEY ?? null, anthropic: data.ANTHROPIC_API_KEY ?? null }
  return {
    main: mainModel(data, keys),
    keys,
    silenceMs: data.HEDRON_LLM_TIMEOUT_SECONDS * 1000,
    turnTokens: data.HEDRON_LLM_TURN_TOKENS,
    allowsLoopback: data.HEDRON_LLM_ALLOW_LOOPBACK === '1',
  }
}

function mainModel(
  data: z.infer<typeof Environment>,
  keys: LanguageModelSettings['keys'],
): LanguageModelSettings['main'] {
  const { HEDRON_LLM_PROVIDER, HEDRON_LLM_MODEL: model, HEDRON_LLM_API_KEY: ownKey } = data
  const baseUrl = data.HEDRON_LLM_BASE_URL?.replace(/\/+$/, '') ?? null
  const wrong = (name: string, reason: string) =>
    new ConfigError(`The environment cannot be used.\n  HEDRON_LLM_${name}: ${reason}`)
  if (model === undefined) {
    const lonely = Object.entries({ PROVIDER: HEDRON_LLM_PROVIDER, BASE_URL: baseUrl ?? undefined, API_KEY: ownKey })
    const set = lonely.flatMap(([name, value]) => (value === undefined ? [] : [`HEDRON_LLM_${name}`]))
    if (set.length > 0) throw wrong('MODEL', `must be set beside ${set.join(' and ')}`)
    return null
  }
  const [known, other] = (['openai', 'anthropic'] as const).filter(name => keys[name] !== null)
  const provider =
    HEDRON_LLM_PROVIDER ?? (baseUrl !== null ? 'openai-compatible' : other === undefined ? known : undefined)
  if (provider === undefined) throw wrong('PROVIDER', 'must be set: nothing else tells whose HEDRON_LLM_MODEL is')
  if (provider === 'openai-compatible') {
    if (baseUrl === null) throw wrong('BASE_URL', 'must be set for HEDRON_LLM_PROVIDER=openai-compatible')
    return { provider, model, baseUrl, apiKey: ownKey ?? null }
  }
  // A key goes to another address than its provider's only where it was set for that.
  const apiKey = ownKey ?? (baseUrl === null ? keys[provider] : null)
  if (apiKey === null && baseUrl === null) {
    const name = provider === 'openai' ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY'
    throw wrong('API_KEY', `must be set, or ${name}, for HEDRON_LLM_PROVIDER=${provider}`)
  }
  return { provider, model, baseUrl, apiKey }
}
