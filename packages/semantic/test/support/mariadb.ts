import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Statement } from '../../src/index.ts'

const server = '/usr/sbin/mariadbd'

export interface MariaDb {
  run(sql: string): string[][]
  query(statement: Statement): string[][]
  stop(): Promise<void>
}

/** Starts MariaDB of Debian in a temporary directory, without a port; null where it isn't installed. */
export async function startMariaDb(): Promise<MariaDb | null> {
  if (!existsSync(server)) return null
  const directory = await mkdtemp(join(tmpdir(), 'hedron-mariadb-'))
  const [data, socket] = [join(directory, 'data'), join(directory, 'socket')]
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const made = spawnSync('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ])
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stdout}${made.stderr}`)
  const running = spawn(
    server,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${join(directory, 'pid')}`,
      '--skip-networking',
      '--innodb-flush-log-at-trx-commit=0',
      '--default-time-zone=+00:00',
      '--sql-mode=STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY,PIPES_AS_CONCAT',
      ...user,
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise(resolve => running.once('exit', resolve))
  const client = (input: string, database: string[] = []) =>
    spawnSync(
      'mariadb',
      [
        '--no-defaults',
        `--socket=${socket}`,
        '--default-character-set=utf8mb4',
        '--batch',
        '--skip-column-names',
        '--raw',
        ...database,
      ],
      {
        input,
        encoding: 'utf8',
        timeout: 30_000,
      },
    )
  const end = () => running.kill('SIGTERM')
  process.once('exit', end)
  for (let attempt = 0; client('select 1').status !== 0; attempt++) {
    if (attempt === 300) {
      end()
      throw new Error('MariaDB did not become ready within a minute')
    }
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  client('create database hedron character set utf8mb4 collate utf8mb4_bin')
  const zones = spawnSync('mariadb-tzinfo-to-sql', ['/usr/share/zoneinfo'], { encoding: 'utf8', maxBuffer: 1e8 })
  client(zones.stdout, ['mysql'])
  const run = (sql: string) => {
    const { status, stdout, stderr } = client(sql, ['hedron'])
    if (status !== 0) throw new Error(`${stderr.trim()}\n${sql}`)
    return stdout
      .split('\n')
      .slice(0, -1)
      .map(line => line.split('\t'))
  }
  return {
    run,
    query({ sql, parameters }) {
      const values = parameters.map((value, index) => `SET @p${index} = ${literal(value)};`)
      const using = parameters.length > 0 ? ` USING ${parameters.map((_, index) => `@p${index}`).join(', ')}` : ''
      return run(`${values.join('\n')}\nPREPARE asked FROM ${literal(sql)};\nEXECUTE asked${using};\n`)
    },
    async stop() {
      end()
      process.off('exit', end)
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`
