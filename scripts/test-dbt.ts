import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The dbt that real projects are parsed with. */
const packages = ['dbt-core==1.10.23', 'dbt-duckdb==1.9.6']

/**
 * A dbt in the user's cache, made in CI and for who asks for it by `HEDRON_TEST_DBT=install`; another value is the path of one.
 * Null where there is none.
 */
export function setUpDbt(say: (message: string) => void): string | null {
  const { HEDRON_TEST_DBT: given, CI, XDG_CACHE_HOME } = process.env
  if (given && given !== 'install') return given
  const folder = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hedron', `test-dbt-${packages.join('-')}`)
  const dbt = join(folder, 'bin', 'dbt')
  if (works(dbt)) return dbt
  if (!CI && given !== 'install') return null
  say(`Installing ${packages.join(' and ')} into ${folder} ...`)
  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 10 * 60_000 }).status === 0
  const isMade =
    run('python3', ['-m', 'venv', '--clear', folder]) &&
    run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', ...packages])
  if (isMade && works(dbt)) return dbt
  say('dbt could not be installed.')
  return null
}

const works = (dbt: string) => existsSync(dbt) && spawnSync(dbt, ['--version'], { timeout: 60_000 }).status === 0
