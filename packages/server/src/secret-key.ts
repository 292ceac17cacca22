import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from './config.ts'

/**
 * The key that secrets are sealed under: made once in the data directory, readable by its owner alone. Losing it loses every
 * sealed value, so it is never written over.
 *
 * @throws {ConfigError} where the directory or the key cannot be used.
 */
export async function readOrMakeSecretKey(dataDirectory: string): Promise<Buffer> {
  const path = join(dataDirectory, 'secret.key')
  const text = await readOrMake(path).catch(error => {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new ConfigError(
      `The data directory ${dataDirectory} cannot be used: ${error.message}. Start as the user whose it is, or set HEDRON_DATA_DIR to another.`,
      { cause: error },
    )
  })
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new ConfigError(`${path} does not hold a key of 64 hexadecimal digits. Restore it from a backup.`)
  }
  return Buffer.from(text, 'hex')
}

async function readOrMake(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    // A link fails where the key is there already, and puts it there whole where it is not.
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  return (await readFile(path, 'utf8')).trim()
}
