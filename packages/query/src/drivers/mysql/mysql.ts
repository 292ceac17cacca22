import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver } from '../../shapes/driver.ts'
import { readServerSettings } from '../network/read-settings.ts'

const defaultPort = 3306

/** A MySQL or MariaDB server. */
export function createMySqlDriver(): Driver {
  return {
    type: 'mysql',
    defaultConcurrency: 4,
    embedded: false,
    check(source) {
      readSettings(source)
    },
    async open(source) {
      const { server, socketPath } = readSettings(source)
      // Loaded with its client by the first source of this kind.
      const { openSource } = await import('./open-source.ts')
      return openSource(source, server, socketPath)
    },
  }
}

function readSettings(source: DataSource) {
  const socketPath = source.settings.DB_SOCKET_PATH || undefined
  const settings = socketPath === undefined ? source.settings : { DB_HOST: 'localhost', ...source.settings }
  return { server: readServerSettings({ ...source, settings }, defaultPort), socketPath }
}
