import { Failure } from '../framework/failure.ts'

/** A file of a release. */
export interface ReleaseFile {
  readonly version: string
  readonly target: string
  readonly name: string
  /** Of the compressed file, in hexadecimal. */
  readonly sha256: string
}

/**
 * The binaries that a release lists. Version and machine are part of each name, so that the signature covers them.
 *
 * @param sums Text of `SHA256SUMS`.
 */
export function releaseFiles(sums: string): readonly ReleaseFile[] {
  return sums.split('\n').flatMap(line => {
    const match =
      /^([0-9a-f]{64}) [ *](hedron-(\d+\.\d+\.\d+(?:-[0-9a-z.]+)?)-((?:linux|darwin|windows)-(?:x64|arm64)(?:-musl)?)(?:\.exe)?\.gz)$/.exec(
        line,
      )
    if (match === null) return []
    const [, sha256 = '', name = '', version = '', target = ''] = match
    return [{ version, target, name, sha256 }]
  })
}

/**
 * @param key Base64 of an Ed25519 public key in DER.
 * @throws {Failure} `release_untrusted` when the signature is not of that key
 */
export function checkSignature(sums: Buffer, signature: Buffer, key: string): void {
  const { createPublicKey, verify } = process.getBuiltinModule('node:crypto')
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  if (!verify(null, sums, publicKey, signature)) {
    throw new Failure('release_untrusted', { reason: 'SHA256SUMS is not signed by the key of this program' })
  }
}

/** @throws {Failure} `release_untrusted` when the bytes are not those that the release lists */
export function checkSum(bytes: Buffer, { name, sha256 }: ReleaseFile): void {
  const { createHash } = process.getBuiltinModule('node:crypto')
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new Failure('release_untrusted', { reason: `${name} is not what SHA256SUMS lists` })
  }
}

/**
 * Whether one version comes after another, by the numbers (1.7.10 is newer than 1.7.2); a version with a suffix, as in
 * `2.0.0-beta.1`, comes before the one without (https://semver.org, section 11, as far as this project uses it).
 */
export function isNewer(candidate: string, current: string): boolean {
  const [left, right] = [partsOf(candidate), partsOf(current)]
  for (let at = 0; at < 3; at += 1) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  if (left.suffix === right.suffix || left.suffix !== '') {
    return left.suffix !== '' && right.suffix !== '' && compareSuffixes(left.suffix, right.suffix) > 0
  }
  return true
}

function partsOf(version: string): { numbers: readonly number[]; suffix: string } {
  const [core = '', ...rest] = version.replace(/^v/, '').split('-')
  return { numbers: core.split('.').map(part => Number.parseInt(part, 10) || 0), suffix: rest.join('-') }
}

const compareSuffixes = (left: string, right: string): number => left.localeCompare(right, 'en', { numeric: true })
