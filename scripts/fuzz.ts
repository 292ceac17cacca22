/** `npm run fuzz [runs] [first seed]`: the fuzz tests of the semantic engine with many more runs than `npm test` has. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [runs = '200000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
console.log(`[fuzz] ${runs} runs from seed ${seed}`)
const child = spawn(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'unit', 'packages/semantic/test/fuzz'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, HEDRON_FUZZ_RUNS: runs, HEDRON_FUZZ_SEED: seed },
  },
)
child.once('exit', code => {
  process.exitCode = code ?? 1
})
