import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder for the tests of a file, and programs in it. */
export interface Bench {
  readonly folder: string
  /** Writes a program of `sh` commands. @returns its path. */
  program(name: string, commands: string): Promise<string>
}

export function useFolder(): Bench {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hedron-dbt-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return {
    get folder() {
      return folder
    },
    async program(name, commands) {
      const path = join(folder, name)
      await writeFile(path, `#!/bin/sh\n${commands}\n`)
      await chmod(path, 0o755)
      return path
    },
  }
}

/** Whether a process of this id is there and runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits until a process is gone; a second at most. */
export async function untilGone(pid: number): Promise<boolean> {
  for (let count = 0; count < 200 && isAlive(pid); count += 1) await new Promise(resolve => setTimeout(resolve, 25))
  return !isAlive(pid)
}
