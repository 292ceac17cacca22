import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What reads SQL of databases that are not here, ClickHouse's engine and a translator of dialects, and a grammar of PowerShell. */
const packages = ['sqlglot==30.30.0', 'chdb-core==26.9.0', 'tree-sitter==0.26.1', 'tree-sitter-powershell==0.26.4']

/**
 * A Python with those packages, in the user's cache. It is half a gigabyte, so it is made in CI and for who asks for it by
 * `HEDRON_TEST_PYTHON=install`; another value is such a Python itself. Null where there is none.
 */
export function setUpPython(say: (message: string) => void): string | null {
  const { HEDRON_TEST_PYTHON: given, CI, XDG_CACHE_HOME } = process.env
  if (given && given !== 'install') return given
  const folder = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hedron', `test-python-${packages.join('-')}`)
  const python = join(folder, 'bin', 'python')
  if (hasPackages(python)) return python
  if (!CI && given !== 'install') return null
  say(`Making a Python with ${packages.join(' and ')} in ${folder} ...`)
  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 10 * 60_000 }).status === 0
  const isMade =
    run('python3', ['-m', 'venv', '--clear', folder]) &&
    run(python, ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', '--no-deps', ...packages])
  if (isMade && hasPackages(python)) return python
  say('That Python could not be made.')
  return null
}

const hasPackages = (python: string) =>
  existsSync(python) &&
  spawnSync(python, ['-c', 'import sqlglot, chdb, tree_sitter_powershell'], { timeout: 60_000 }).status === 0
