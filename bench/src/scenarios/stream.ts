import { request } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Scenario } from '../shapes.ts'
import { type DataClient, openDemo } from '../support/data-client.ts'
import { demoData } from '../support/demo-data.ts'
import { startDirectDuckDb } from '../support/direct-duckdb.ts'
import { interleave } from '../support/interleave.ts'
import { startPlatform } from '../support/platform.ts'
import { residentMebibytes } from '../support/process-facts.ts'
import { summarise } from '../support/statistics.ts'

const rows = 1_000_000
const statement = `SELECT origin, destination, delay, distance FROM flights LIMIT ${rows}`
const direct = {
  sql: `SELECT origin, destination, delay, distance FROM 'flights-3m.parquet' LIMIT ${rows}`,
  parameters: [],
}
/** MiB by which resident memory may rise while the rows flow, beyond what the first time left. */
const flat = 64

export const stream: Scenario = {
  name: 'stream',
  describes: `${rows} rows through cubesql, and the memory of the server meanwhile`,
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const demo = await openDemo(platform)
    const duckdb = await startDirectDuckDb(scope, await demoData(platform))
    const rises: number[] = []
    const memory = () => residentMebibytes(platform.pid)
    say(`${rows} rows`)
    const measured = await interleave(
      { rounds: quick ? 2 : 8, warmUps: 1 },
      {
        async hedron(round) {
          const before = memory()
          let most = before
          const began = performance.now()
          const count = await readRows(demo, () => {
            most = Math.max(most, memory())
          })
          const seconds = (performance.now() - began) / 1_000
          if (count !== rows) throw new Error(`${count} rows came instead of ${rows}`)
          if (round > 0) rises.push(most - before)
          return count / seconds
        },
        async duckdb() {
          const { milliseconds, rows: count } = await duckdb.run(direct)
          if (count !== rows) throw new Error(`DuckDB gave ${count} rows instead of ${rows}`)
          return count / (milliseconds / 1_000)
        },
      },
    )
    const rise = summarise(rises)
    return [
      {
        what: 'a million rows through cubesql',
        unit: 'rows/s',
        hedron: measured('hedron'),
        beside: { what: 'the same SQL read from DuckDB', summary: measured('duckdb') },
        goal: { text: 'no error', met: true },
        note: 'Four columns as JSON over HTTP, every line read; DuckDB reads them into values of JavaScript in another process.',
      },
      {
        what: 'memory that they take meanwhile',
        unit: 'MiB',
        hedron: rise,
        beside: null,
        goal: { text: `flat: at most ${flat} MiB`, met: rise.median <= flat },
        note: 'Most resident memory of the server while the rows flow, less what it was before; of all times but the first.',
      },
    ]
  },
}

/** Reads the answer as it comes and keeps none of it. @returns how many rows came */
function readRows({ cubesqlUrl, headers }: DataClient, look: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(cubesqlUrl, { method: 'POST', headers }, response => {
      let [count, rest, portions] = [0, '', 0]
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const { data, error } = JSON.parse(line)
          if (error !== undefined) return void response.destroy(new Error(String(error)))
          count += data?.length ?? 0
        }
        if (++portions % 50 === 0) look()
      })
      response.once('end', () => (rest === '' ? resolve(count) : reject(new Error(rest.slice(0, 300)))))
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end(JSON.stringify({ query: statement }))
  })
}
