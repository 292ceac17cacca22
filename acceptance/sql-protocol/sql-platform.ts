import { fileURLToPath } from 'node:url'
import { Client, type ClientConfig } from 'pg'
import { createProject, type ProjectFiles } from '../data-api/project.ts'
import { type Api, createApi } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'

/** A platform of its own that speaks PostgreSQL's protocol, with one project. */
export interface SqlPlatform {
  readonly platform: RunningPlatform
  readonly api: Api
  readonly deploymentId: number
  readonly port: number
  /** Where and as whom a client connects; an API key is the password unless another is given. */
  config(more?: ClientConfig): ClientConfig
  connect(more?: ClientConfig): Promise<Client>
}

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

export async function startSqlPlatform(
  files: ProjectFiles,
  variables: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<SqlPlatform> {
  const platform = await startPlatform({ environment: { HEDRON_SQL_PORT: '0', ...environment } })
  const api = createApi(platform.baseUrl, platform.apiKey)
  const deploymentId = await createProject(api, files, variables)
  const port = await sqlPort(api, deploymentId)
  const config: SqlPlatform['config'] = more => ({
    host: '127.0.0.1',
    port,
    user: 'cube',
    password: platform.apiKey,
    database: String(deploymentId),
    ...more,
  })
  return {
    platform,
    api,
    deploymentId,
    port,
    config,
    async connect(more) {
      const client = new Client(config(more))
      // What ends a connection is seen by the query that waits on it.
      client.on('error', () => {})
      await client.connect()
      return client
    },
  }
}

/** Where the environments API says that the SQL protocol is spoken. */
export async function sqlPort(api: Api, deploymentId: number): Promise<number> {
  const { body } = await api.get(`/api/v1/deployments/${deploymentId}/environments`)
  const credentials = JSON.parse(JSON.stringify(body)).items?.[0]?.api_credentials ?? []
  const found = credentials.find((credential: { type: string }) => credential.type === 'sql')
  if (!found) throw new Error(`no SQL credentials: ${JSON.stringify(body)}`)
  return Number(found.port)
}
