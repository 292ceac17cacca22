import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { version } from '../version.ts'
import { fetchFile } from './fetch-file.ts'
import { checkSignature, type ReleaseFile, releaseFiles } from './release.ts'

/** Where releases come from, whose they must be, and which of their files is for this machine. */
export interface ReleaseSource {
  readonly address: string
  readonly key: string
  readonly target: string
}

export const userAgent = `hedron-cli/${version}`

/** Milliseconds; the binary takes half a minute on a slow line. */
const listTimeout = 15_000
const fileTimeout = 10 * 60_000

/** @throws {Failure} `update_unavailable` where this program does not know where newer ones come from */
export function releaseSource({ build, environment }: Pick<Effects, 'build' | 'environment'>): ReleaseSource {
  if (build === null) {
    throw new Failure('update_unavailable', {
      reason: 'it runs on Node from its sources, so update those (git pull, then npm install)',
    })
  }
  const address = (environment.HEDRON_UPDATE_URL ?? '').trim() || build.address
  if (build.key === null) {
    throw new Failure('update_unavailable', {
      reason: 'it was built without the key that releases are signed with, so install a release instead',
    })
  }
  if (address === null) {
    throw new Failure('update_unavailable', { reason: 'it knows no address of releases: set HEDRON_UPDATE_URL' })
  }
  return { address: address.replace(/\/+$/, ''), key: build.key, target: build.target }
}

/**
 * The file of the newest release for this machine, once the signature holds.
 *
 * @throws {Failure} `transport_failed`, `release_untrusted`, `release_incomplete`
 */
export async function newestFile({ address, key, target }: ReleaseSource, signal: AbortSignal): Promise<ReleaseFile> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(listTimeout)])
  const [sums, signature] = await Promise.all([
    fetchFile(`${address}/SHA256SUMS`, userAgent, bounded),
    fetchFile(`${address}/SHA256SUMS.sig`, userAgent, bounded),
  ])
  checkSignature(sums, signature, key)
  const file = releaseFiles(sums.toString()).find(candidate => candidate.target === target)
  if (file === undefined) throw new Failure('release_incomplete', { target })
  return file
}

/** The bytes of a file of a release, compressed as they come. @throws {Failure} `transport_failed` */
export const downloadFile = ({ address }: ReleaseSource, { name }: ReleaseFile, signal: AbortSignal): Promise<Buffer> =>
  fetchFile(`${address}/${name}`, userAgent, AbortSignal.any([signal, AbortSignal.timeout(fileTimeout)]))
