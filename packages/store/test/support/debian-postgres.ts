import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findUnprivilegedUser } from '../../src/postgres/system-user.ts'
import { isRoot } from './directories.ts'

const programs = '/usr/lib/postgresql/15/bin'

export const hasDebianPostgres = existsSync(join(programs, 'postgres'))

/** A PostgreSQL 15 as a team would run it, on a socket in a temporary folder. */
export async function startDebianPostgres(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const user = isRoot ? findUnprivilegedUser(await readFile('/etc/passwd', 'utf8')) : undefined
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  const run = (name: string, args: string[]) =>
    promisify(execFile)(join(programs, name), args, {
      cwd: folder,
      timeout: 60_000,
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    })
  const data = join(folder, 'data')
  await run('initdb', ['-D', data, '-U', 'team', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`
  await run('pg_ctl', ['start', '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings])
  return {
    url: `postgres://team@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => void (await run('pg_ctl', ['stop', '-D', data, '-m', 'immediate', '-w'])),
  }
}
