import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programOf } from './paths.ts'
import type { Platform } from './platform.ts'
import { runProgram } from './run-program.ts'
import type { Scope } from './scope.ts'

/** The reference npm client in a project folder, signed in as it keeps that in its own files. */
export interface ReferenceClient {
  /** @returns milliseconds of the whole program */
  deploy(): Promise<number>
}

/** @param folder of the project; what the client wants to find there is written into it, hidden or skipped by every deploy */
export async function openReferenceClient(
  scope: Scope,
  platform: Platform,
  { folder, deploymentId }: { readonly folder: string; readonly deploymentId: number },
): Promise<ReferenceClient> {
  const home = await scope.folder()
  const url = platform.baseUrl
  await mkdir(join(home, '.cubecloud'))
  await writeFile(join(home, '.cubecloud/config.json'), JSON.stringify({ auth: { [url]: { auth: platform.apiKey } } }))
  await writeFile(join(folder, '.cubecloud'), JSON.stringify({ url, deploymentId }))
  // It only looks whether this folder is there.
  await mkdir(join(folder, 'node_modules/@cubejs-backend/server-core'), { recursive: true })
  // With CI set it reports nothing to its makers, which would wait for a network.
  const environment = { HOME: home, CI: '1' }
  return {
    async deploy() {
      const argv = [process.execPath, programOf('cubejs-cli', 'cubejs'), 'deploy'] as const
      return (await runProgram(scope, argv, { environment, cwd: folder })).milliseconds
    },
  }
}
