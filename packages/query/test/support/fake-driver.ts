import type { DataSource } from '../../src/shapes/data-source.ts'
import type { Driver, RowSink, Statement } from '../../src/shapes/driver.ts'
import type { Cell } from '../../src/shapes/query.ts'

/** A query that a fake database is working on until the test ends it. */
export interface FakeRun {
  readonly source: DataSource
  readonly statement: Statement
  readonly signal: AbortSignal
  /** Where a test that streams puts its rows itself, before `answer` ends them. */
  readonly sink: RowSink
  /** Ends it with one column of rows. */
  answer(...values: Cell[]): void
  fail(error: Error): void
}

export interface FakeDriver extends Driver {
  readonly runs: FakeRun[]
  readonly opened: DataSource[]
  closed: number
  /** When set, a query ends as soon as it begins, with this. */
  immediately: ((statement: Statement) => Cell[]) | undefined
  openFails: Error | undefined
}

/** A database by the public driver interface whose answers are given by hand. */
export function createFakeDriver(options: { type?: string; embedded?: boolean } = {}): FakeDriver {
  const driver: FakeDriver = {
    type: options.type ?? 'fake',
    embedded: options.embedded ?? false,
    defaultConcurrency: 4,
    runs: [],
    opened: [],
    closed: 0,
    immediately: undefined,
    openFails: undefined,
    check() {},
    async open(source) {
      driver.opened.push(source)
      if (driver.openFails) throw driver.openFails
      return {
        stream(statement, sink, signal) {
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const finish = async (values: readonly Cell[]) => {
            sink.columns([{ name: 'value', type: 'string', databaseType: 'TEXT' }])
            await sink.rows(values.map(value => [value]))
          }
          const answer = (...values: Cell[]) => void finish(values).then(resolve, reject)
          driver.runs.push({
            source,
            statement,
            signal,
            sink,
            answer,
            fail: reject,
          })
          if (driver.immediately) answer(...driver.immediately(statement))
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          return promise
        },
        async test() {
          if (driver.openFails) throw driver.openFails
        },
        async close() {
          driver.closed += 1
        },
      }
    },
  }
  return driver
}
