import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A Python with sqlglot, and with chdb where ClickHouse is to be tried; else the one on the path. */
const python = process.env.HEDRON_TEST_PYTHON ?? 'python3'

export const hasPython = (module: 'sqlglot' | 'chdb') =>
  spawnSync(python, ['-c', `import ${module}`], { timeout: 60_000 }).status === 0

/** Runs a script of this folder, which reads JSON and writes JSON. */
export function runPython(script: string, input: unknown): unknown {
  const { status, stdout, stderr } = spawnSync(python, [join(import.meta.dirname, script)], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 120_000,
  })
  if (status !== 0) throw new Error(`${script} failed: ${stderr.slice(-2000)}`)
  return JSON.parse(stdout)
}
