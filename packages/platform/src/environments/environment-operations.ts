import { CodedError, deploymentReaders, type Environment, type EnvironmentToken } from '@hedron/contract'
import { type EnvironmentRow, environmentTokens, listEnvironments, type Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import { deploymentUrl } from '../deployments/show-deployment.ts'
import type { ReadVariables } from '../deployments/variables.ts'
import { type Effects, randomId } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { type OffsetWindow, pageEitherWay, readFrom } from '../page.ts'
import { dataTokenClaims } from './data-token-claims.ts'
import { signToken, toSeconds } from './sign-token.ts'

interface EnvironmentsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly readVariables: ReadVariables
  readonly baseUrl: () => string
  readonly sqlEndpoint: () => SqlEndpoint | null
}

/** Where clients of PostgreSQL's protocol connect to. */
export interface SqlEndpoint {
  readonly host: string
  readonly port: number
}

type EnvironmentOperations = Pick<
  Operations,
  | 'getDeploymentEnvironments'
  | 'getDeploymentEnvironmentTokens'
  | 'createDeploymentEnvironmentToken'
  | 'createDeploymentEnvironmentTokenForMetaSync'
  | 'deploymentToken'
>

const tokenSeconds = 3600
const deploymentTokenSeconds = 86_400

export function createEnvironmentOperations(need: EnvironmentsNeed): EnvironmentOperations {
  const { store, effects, findDeployment } = need

  return {
    async getDeploymentEnvironments(caller, { params, query }) {
      const { id } = await findDeployment(caller, params.deploymentId, 'DeploymentRead')
      const rows = await listEnvironments(store.kysely, caller.accountId, id)
      const all = rows
        .filter(row => query.type === undefined || row.type === query.type)
        .map(row => showEnvironment(row, deploymentUrl(need.baseUrl(), id), id, need.sqlEndpoint()))
      const key = ({ id }: Environment) => id.padStart(16, '0')
      return pageEitherWay<Environment, Environment, readonly [string]>(
        'environments',
        query,
        { total: all.length, defaultLimit: all.length },
        async window => readFrom(all, key, window),
        environment => [key(environment)],
        environment => environment,
      )
    },

    async getDeploymentEnvironmentTokens(caller, { params, query }) {
      const { id } = await findDeployment(caller, params.deploymentId, 'DeploymentUpdate')
      const { branchId } = await findEnvironment(caller, id, params.environmentId)
      const now = effects.now()
      const total = await environmentTokens.countEnvironmentTokens(store.kysely, caller.accountId, branchId, now)
      const list = await pageEitherWay(
        'environment-tokens',
        query,
        { total, defaultLimit: 1000 },
        (window: OffsetWindow<readonly [string, string]>) =>
          environmentTokens.listEnvironmentTokens(store.kysely, caller.accountId, branchId, now, window),
        row => [row.createdAt.toISOString(), row.id] as const,
        row => row,
      )
      const secret = await readSecret(caller.accountId, id)
      const items = await Promise.all(list.items.map(row => showToken(row, secret)))
      return { ...list, items, data: items }
    },

    async createDeploymentEnvironmentToken(caller, { params, body }, context) {
      return createToken(caller, params, body, body.scopes ?? null, context)
    },

    async createDeploymentEnvironmentTokenForMetaSync(caller, { params, body }, context) {
      return createToken(caller, params, body, ['meta'], context)
    },

    async deploymentToken(caller, { params, body }) {
      const deployment = await findDeployment(caller, params.deploymentId, deploymentReaders)
      const issued = effects.now()
      const expires = new Date(issued.getTime() + (body?.expiresIn ?? deploymentTokenSeconds) * 1000)
      const secret = await readSecret(caller.accountId, deployment.id)
      const claims = await dataTokenClaims(store.kysely, caller, deployment, { issued, expires })
      return { cubeApiToken: await signToken(secret, claims) }
    },
  }

  async function createToken(
    caller: Caller,
    params: { deploymentId: number; environmentId: number },
    body: { security_context: Record<string, unknown>; expires_in?: number | null | undefined },
    scopes: readonly string[] | null,
    context: CallContext,
  ): Promise<{ data: EnvironmentToken }> {
    const { id: deploymentId } = await findDeployment(caller, params.deploymentId, 'DeploymentUpdate')
    const { branchId } = await findEnvironment(caller, deploymentId, params.environmentId)
    const createdAt = effects.now()
    const expiresAt = new Date((toSeconds(createdAt) + (body.expires_in ?? tokenSeconds)) * 1000)
    const id = randomId(effects)
    const claims = {
      ...body.security_context,
      cubeCloud: { environmentId: branchId },
      jti: id,
      iat: toSeconds(createdAt),
      exp: toSeconds(expiresAt),
      ...(scopes === null ? {} : { scope: scopes }),
    }
    const row = { id, accountId: caller.accountId, deploymentId, branchId, createdAt, expiresAt }
    await store.transaction(async transaction => {
      await environmentTokens.insertEnvironmentToken(transaction, { ...row, claims: JSON.stringify(claims) })
      await need.audit(transaction, caller, context, 'environment-token.create', `environment ${branchId}`, { id })
    })
    return { data: await showToken({ ...row, claims }, await readSecret(caller.accountId, deploymentId)) }
  }

  async function findEnvironment(caller: Caller, deploymentId: number, id: number): Promise<EnvironmentRow> {
    const rows = await listEnvironments(store.kysely, caller.accountId, deploymentId)
    const found = rows.find(row => row.branchId === id)
    if (!found) throw new CodedError('environment_not_found', { environment: id })
    return found
  }

  async function readSecret(accountId: number, deploymentId: number): Promise<string> {
    const { CUBEJS_API_SECRET: secret } = await need.readVariables(store.kysely, accountId, deploymentId)
    if (!secret) throw new Error(`deployment ${deploymentId} has no CUBEJS_API_SECRET`)
    return secret
  }
}

/** Claims that are the token's own rather than the security context that was asked for. */
const ownClaims = new Set(['cubeCloud', 'jti', 'iat', 'exp', 'scope'])

async function showToken(row: environmentTokens.EnvironmentTokenRow, secret: string): Promise<EnvironmentToken> {
  return {
    token: await signToken(secret, row.claims),
    security_context: Object.fromEntries(Object.entries(row.claims).filter(([name]) => !ownClaims.has(name))),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}

function showEnvironment(
  row: EnvironmentRow,
  url: string,
  deploymentId: number,
  sqlEndpoint: SqlEndpoint | null,
): Environment {
  const isProduction = row.type === 'production'
  const base = isProduction ? url : `${url}/dev-mode/${row.branchName}`
  const rest = {
    type: 'rest',
    version: 1,
    url: `${base}/cubejs-api/v1`,
    host: null,
    port: null,
    database: null,
  } as const
  const database = isProduction ? String(deploymentId) : `${deploymentId}/${row.branchName}`
  return {
    id: String(row.branchId),
    type: row.type,
    branch: row.branchName,
    user: row.user,
    api_credentials:
      sqlEndpoint === null ? [rest] : [rest, { type: 'sql', version: 1, url: null, ...sqlEndpoint, database }],
  }
}
