import { expect, onTestFinished, test } from 'vitest'
import { createQueryService } from '../../../src/query-service.ts'
import { startBreakingPostgres } from '../../support/breaking-postgres.ts'
import { sourceOf, variablesOf } from '../../support/postgres.ts'
import { requestOf } from '../../support/service.ts'

async function connect(manner: 'breaks' | 'falls silent') {
  const server = await startBreakingPostgres(manner)
  const service = createQueryService({ now: Date.now })
  onTestFinished(async () => {
    await service.close()
    await server.close()
  })
  const source = sourceOf(variablesOf(`postgres://reader@127.0.0.1:${server.port}/shop`))
  return { server, service, request: requestOf({ source, sql: 'SELECT 1', cache: 'no-cache', waitMs: 60_000 }) }
}

test('a connection that breaks before a result is confirmed ends its query, and gives the place back', async () => {
  const { service, request } = await connect('breaks')
  await expect(service.run(request)).rejects.toMatchObject({ code: 'source_unavailable' })
  await expect.poll(() => service.statistics().running).toBe(0)
})

test('a server that says nothing more is not waited for longer than a query may run', async () => {
  const { server, service, request } = await connect('falls silent')
  await expect(service.run({ ...request, timeoutMs: 300 })).rejects.toMatchObject({ code: 'query_timeout' })
  await expect.poll(() => service.statistics().running, { timeout: 20_000 }).toBe(0)
  await expect.poll(server.connections, { timeout: 20_000 }).toBe(0)
})
