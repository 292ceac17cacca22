import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { hasDebianPostgres, startDebianPostgres } from './debian-postgres.ts'

/** The servers that a test of SQL has to pass on: the embedded one, the oldest supported one, and one that was named. */
export const servers: { name: string; start(): Promise<TestServer> }[] = [
  { name: 'embedded PostgreSQL', start: startTestServer },
  ...(hasDebianPostgres ? [{ name: 'PostgreSQL 15', start: startOldest }] : []),
  ...(process.env.HEDRON_TEST_DATABASE_URL
    ? [
        {
          name: 'HEDRON_TEST_DATABASE_URL',
          start: async () => ({ url: process.env.HEDRON_TEST_DATABASE_URL ?? '', stop: async () => {} }),
        },
      ]
    : []),
]

async function startOldest(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hedron-oldest-'))
  const server = await startDebianPostgres(folder)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
