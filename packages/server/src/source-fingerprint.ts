import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Changes whenever any source file of a package does; read once at start. */
export function sourceFingerprint(packageName: string): string {
  const folder = dirname(fileURLToPath(import.meta.resolve(packageName)))
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const name of names)
    hash
      .update(`${name.slice(folder.length)}\0`)
      .update(readFileSync(name))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}
