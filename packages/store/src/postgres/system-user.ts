import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../store-error.ts'
import type { Owner } from './files.ts'

/** A user of the operating system to run the server as, because it refuses to run as root. */
export interface SystemUser extends Owner {
  readonly name: string
}

/** In order of preference; the second is what macOS calls the first. */
const unprivilegedNames = ['postgres', '_postgres', 'nobody']

/** Finds the user to run the server as in the text of /etc/passwd. */
export function findUnprivilegedUser(passwd: string): SystemUser | undefined {
  const users = parseUsers(passwd)
  for (const name of unprivilegedNames) {
    const user = users.find(candidate => candidate.name === name && candidate.uid !== 0)
    if (user !== undefined) return user
  }
  return undefined
}

/** Names a user by uid; PostgreSQL itself needs the name to exist. */
export function findUserOf(passwd: string, { uid, gid }: Owner): SystemUser {
  return parseUsers(passwd).find(user => user.uid === uid) ?? { name: String(uid), uid, gid }
}

function parseUsers(passwd: string): SystemUser[] {
  return passwd.split('\n').flatMap(line => {
    const [name, , uid, gid] = line.split(':')
    if (name === undefined || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}

export async function readUsers(): Promise<string> {
  try {
    return await readFile('/etc/passwd', 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/** Whether a user may pass through a folder and every folder above it. Looks at owner, group and mode, not at ACLs. */
export async function canEnter(path: string, user: Owner): Promise<boolean> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
