import { describe, expect, test } from 'vitest'
import { createEngines } from '../../src/engine/engines.ts'
import { type Cell, type Column, type Computation, createQueryService, type RowStream } from '../../src/index.ts'

const engines = createEngines({ computeBytes: 128 * 2 ** 20 })
const service = createQueryService({ now: Date.now, engines, limits: { stallMs: 300 } })

/** Rows as a source would give them. */
function streamOf(
  columns: readonly Column[],
  portions: readonly (readonly (readonly Cell[])[])[],
): RowStream & { isClosed(): boolean } {
  let closed = false
  return {
    columns,
    close() {
      closed = true
    },
    isClosed: () => closed,
    async *[Symbol.asyncIterator]() {
      yield* portions
    },
  }
}

const integer: Column = { name: 'x', type: 'integer', databaseType: 'BIGINT' }
const numbers = (...values: readonly (string | null)[]) => streamOf([integer], [values.map(value => [value])])

const run = (
  sql: string,
  tables: Computation['tables'] = [],
  parameters: readonly string[] = [],
  signal = new AbortController().signal,
) => service.compute({ pool: 'test', requestId: 'some', tables, sql, parameters, timeoutMs: 20_000 }, signal)

async function rowsOf(stream: RowStream): Promise<(readonly Cell[])[]> {
  const rows: (readonly Cell[])[] = []
  for await (const portion of stream) rows.push(...portion)
  return rows
}

