import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Where a person who cloned the project and typed `npm start` stands. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs what a person would copy into a shell. @param home keeps their settings out of it. */
export async function runCommand(command: string, home: string): Promise<Finished> {
  const child = spawn('sh', ['-c', command], {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { code, stdout, stderr }
}
