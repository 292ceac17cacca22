// DuckDB alone, with the settings of Hedron's driver: reads statements from the parent, runs them, says how long each took.
import { availableParallelism } from 'node:os'
import { DuckDBInstance } from '@duckdb/node-api'
import * as z from 'zod'

const Request = z.object({ sql: z.string(), parameters: z.array(z.union([z.string(), z.number()])) })

const instance = await DuckDBInstance.create(':memory:', {
  threads: String(availableParallelism()),
  memory_limit: `${2 ** 30}B`,
})
const connection = await instance.connect()
await connection.run("SET TimeZone = 'UTC'")

process.on('message', async message => {
  try {
    const { sql, parameters } = Request.parse(message)
    const began = performance.now()
    const prepared = await connection.prepare(sql)
    for (const [index, parameter] of parameters.entries()) {
      if (typeof parameter === 'string') prepared.bindVarchar(index + 1, parameter)
      else if (Number.isSafeInteger(parameter)) prepared.bindBigInt(index + 1, BigInt(parameter))
      else prepared.bindDouble(index + 1, parameter)
    }
    const rows = (await prepared.runAndReadAll()).getRows()
    process.send?.({ milliseconds: performance.now() - began, rows: rows.length })
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) })
  }
})
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
