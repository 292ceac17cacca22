import { CodedError } from '@hedron/contract'
import type { Store } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { isVariableFault, readVariable } from '../../deployments/variable-values.ts'
import type { ReadVariables } from '../../deployments/variables.ts'
import type { DataApi } from '../../queries/data-api.ts'
import { type DataCaller, defaultScopes } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import { type Database, findDatabases } from './find-databases.ts'
import type { SqlIdentity, SqlSignIn, SqlStartup } from './sql-identity.ts'

export interface SignInNeeds {
  readonly store: Store
  readonly readVariables: ReadVariables
  /** Who bears a data-API token. @throws {DataError} */
  readonly findBearer: DataApi['findBearer']
  /** Who bears a platform API key. @throws {CodedError} */
  readonly authenticateKey: (authorization: string) => Promise<Caller>
  /** A data-API token with the rights of a caller, as `POST /deployments/{id}/token` mints. @throws {CodedError} */
  readonly mintToken: (caller: Caller, deploymentId: number) => Promise<string>
}

type Variables = Readonly<Record<string, string>>

/**
 * Begins to let somebody in over the SQL protocol (contract/behaviour/query.md section 7): with the deployment's
 * `CUBEJS_SQL_USER` and `CUBEJS_SQL_PASSWORD`; or, under any other user name, with a platform API key or a data-API token as the password.
 *
 * Nothing tells a client why it is not let in, nor whether the database exists.
 */
export function createSignIn(need: SignInNeeds) {
  const { store, readVariables } = need

  return async (startup: SqlStartup): Promise<SqlSignIn> => {
    const databases = await findDatabases(store, startup.database, startup.branch)
    const owned = (await Promise.all(databases.map(database => withVariables(database)))).filter(({ variables }) =>
      isSqlUser(variables, startup.user),
    )
    const [only] = owned
    if (only && owned.length === 1) {
      const { CUBEJS_SQL_PASSWORD: password = '' } = only.variables
      return { password, accept: () => acceptUser(only.database, startup.user, password) }
    }
    return { password: null, accept: secret => acceptSecret(databases, startup.user, secret) }
  }

  async function withVariables(database: Database) {
    return { database, variables: await readVariables(store.kysely, database.accountId, database.deploymentId) }
  }

  /** The user and password of the deployment: its own security context is empty, so what policies give to nobody in particular. */
  async function acceptUser(database: Database, user: string, password: string): Promise<SqlIdentity | null> {
    const { variables } = await withVariables(database)
    // Read again: a password that was changed meanwhile lets nobody stay.
    if (!isSqlUser(variables, user) || variables.CUBEJS_SQL_PASSWORD !== password) return null
    const caller: DataCaller = {
      accountId: database.accountId,
      deploymentId: database.deploymentId,
      branchName: database.branchName,
      securityContext: {},
      groups: [],
      userAttributes: {},
      scopes: new Set(defaultScopes),
    }
    return identityOf(caller, database, user, variables)
  }

  async function acceptSecret(
    databases: readonly Database[],
    user: string,
    secret: string | null,
  ): Promise<SqlIdentity | null> {
    if (secret === null || secret === '' || /\s/.test(secret)) return null
    try {
      const caller = secret.startsWith('sk-') ? await need.authenticateKey(`Api-Key ${secret}`) : null
      const mine = caller === null ? databases : databases.filter(({ accountId }) => accountId === caller.accountId)
      for (const database of mine) {
        const identity = await acceptFor(database, user, caller, secret)
        if (identity) return identity
      }
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    return null
  }

  async function acceptFor(
    database: Database,
    user: string,
    caller: Caller | null,
    secret: string,
  ): Promise<SqlIdentity | null> {
    const { deploymentId, branchName } = database
    try {
      const token = caller === null ? secret : await need.mintToken(caller, deploymentId)
      const { caller: dataCaller, expiresAt } = await need.findBearer({ deploymentId, branchName, header: token })
      if (!dataCaller.scopes.has('data')) return null
      return {
        ...identityOf(dataCaller, database, user, (await withVariables(database)).variables),
        expiresAt,
      }
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    }
  }
}

const isRefusal = (error: unknown): boolean =>
  (error instanceof DataError && !isVariableFault(error)) || error instanceof CodedError

function isSqlUser(
  { CUBEJS_SQL_USER: name = '', CUBEJS_SQL_PASSWORD: password = '' }: Variables,
  user: string,
): boolean {
  return name !== '' && password !== '' && name === user
}

function identityOf(caller: DataCaller, { name }: Database, user: string, variables: Variables): SqlIdentity {
  return {
    caller,
    database: name,
    maySwitchUser:
      variables.CUBEJS_SQL_SUPER_USER !== undefined &&
      variables.CUBEJS_SQL_SUPER_USER === user &&
      isSqlUser(variables, user),
    expiresMs: 1000 * (readVariable(variables, 'CUBESQL_AUTH_EXPIRE_SECS') ?? 300),
    expiresAt: Number.POSITIVE_INFINITY,
    maximumSessions: readVariable(variables, 'CUBEJS_MAX_SESSIONS') ?? 1024,
  }
}
