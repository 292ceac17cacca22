import { startTestServer } from './testing.ts'

/**
 * For `globalSetup` of vitest: one server for a whole run, unless `HEDRON_TEST_DATABASE_URL` names one already. Vitest calls
 * what is returned when the run is over.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.HEDRON_TEST_DATABASE_URL) return undefined
  const server = await startTestServer()
  process.env.HEDRON_TEST_DATABASE_URL = server.url
  return async () => {
    delete process.env.HEDRON_TEST_DATABASE_URL
    await server.stop()
  }
}
