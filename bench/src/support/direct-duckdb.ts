import * as z from 'zod'
import { peer } from './paths.ts'
import type { Scope } from './scope.ts'

export interface DirectDuckDb {
  run(statement: {
    readonly sql: string
    readonly parameters: readonly (string | number)[]
  }): Promise<{ readonly milliseconds: number; readonly rows: number }>
}

const Reply = z.union([
  z.object({ milliseconds: z.number(), rows: z.number() }),
  z.object({ failure: z.string() }),
  z.literal('ready'),
])

/** DuckDB in a process of its own, working in the folder of the data. */
export async function startDirectDuckDb(scope: Scope, folder: string): Promise<DirectDuckDb> {
  const child = scope.start(process.execPath, [peer('duckdb-direct.ts')], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const reply = () =>
    new Promise<z.infer<typeof Reply>>((resolve, reject) => {
      const gone = () => reject(new Error('DuckDB ended'))
      child.once('exit', gone)
      child.once('message', message => {
        child.off('exit', gone)
        resolve(Reply.parse(message))
      })
    })
  await reply()
  return {
    async run(statement) {
      const answer = reply()
      child.send(statement)
      const given = await answer
      if (given === 'ready') throw new Error('DuckDB said twice that it is ready')
      if ('failure' in given) throw new Error(`DuckDB alone refused the statement: ${given.failure}`)
      return given
    },
  }
}
