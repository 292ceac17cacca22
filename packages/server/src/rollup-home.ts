import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRollupFiles, type Engines, type RollupFiles } from '@hedron/query'

/**
 * `<data directory>/rollups/<deployment id>`: the rollups of this node, and its name in `rollups/node`, which says in the database
 * whose files are meant. Every node has a data directory of its own.
 */
export async function openRollupHome(
  dataDirectory: string,
  engines: Engines,
): Promise<{ files: RollupFiles; node: string }> {
  const directory = join(dataDirectory, 'rollups')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  return { files: createRollupFiles(directory, engines), node: await readOrMakeName(join(directory, 'node')) }
}

async function readOrMakeName(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(() => '')
  if (/^[0-9a-f]{32}$/.test(known)) return known
  const name = randomBytes(16).toString('hex')
  await writeFile(`${path}.new`, name)
  await rename(`${path}.new`, path)
  return name
}
