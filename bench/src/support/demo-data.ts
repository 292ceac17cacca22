import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Platform } from './platform.ts'

/** The data folder of a platform's one deployment. */
export async function demoData({ dataDirectory }: Platform): Promise<string> {
  const folder = join(dataDirectory, 'deployments')
  const [id] = await readdir(folder)
  if (id === undefined) throw new Error(`there is no deployment in ${folder}`)
  return join(folder, id, 'data')
}
