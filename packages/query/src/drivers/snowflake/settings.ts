import type { ConnectionOptions } from 'snowflake-sdk'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { readRequired, readYesOrNo } from '../network/read-settings.ts'

/** Ways to sign in that need neither a browser nor files of this machine. */
const authenticators: readonly string[] = ['SNOWFLAKE', 'SNOWFLAKE_JWT', 'OAUTH']

/** @throws QueryServiceError `source_misconfigured`, naming the variable */
export function readSettings(source: DataSource): ConnectionOptions {
  const { settings } = source
  refusePaths(source)
  const account = readRequired(source, 'DB_SNOWFLAKE_ACCOUNT', 'the identifier of the account')
  const region = settings.DB_SNOWFLAKE_REGION
  return {
    account: region ? `${account}.${region}` : account,
    ...given('host', settings.DB_SNOWFLAKE_HOST),
    ...given('warehouse', settings.DB_SNOWFLAKE_WAREHOUSE),
    ...given('role', settings.DB_SNOWFLAKE_ROLE),
    ...given('database', settings.DB_NAME),
    ...given('schema', settings.DB_SCHEMA),
    clientSessionKeepAlive: readYesOrNo(source, 'DB_SNOWFLAKE_CLIENT_SESSION_KEEP_ALIVE', false),
    ...readSignIn(source),
  }
}

const given = <N extends keyof ConnectionOptions>(name: N, value: string | undefined) =>
  value ? { [name]: value } : {}

function refusePaths({ settings, variablePrefix }: DataSource): void {
  for (const name of ['DB_SNOWFLAKE_PRIVATE_KEY', 'DB_SNOWFLAKE_OAUTH_TOKEN']) {
    if (!settings[`${name}_PATH`]) continue
    const reason = `paths are not read. Put the content of the file into ${variablePrefix}${name}.`
    throw problems.sourceMisconfigured(`${variablePrefix}${name}_PATH`, reason)
  }
}

function readSignIn(source: DataSource): ConnectionOptions {
  const { settings, variablePrefix } = source
  const authenticator = settings.DB_SNOWFLAKE_AUTHENTICATOR?.trim().toUpperCase() || 'SNOWFLAKE'
  if (!authenticators.includes(authenticator)) {
    const reason = `"${authenticator}" is none of ${authenticators.join(', ')}.`
    throw problems.sourceMisconfigured(`${variablePrefix}DB_SNOWFLAKE_AUTHENTICATOR`, reason)
  }
  if (authenticator === 'OAUTH') {
    return { authenticator, token: readRequired(source, 'DB_SNOWFLAKE_OAUTH_TOKEN', 'the access token') }
  }
  const username = readRequired(source, 'DB_USER', 'a user that can read the tables of the model')
  if (authenticator === 'SNOWFLAKE') {
    return { authenticator, username, password: readRequired(source, 'DB_PASS', 'the password of the user') }
  }
  const key = readRequired(source, 'DB_SNOWFLAKE_PRIVATE_KEY', 'the PEM text of the private key')
  return {
    authenticator,
    username,
    privateKey: key.replaceAll('\\n', '\n'),
    ...given('privateKeyPass', settings.DB_SNOWFLAKE_PRIVATE_KEY_PASS),
  }
}
