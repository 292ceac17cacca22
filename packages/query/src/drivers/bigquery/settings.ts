import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { readRequired } from '../network/read-settings.ts'

export interface BigQuerySettings {
  readonly projectId: string
  readonly location: string | undefined
  readonly credentials: { readonly client_email: string; readonly private_key: string }
}

/** @throws QueryServiceError `source_misconfigured`, naming the variable */
export function readSettings(source: DataSource): BigQuerySettings {
  const { settings, variablePrefix } = source
  if (settings.DB_BQ_KEY_FILE) {
    throw problems.sourceMisconfigured(
      `${variablePrefix}DB_BQ_KEY_FILE`,
      'paths are not read. Put the content of the file into DB_BQ_CREDENTIALS.',
    )
  }
  return {
    projectId: readRequired(
      source,
      'DB_BQ_PROJECT_ID',
      'the id of the Google Cloud project that queries are billed to',
    ),
    location: settings.DB_BQ_LOCATION || undefined,
    credentials: readCredentials(source),
  }
}

/** Only the two members that sign: others could name files or addresses for this server to read. */
function readCredentials(source: DataSource): BigQuerySettings['credentials'] {
  const what = 'the key of a service account, as JSON or as JSON in base64'
  const text = readRequired(source, 'DB_BQ_CREDENTIALS', what)
  const json = text.startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8')
  try {
    const key: unknown = JSON.parse(json)
    const email = typeof key === 'object' && key !== null && 'client_email' in key ? key.client_email : undefined
    const secret = typeof key === 'object' && key !== null && 'private_key' in key ? key.private_key : undefined
    if (typeof email === 'string' && typeof secret === 'string') return { client_email: email, private_key: secret }
  } catch {
    // Said below, as for JSON that is something else.
  }
  throw problems.sourceMisconfigured(`${source.variablePrefix}DB_BQ_CREDENTIALS`, `it is not ${what}.`)
}
