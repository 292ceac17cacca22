import { safeMessage } from '../../safe-message.ts'
import type { DataSource } from '../../shapes/data-source.ts'

/** What went wrong, in words that can be shown: no host names and no excerpt of the SQL. */
export function shownMessage(error: unknown, { dataDirectory, settings }: DataSource): string {
  const said =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  const message = safeMessage(said, dataDirectory)
  return settings.DB_HOST ? message.replaceAll(settings.DB_HOST, '<host>') : message
}
