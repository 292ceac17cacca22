import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { binaryName, type Target, targets } from './targets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Release {
  /** Folder with the binaries; the files of the release come to lie in it too. */
  readonly folder: string
  readonly version: string
  readonly key: KeyObject
  /** Where the files of the newest release will be found. */
  readonly address: string
}

/** The key that signs releases, Ed25519 in PEM. */
export function readSigningKey(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The signing key is not an Ed25519 key.')
  return key
}

/** The public half of a key, as binaries carry it: base64 of its DER form. */
export const publicKeyText = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')

/**
 * Makes the files of a release of the binaries in a folder: each compressed, `SHA256SUMS` over them, its signature, and the
 * installers, which know the address and the key.
 *
 * @returns the names of the files.
 */
export function publish({ folder, version, key, address }: Release): readonly string[] {
  const built = targets.filter(target => existsSync(join(folder, binaryName(target))))
  if (built.length === 0) throw new Error(`There are no binaries in ${folder}.`)
  const archives = built.map(target => compress(folder, version, target))
  const sums = archives.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), key))
  const installers = ['install.sh', 'install.ps1']
  for (const name of installers) {
    const text = readFileSync(join(root, 'packages/cli/install', name), 'utf8')
    writeFileSync(
      join(folder, name),
      text.replaceAll('@RELEASE_ADDRESS@', address).replaceAll('@RELEASE_KEY@', publicKeyText(key)),
      { mode: 0o755 },
    )
  }
  return [...archives.map(({ name }) => name), 'SHA256SUMS', 'SHA256SUMS.sig', ...installers]
}

function compress(folder: string, version: string, target: Target): { name: string; sha256: string } {
  const name = `hedron-${version}-${target.name}${target.suffix}.gz`
  const bytes = gzipSync(readFileSync(join(folder, binaryName(target))), { level: 6 })
  writeFileSync(join(folder, name), bytes)
  return { name, sha256: createHash('sha256').update(bytes).digest('hex') }
}
