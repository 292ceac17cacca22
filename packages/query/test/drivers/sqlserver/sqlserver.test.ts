import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { createSqlServerDriver } from '../../../src/drivers/sqlserver/sqlserver.ts'
import { runWhole } from '../../support/run-whole.ts'

/** SQL Server cannot be had here: what needs one is not proven. */
const variables = {
  CUBEJS_DB_TYPE: 'mssql',
  CUBEJS_DB_HOST: '127.0.0.1',
  CUBEJS_DB_NAME: 'sales',
  CUBEJS_DB_USER: 'reader',
  CUBEJS_DB_PASS: 'secret',
}
const sourceOf = (changes = {}) =>
  readDataSources({ ...variables, ...changes }, { dataDirectory: '/nowhere' }).get('default')

test('no server, and one that hangs up: source_unavailable, without the address', async () => {
  const server = createServer(socket => socket.destroy())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  for (const wrong of ['1', String(port)]) {
    const opened = await createSqlServerDriver().open(sourceOf({ CUBEJS_DB_PORT: wrong }))
    const failure = opened.test(new AbortController().signal)
    await expect(failure).rejects.toMatchObject({ code: 'source_unavailable' })
    await expect(failure).rejects.not.toThrow(/127\.0\.0\.1/)
    await opened.close()
  }
})

test('a text that could end its transaction is refused before anything is sent', async () => {
  const opened = await createSqlServerDriver().open(sourceOf({ CUBEJS_DB_PORT: '1' }))
  onTestFinished(() => opened.close())
  const run = (sql: string) => runWhole(opened, { sql })
  await expect(run('SELECT 1; COMMIT; DELETE FROM t')).rejects.toMatchObject({ code: 'statement_refused' })
  await expect(run('SELECT 1 ROLLBACK')).rejects.toMatchObject({ code: 'statement_refused' })
  await expect(run('SELECT 1')).rejects.toMatchObject({ code: 'source_unavailable' })
})

test('a password is asked for', () => {
  expect(() => sourceOf({ CUBEJS_DB_PASS: '' })).toThrow('CUBEJS_DB_PASS cannot be used')
})
