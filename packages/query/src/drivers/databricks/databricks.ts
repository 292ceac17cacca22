import { LRUCache } from 'lru-cache'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import { commented } from '../commented.ts'
import { createPortions } from '../portions.ts'
import { columnOf, createCellWriter } from './cells.ts'
import { explained } from './errors.ts'
import { readSettings } from './settings.ts'
import { createStatements, type Statements } from './statements.ts'

/** Texts that the warehouse has called queries: so many are remembered, and no longer ones. */
const rememberedTexts = 500
const longestRemembered = 20_000

/** The zones that are UTC by another name. */
const utc = /^(?:(?:Etc\/)?(?:UTC|UCT|GMT|Zulu)|Z|\+00:00)$/i

/** A Databricks SQL warehouse, by the Statement Execution API. */
export function createDatabricksDriver(): Driver {
  return {
    type: 'databricks',
    defaultConcurrency: 10,
    embedded: false,
    check(source) {
      readSettings(source)
    },
    async open(source) {
      const settings = readSettings(source)
      return openSource(source, settings.host, createStatements(settings, source))
    },
  }
}

function openSource(source: DataSource, host: string, statements: Statements): OpenSource {
  const gate = createGate(source, statements)
  async function explaining(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      signal.throwIfAborted()
      throw explained(error, source, host)
    }
  }
  return {
    stream: (statement, sink, signal) =>
      explaining(signal, async () => {
        await gate.admit(statement, signal)
        await streamStatement(statements, statement, sink, signal)
      }),
    test: signal => explaining(signal, () => gate.checkZone(signal)),
    close: async () => statements.close(),
  }
}

/** What stands before every statement, as the API has neither sessions nor transactions in which nothing can be written. */
function createGate(source: DataSource, statements: Statements) {
  const admitted = new LRUCache<string, true>({ max: rememberedTexts })
  let isUtc = false

  const admitZone = async (signal: AbortSignal) => {
    if (!isUtc) await checkZone(signal)
  }

  /** Days and hours are cut in the warehouse's zone, which only its administrator sets. */
  async function checkZone(signal: AbortSignal): Promise<void> {
    const asked = { sql: 'SELECT current_timezone()', parameters: [] }
    const { result } = await statements.run(asked, 'INLINE', signal)
    const zone = String(result.rows?.[0]?.[0])
    if (!utc.test(zone)) {
      throw problems.sourceMisconfigured(
        `${source.variablePrefix}DB_DATABRICKS_URL`,
        `the zone of its SQL warehouse is ${zone}, and days would begin at its midnight. ` +
          'Set the SQL parameter TIMEZONE of the workspace to UTC.',
      )
    }
    isUtc = true
  }

  return {
    checkZone,
    /** In brackets stands what selects and nothing else, whatever its values; without rows it costs next to nothing. */
    async admit({ sql, parameters }: Statement, signal: AbortSignal): Promise<void> {
      await admitZone(signal)
      if (admitted.has(sql)) return
      await statements.run({ sql: `SELECT * FROM (\n${sql}\n) LIMIT 0`, parameters }, 'INLINE', signal)
      if (sql.length <= longestRemembered) admitted.set(sql, true)
    },
  }
}

async function streamStatement(
  statements: Statements,
  { sql, parameters, comment }: Statement,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const asked = { sql: commented(sql, comment), parameters }
  const { id, fields, rows, pieces, isCut, result } = await statements.run(asked, 'EXTERNAL_LINKS', signal)
  if (!fields) throw problems.statementRefused('it gives no rows, and queries only read.')
  if (isCut) throw problems.queryFailed('Databricks keeps 100 GiB of a result, and this one is larger. Ask for less.')
  const writers = fields.map(createCellWriter)
  sink.columns(fields.map(columnOf))
  const portions = createPortions(sink)
  let count = 0
  for (let index = 0; index < pieces; index++) {
    const { rows: inline, link } = index === 0 ? result : await statements.piece(id, index, signal)
    const read = inline ?? (link ? await statements.read(link, signal) : [])
    for (const row of read) {
      count += 1
      const room = portions.add(writers.map((write, column) => write(row[column])))
      if (room) await room
    }
  }
  if (count !== rows) throw new Error(`${count} of ${rows} rows came`)
  await portions.end()
}
