import { constants } from 'node:fs'
import { chown, lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../store-error.ts'

/** Who a file belongs to; absent where files belong to the process anyway. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false
    throw error
  }
}

/** @returns undefined where there is no such file */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a file that only its owner reads: whole or not at all, and still there after a power loss. */
export async function writePrivate(path: string, text: string, owner?: Owner): Promise<void> {
  const staging = `${path}.${process.pid}`
  await rm(staging, { force: true })
  const file = await open(staging, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await file.writeFile(text)
    if (owner !== undefined) await file.chown(owner.uid, owner.gid)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(staging, path)
  await syncDirectory(dirname(path))
}

/** Makes what was created or renamed in a folder survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // directories can't be opened there
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function give(path: string, owner: Owner | undefined): Promise<void> {
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
}
