import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Column,
  createEngines,
  createQueryService,
  createRollupFiles,
  type QueryService,
} from '../../src/index.ts'
import { engineProcesses } from '../support/engine-processes.ts'

let directory: string
let service: QueryService
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hedron-rollups-'))
  service = createQueryService({ now: Date.now })
})
afterAll(async () => {
  await service.close()
  await rm(directory, { recursive: true, force: true })
})

const engines = createEngines()
afterAll(() => engines.close())
const files = () => createRollupFiles(join(directory, 'rollups'), engines)
const column = (name: string, type: Column['type'], databaseType: string): Column => ({ name, type, databaseType })
const options = { sortBy: [], timeColumn: null, maximumBytes: 1e9, signal: new AbortController().signal }

const read = (deploymentId: number, sql: string) =>
  service.run({
    pool: `deployment ${deploymentId}`,
    source: files().source(deploymentId),
    sql,
    parameters: [],
    cache: 'no-cache',
    refresh: { everyMs: 0 },
    maximumRows: 100_000,
    requestId: 'test',
  })

test('what is written is read with every digit, and with the types that the source computes with', async () => {
  const columns = [
    column('text', 'string', 'VARCHAR'),
    column('flag', 'boolean', 'BOOLEAN'),
    column('small', 'integer', 'INTEGER'),
    column('huge', 'integer', 'HUGEINT'),
    column('exact', 'decimal', 'DECIMAL(18,3)'),
    column('numeric', 'decimal', 'numeric'),
    column('ratio', 'double', 'DOUBLE'),
    column('day', 'date', 'DATE'),
    column('at', 'timestamp', 'TIMESTAMP'),
    column('id', 'string', 'UUID'),
  ]
  const rows = [
    [
      'a\'"\u0000é',
      true,
      '1',
      '170141183460469231731687303715',
      '1.250',
      '-12.5',
      '0.1',
      '2024-02-29T00:00:00.000',
      '2024-02-29T23:59:59.999',
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    ],
    [null, false, null, null, null, '3.125', '1e+300', null, '1969-12-31T00:00:00.001', null],
    [null, null, '-5', '0', '-0.001', null, null, null, null, null],
  ]
  const written = await files().write(
    1,
    { columns, portions: [rows.slice(0, 1), rows.slice(1)] },
    { ...options, file: 'a.parquet' },
  )
  expect(written).toMatchObject({ rows: 3 })
  const select = written.columns.map(({ name, type }) => `CAST("${name}" AS ${type}) AS "${name}"`).join(', ')
  const answer = await read(1, `SELECT ${select} FROM read_parquet(['a.parquet']) ORDER BY flag DESC NULLS LAST`)
  expect(answer.columns.map(({ databaseType }) => databaseType)).toEqual([
    'VARCHAR',
    'BOOLEAN',
    'BIGINT',
    'HUGEINT',
    'DECIMAL(18,3)',
    'DECIMAL(38,3)',
    'DOUBLE',
    'DATE',
    'TIMESTAMP',
    'UUID',
  ])
  const [first, second, third] = rows
  expect(answer.rows).toEqual([first?.with(5, '-12.500'), second?.with(5, '3.125'), third])
})

test('a sum of whole numbers is read as one, however many digits it has', async () => {
  const columns = [column('sum', 'integer', 'HUGEINT')]
  for (const [file, value] of [
    ['few.parquet', '-999999999999999999'],
    ['many.parquet', '-99999999999999999999'],
  ] as const) {
    const written = await files().write(8, { columns, portions: [[[value], [null]]] }, { ...options, file })
    expect(written.columns).toEqual([{ name: 'sum', type: 'HUGEINT' }])
    const { rows } = await read(8, `SELECT sum(CAST("sum" AS HUGEINT)) FROM read_parquet(['${file}'])`)
    expect(rows).toEqual([[value]])
  }
})

test('a file is there whole or not at all', async () => {
  const columns = [column('n', 'integer', 'BIGINT')]
  const failing = async function* () {
    yield [['1']]
    throw new Error('the source broke')
  }
  await expect(files().write(2, { columns, portions: failing() }, { ...options, file: 'b.parquet' })).rejects.toThrow(
    'the source broke',
  )
  await expect(
    files().write(2, { columns, portions: [[['no number']]] }, { ...options, file: 'b.parquet' }),
  ).rejects.toMatchObject({ code: 'query_failed' })
  await expect(
    files().write(2, { columns, portions: [[['1']]] }, { ...options, file: 'b.parquet', maximumBytes: 10 }),
  ).rejects.toThrow('may take 10')
  const aborted = AbortSignal.abort(new Error('stopped'))
  await expect(
    files().write(2, { columns, portions: [[['1']]] }, { ...options, file: 'b.parquet', signal: aborted }),
  ).rejects.toThrow('stopped')
  expect((await readdir(join(directory, 'rollups', '2'))).filter(name => name !== 'spill')).toEqual([])
  expect(await files().has(2, 'b.parquet')).toBe(false)
})

