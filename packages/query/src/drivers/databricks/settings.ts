import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { type Encryption, readRequired, readSsl } from '../network/read-settings.ts'

/** Who asks: a token that was given, or a service principal that gets tokens of its own. */
export type SignIn = { readonly token: string } | { readonly clientId: string; readonly clientSecret: string }

export interface DatabricksSettings {
  readonly host: string
  readonly port: number
  readonly ssl: Encryption
  /** The SQL warehouse that computes. */
  readonly warehouse: string
  readonly catalog: string | undefined
  readonly schema: string | undefined
  readonly signIn: SignIn
}

const urlVariable = 'DB_DATABRICKS_URL'
const urlForm = 'jdbc:databricks://<host>:443/default;transportMode=http;ssl=1;httpPath=/sql/1.0/warehouses/<id>'

/** Properties that mean something here. */
const understood = [
  'httppath',
  'ssl',
  'transportmode',
  'authmech',
  'auth_flow',
  'auth_accesstoken',
  'uid',
  'pwd',
  'oauth2clientid',
  'oauth2secret',
  'conncatalog',
  'connschema',
]
/** Properties of the Java client's own ways, which change neither what is asked nor who asks. */
const withoutMeaning = ['enablearrow', 'usenativequery', 'loglevel', 'logpath', 'useragententry', 'enabletelemetry']

/**
 * Reads the field's variables: a URL as Databricks' connection details show it for JDBC, and what is not in it.
 *
 * @throws QueryServiceError `source_misconfigured`, naming the variable
 */
export function readSettings(source: DataSource): DatabricksSettings {
  const { settings } = source
  const wrong = (reason: string) => problems.sourceMisconfigured(`${source.variablePrefix}${urlVariable}`, reason)
  const written = readRequired(source, urlVariable, `the JDBC URL of a SQL warehouse: ${urlForm}`)
  const [, host, port = '443', path = '', list = ''] =
    /^jdbc:(?:databricks|spark):\/\/([\w.-]+)(?::(\d{1,5}))?(?:\/(\w*))?((?:;[^;]*)*)$/i.exec(written) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw wrong(`it is not of the form ${urlForm}.`)
  const properties = readProperties(list, wrong)
  if (properties.get('ssl') === '0') throw wrong('tokens are sent by encrypted connections only. Take ssl=0 out.')
  return {
    host,
    port: Number(port),
    ssl: readSsl(source) || { rejectUnauthorized: true },
    warehouse: readWarehouse(properties.get('httppath'), wrong),
    catalog: settings.DB_DATABRICKS_CATALOG || properties.get('conncatalog'),
    schema: settings.DB_NAME || properties.get('connschema') || path || undefined,
    signIn: readSignIn(source, properties, wrong),
  }
}

type Wrong = (reason: string) => Error

function readProperties(list: string, wrong: Wrong): ReadonlyMap<string, string> {
  const properties = new Map<string, string>()
  for (const property of list.split(';')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(property.trim()) ?? []
    if (name === '') continue
    const known = name.toLowerCase()
    if (withoutMeaning.includes(known)) continue
    if (!understood.includes(known)) throw wrong(`the property "${name}" is not understood. Take it out.`)
    if (value !== '') properties.set(known, value)
  }
  return properties
}

function readWarehouse(path: string | undefined, wrong: Wrong): string {
  const [, id] = /^\/?sql\/1\.0\/(?:warehouses|endpoints)\/(\w+)\/?$/.exec(path ?? '') ?? []
  if (id !== undefined) return id
  const reason = path?.includes('protocolv1')
    ? 'its httpPath is that of a cluster, which cannot be asked over HTTP. Take that of a SQL warehouse'
    : 'its httpPath does not name a SQL warehouse'
  throw wrong(`${reason}: /sql/1.0/warehouses/<id>.`)
}

function readSignIn(source: DataSource, properties: ReadonlyMap<string, string>, wrong: Wrong): SignIn {
  const { settings, variablePrefix } = source
  const mechanism = properties.get('authmech') ?? '3'
  const flow = properties.get('auth_flow') ?? '0'
  if (!['3', '11'].includes(mechanism) || !['0', '1'].includes(flow)) {
    throw wrong(`AuthMech=${mechanism} with Auth_Flow=${flow} needs a browser or another server. Sign in with a token.`)
  }
  const user = properties.get('uid') ?? 'token'
  if (mechanism === '3' && user !== 'token') throw wrong('UID is not "token". Databricks takes tokens, not passwords.')
  const token = settings.DB_DATABRICKS_TOKEN || properties.get('pwd') || properties.get('auth_accesstoken')
  const clientId = settings.DB_DATABRICKS_OAUTH_CLIENT_ID || properties.get('oauth2clientid')
  const clientSecret = settings.DB_DATABRICKS_OAUTH_CLIENT_SECRET || properties.get('oauth2secret')
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
  if (clientId !== undefined || clientSecret !== undefined) {
    const absent = clientId === undefined ? 'ID' : 'SECRET'
    const variable = `${variablePrefix}DB_DATABRICKS_OAUTH_CLIENT_${absent}`
    throw problems.sourceMisconfigured(variable, 'set it too: a service principal has an id and a secret.')
  }
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return { token }
  throw problems.sourceMisconfigured(
    `${variablePrefix}DB_DATABRICKS_TOKEN`,
    'set it to a token of a user or service principal that can read the tables of the model and use the warehouse.',
  )
}