describe('a computation', () => {
  test('has tables of what it is given, of several sources', async () => {
    const [left, right] = [numbers('1', '2', null), numbers('2', '3')]
    const tables = [
      { name: 'p1', columns: ['c1'], open: async () => left },
      { name: 'p2', columns: ['c1'], open: async () => right },
    ]
    expect(
      await rowsOf(await run('SELECT sum(p1.c1), count(p2.c1) FROM p1 FULL JOIN p2 ON p1.c1 = p2.c1', tables)),
    ).toEqual([['3', '2']])
    expect([left.isClosed(), right.isClosed()]).toEqual([true, true])
  })

  test('keeps every digit and every type', async () => {
    const columns: Column[] = [
      { name: 'a', type: 'integer', databaseType: 'HUGEINT' },
      { name: 'b', type: 'decimal', databaseType: 'DECIMAL(18,3)' },
      { name: 'c', type: 'timestamp', databaseType: 'TIMESTAMP' },
      { name: 'd', type: 'boolean', databaseType: 'BOOLEAN' },
      { name: 'e', type: 'string', databaseType: 'VARCHAR' },
    ]
    const row = ['170141183460469231731687303715884105727', '0.001', '2024-02-29T23:59:59.123', true, `it's "quoted"`]
    const table = {
      name: 'p1',
      columns: ['c1', 'c2', 'c3', 'c4', 'c5'],
      open: async () => streamOf(columns, [[row, [null, null, null, null, null]]]),
    }
    expect(await rowsOf(await run('SELECT * FROM p1', [table]))).toEqual([row, [null, null, null, null, null]])
  })

  test('takes more rows than one portion', async () => {
    const portion = Array.from({ length: 5_000 }, (_, index) => [String(index)])
    const table = { name: 'p1', columns: ['c1'], open: async () => streamOf([integer], [portion, portion, portion]) }
    expect(await rowsOf(await run('SELECT count(*), max(c1) FROM p1', [table]))).toEqual([['15000', '4999']])
  })

  test.each([
    `SELECT * FROM read_text('/etc/passwd')`,
    `SELECT * FROM '/etc/passwd'`,
    `SELECT * FROM read_csv('https://example.com/x.csv')`,
  ])('can read no file and no network: %s', async sql => {
    await expect(run(sql)).rejects.toMatchObject({ name: 'QueryServiceError', code: 'query_failed' })
  })

  test('does not write', async () => {
    await expect(run('CREATE TABLE x AS SELECT 1')).rejects.toMatchObject({ code: 'statement_refused' })
  })

  test('has nothing of another one', async () => {
    await rowsOf(await run('SELECT * FROM p1', [{ name: 'p1', columns: ['c1'], open: async () => numbers('1') }]))
    await expect(run('SELECT * FROM p1')).rejects.toMatchObject({ code: 'query_failed' })
  })

  test('ends with the error of a table', async () => {
    const failing = { name: 'p1', columns: ['c1'], open: () => Promise.reject(new Error('the source is gone')) }
    await expect(run('SELECT * FROM p1', [failing])).rejects.toThrow('the source is gone')
  })

  test.each([
    ['SELECT 9223372036854775807 + 1', /Overflow/],
    ['SELECT CAST(300 AS TINYINT)', /out of range|TINYINT|INT8/],
    ["SELECT CAST('x' AS INTEGER)", /Could not convert/],
    ['SELECT ln(-1)', /logarithm/],
    ["SELECT error('as it says')", /as it says/],
  ])('that fails by its values says why: %s', async (sql, reason) => {
    await expect(run(sql).then(rowsOf)).rejects.toMatchObject({
      code: 'query_failed',
      message: expect.stringMatching(reason),
    })
  })

  test('that takes too much memory is an error', async () => {
    const stream = run('SELECT list(a.range) FROM range(100000000) a GROUP BY a.range % 3')
    await expect(stream.then(rowsOf)).rejects.toMatchObject({ code: 'memory_exceeded' })
  })

  test('ends when who asked goes away', async () => {
    const gone = new AbortController()
    const stream = run('SELECT count(*) FROM range(100000000) a, range(1000000) b', [], [], gone.signal)
    setTimeout(() => gone.abort(), 50)
    await expect(stream.then(rowsOf)).rejects.toMatchObject({ code: 'query_cancelled' })
  })

  describe('that has no end', () => {
    const endless = (changes: Partial<Computation>) => {
      const sql = 'SELECT max(hash(a.range, b.range)) FROM range(1000000) AS a CROSS JOIN range(10000000) AS b'
      const of = { pool: 'test', requestId: 'endless-span-1', tables: [], sql, parameters: [], timeoutMs: 600_000 }
      return service.compute({ ...of, ...changes })
    }
    const isFree = () =>
      expect.poll(() => service.statistics(), { timeout: 10_000 }).toMatchObject({ running: 0, streams: 0 })

    test('ends when its time is over', async () => {
      await expect(endless({ timeoutMs: 100 })).rejects.toMatchObject({ code: 'query_timeout' })
      await isFree()
    })

    test('ends when its request is cancelled by its owner, and nobody else', async () => {
      const stopped = expect(endless({ owner: 'ada' })).rejects.toMatchObject({ code: 'query_cancelled' })
      await expect.poll(() => service.statistics()).toMatchObject({ running: 1, streams: 1 })
      expect(service.cancel('test', 'endless', 'eve')).toEqual({ found: 0, stopped: 0 })
      expect(service.cancel('other', 'endless', 'ada')).toEqual({ found: 0, stopped: 0 })
      expect(service.cancel('test', 'endless', 'ada')).toEqual({ found: 1, stopped: 1 })
      await stopped
      await isFree()
    })

    test('ends when its deployment is gone', async () => {
      const stopped = expect(endless({})).rejects.toMatchObject({ code: 'query_cancelled' })
      await expect.poll(() => service.statistics()).toMatchObject({ running: 1 })
      await service.forget('test')
      await stopped
      await isFree()
    })
  })

  test('ends when nobody reads its rows', async () => {
    const stream = await run('SELECT * FROM range(1000000)')
    const iterator = stream[Symbol.asyncIterator]()
    await iterator.next()
    await new Promise(resolve => setTimeout(resolve, 900))
    await expect(rowsOf(stream)).rejects.toMatchObject({ code: 'query_cancelled' })
  })
})