test('a process that ends while it writes leaves nothing, and the next file is written by another', async () => {
  const columns = [column('n', 'integer', 'BIGINT')]
  const all = createRollupFiles(join(directory, 'rollups'))
  const before = new Set(engineProcesses().map(({ pid }) => pid))
  const killed = new Set<number>()
  async function* killing() {
    yield [['1']]
    for (const { pid } of engineProcesses()) {
      if (before.has(pid)) continue
      process.kill(pid, 'SIGKILL')
      killed.add(pid)
    }
    for (let row = 0; row < 100; row++) yield [['2']]
  }
  const writing = all.write(18, { columns, portions: killing() }, { ...options, file: 'e.parquet' })
  await expect(writing).rejects.toMatchObject({ name: 'QueryServiceError', code: 'query_failed' })
  // One that was kept ready was killed too, and is not to be taken before that is known.
  const dying = () => engineProcesses().filter(({ pid }) => killed.has(pid))
  await expect.poll(dying, { timeout: 20_000 }).toEqual([])
  const left = await readdir(join(directory, 'rollups', '18'))
  expect(left.filter(name => name !== 'spill')).toEqual([])
  expect(await all.write(18, { columns, portions: [[['3']]] }, { ...options, file: 'e.parquet' })).toMatchObject({
    rows: 1,
  })
})

test('columns that would be computed with otherwise are refused', async () => {
  for (const [type, databaseType] of [
    ['json', 'JSON'],
    ['binary', 'BLOB'],
    ['interval', 'INTERVAL'],
    ['string', "ENUM('b', 'a')"],
  ] as const) {
    const writing = files().write(
      3,
      { columns: [column('x', type, databaseType)], portions: [] },
      { ...options, file: 'c.parquet' },
    )
    await expect(writing).rejects.toThrow(`can't keep the column "x" of type ${databaseType}`)
  }
})

test("one deployment's source reads no file of another, and writes none", async () => {
  const columns = [column('n', 'integer', 'BIGINT')]
  await files().write(4, { columns, portions: [[['4']]] }, { ...options, file: 'secret.parquet' })
  await files().write(5, { columns, portions: [[['5']]] }, { ...options, file: 'own.parquet' })
  expect((await read(5, "SELECT n FROM read_parquet('own.parquet')")).rows).toEqual([['5']])
  for (const sql of [
    "SELECT * FROM read_parquet('../4/secret.parquet')",
    `SELECT * FROM read_parquet('${join(directory, 'rollups', '4', 'secret.parquet')}')`,
    "COPY (SELECT 1) TO 'own.parquet'",
  ]) {
    await expect(read(5, sql)).rejects.toMatchObject({ name: 'QueryServiceError' })
  }
})

test('what a killed process left is swept, and a deployment goes with its files', async () => {
  const columns = [column('n', 'integer', 'BIGINT')]
  const all = files()
  await all.write(6, { columns, portions: [[['6']]] }, { ...options, file: 'kept.parquet' })
  await writeFile(join(directory, 'rollups', '6', 'half.parquet.tmp'), 'PAR1')
  await all.sweep(6, new Set(['kept.parquet']))
  expect(await readdir(join(directory, 'rollups', '6'))).toEqual(['kept.parquet'])
  expect(await all.deployments()).toContain(6)
  await all.drop(6)
  expect(await all.deployments()).not.toContain(6)
  await all.sweep(77, new Set())
  expect(await createRollupFiles(join(directory, 'nowhere')).deployments()).toEqual([])
})

test('rows of many portions are written and sorted', async () => {
  const columns = [column('n', 'integer', 'BIGINT'), column('text', 'string', 'VARCHAR')]
  const portions = function* () {
    for (let from = 0; from < 400_000; from += 10_000) {
      yield Array.from({ length: 10_000 }, (_, position) => [String(from + position), `${from + position}`.repeat(20)])
    }
  }
  const written = await files().write(
    7,
    { columns, portions: portions() },
    { ...options, file: 'd.parquet', sortBy: ['text'] },
  )
  expect(written.rows).toBe(400_000)
  expect((await read(7, "SELECT count(*), sum(n) FROM read_parquet('d.parquet')")).rows).toEqual([
    ['400000', '79999800000'],
  ])
})
