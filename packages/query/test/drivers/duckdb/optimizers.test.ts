import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { openLocked } from '../../../src/drivers/duckdb/open-locked.ts'

test('the optimizer rule that gives wrong rows is off (duckdb/duckdb#25819)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedron-optimizers-'))
  try {
    const source = readDataSources({}, { dataDirectory: folder }).get('default')
    const { instance } = await openLocked(
      source,
      { databasePath: undefined, memoryBytes: undefined, schema: undefined },
      { memoryBytes: 2 ** 30, threads: 2 },
    )
    const connection = await instance.connect()
    const reader = await connection.runAndReadAll("select current_setting('disabled_optimizers')")
    expect(String(reader.getRowsJson()[0]?.[0]).toLowerCase()).toContain('common_subplan')
    connection.closeSync()
    instance.closeSync()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
