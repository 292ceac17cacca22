import { readFile } from 'node:fs/promises'
import type { SqlAccess, SqlEndpoint } from '@hedron/platform'
import { type Config, ConfigError } from './config.ts'
import { createPostgresServer } from './postgres/postgres-server.ts'

/** The server of PostgreSQL's protocol, where there is one. */
export interface SqlService {
  /** @param host under which clients reach the platform. @returns null where the protocol is not spoken. */
  endpoint(host: string): SqlEndpoint | null
  listen(): Promise<void>
  close(): Promise<void>
}

/** Certificate and key, read before anything else is started. @throws {ConfigError} naming the variable. */
export async function readSqlTls(config: Config['sql']): Promise<{ cert: Buffer; key: Buffer } | null> {
  if (!config?.tls) return null
  const { cert, key } = config.tls
  return { cert: await readPem('HEDRON_SQL_TLS_CERT', cert), key: await readPem('HEDRON_SQL_TLS_KEY', key) }
}

export function composeSql(
  config: Config['sql'],
  need: {
    readonly access: SqlAccess
    readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
    readonly effects: { now(): Date; randomBytes(count: number): Buffer }
    readonly report: (error: unknown) => void
  },
): SqlService {
  if (config === null) return { endpoint: () => null, listen: async () => {}, close: async () => {} }
  const { access, tls, effects, report } = need
  const server = createPostgresServer({ ...effects, access, tls, report })
  let { port } = config
  return {
    endpoint: host => (port === 0 ? null : { host, port }),
    async listen() {
      port = await server.listen(config.port, config.host)
    },
    close: () => server.close(),
  }
}

async function readPem(variable: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new ConfigError(`The environment cannot be used.\n  ${variable}: ${path} cannot be read (${String(error)})`)
  }
}
