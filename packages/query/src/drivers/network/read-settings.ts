import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'

/** Where a database server is and who asks it. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string | undefined
  /** `false`: the connection is not encrypted. */
  readonly ssl: false | Encryption
}

export interface Encryption {
  /** Whether the server's certificate and the name in it are checked. */
  readonly rejectUnauthorized: boolean
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
}

/** Reads the variables that all database servers share. @throws QueryServiceError `source_misconfigured`, naming the variable */
export function readServerSettings(source: DataSource, defaultPort: number): ServerSettings {
  const { settings } = source
  return {
    host: readRequired(source, 'DB_HOST', 'the host name of the database server, or the folder of its socket'),
    port: readPort(source, defaultPort),
    database: readRequired(source, 'DB_NAME', 'the name of the database'),
    user: readRequired(source, 'DB_USER', 'a user that can read the tables of the model'),
    password: settings.DB_PASS || undefined,
    ssl: readSsl(source),
  }
}

/** @throws QueryServiceError `source_misconfigured`, naming the variable and what to set it to */
export function readRequired({ settings, variablePrefix }: DataSource, name: string, what: string): string {
  const value = settings[name]?.trim()
  if (value && !value.includes('\0')) return value
  throw problems.sourceMisconfigured(`${variablePrefix}${name}`, `set it to ${what}.`)
}

/** @throws QueryServiceError `source_misconfigured` */
export function readPort({ settings, variablePrefix }: DataSource, defaultPort: number): number {
  const value = settings.DB_PORT?.trim()
  if (!value) return defaultPort
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (port >= 1 && port <= 65_535) return port
  throw problems.sourceMisconfigured(`${variablePrefix}DB_PORT`, `"${value}" is not a port from 1 to 65535.`)
}

/** @throws QueryServiceError `source_misconfigured` */
export function readSsl(source: DataSource): ServerSettings['ssl'] {
  const { settings } = source
  const certificates = { ca: readPem(source, 'CA'), cert: readPem(source, 'CERT'), key: readPem(source, 'KEY') }
  const rejectUnauthorized = readYesOrNo(source, 'DB_SSL_REJECT_UNAUTHORIZED', true)
  const isWanted = readYesOrNo(source, 'DB_SSL', false) || Object.values(certificates).some(text => text !== undefined)
  if (!isWanted) return false
  const { ca, cert, key } = certificates
  const servername = settings.DB_SSL_SERVERNAME
  return {
    rejectUnauthorized,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername ? { servername } : {}),
  }
}

/** @param absent what it is where nothing is written. @throws QueryServiceError `source_misconfigured` */
export function readYesOrNo({ settings, variablePrefix }: DataSource, name: string, absent: boolean): boolean {
  const value = settings[name]?.trim()
  if (!value) return absent
  if (/^(true|1|yes|on)$/i.test(value)) return true
  if (/^(false|0|no|off)$/i.test(value)) return false
  throw problems.sourceMisconfigured(`${variablePrefix}${name}`, `"${value}" is neither true nor false.`)
}

/** The text itself: a path would be one of this server, which deployments have no business to read. */
function readPem({ settings, variablePrefix }: DataSource, name: 'CA' | 'CERT' | 'KEY'): string | undefined {
  const value = settings[`DB_SSL_${name}`]
  if (!value) return undefined
  // Values of variables often come with their line ends written as \n.
  const text = value.replaceAll('\\n', '\n')
  if (text.includes('-----BEGIN ')) return text
  throw problems.sourceMisconfigured(
    `${variablePrefix}DB_SSL_${name}`,
    'it is not the text of a PEM file, which begins with "-----BEGIN". Paste the text itself; paths are not read.',
  )
}
