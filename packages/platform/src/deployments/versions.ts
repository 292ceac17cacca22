import { CodedError, type DeploymentVersion, type ReleaseChannel } from '@hedron/contract'

/** Versions of Hedron that this server can run a deployment on; a server runs one, its own. */
export interface Releases {
  readonly current: string
}

const channels = ['latest', 'release'] as const

/** The head of each update channel, then older versions that the account ran. */
export function listVersions(
  releases: Releases,
  used: readonly string[],
  now: { readonly releaseChannel: string; readonly releaseChannelVersion: string },
): DeploymentVersion[] {
  const heads = channels.map(channel => versionRow(releases.current, channel, true))
  const older = used
    .filter(version => version !== releases.current)
    .map(version => versionRow(version, 'latest', false))
  return [...heads, ...older].map(row => ({
    ...row,
    isCurrent: row.version === now.releaseChannelVersion && row.releaseChannel === now.releaseChannel,
  }))
}

const versionRow = (version: string, releaseChannel: ReleaseChannel, isLatestInChannel: boolean) => ({
  version,
  releaseChannel,
  releaseChannelVersion: `v${version}`,
  isLatestInChannel,
  isCurrent: false,
})

/**
 * The listed version that is meant: with or without a leading `v`, or as an image reference such as `hedron:v1.2.3`.
 *
 * @throws {CodedError} `version_unknown`, naming those that can be chosen.
 */
export function chooseVersion(text: string, channel: string, listed: readonly DeploymentVersion[]): DeploymentVersion {
  const wanted = text.slice(text.lastIndexOf(':') + 1).replace(/^v/, '')
  const found = listed.find(row => row.version === wanted && row.releaseChannel === channel)
  if (found) return found
  const allowed = listed.filter(row => row.releaseChannel === channel).map(row => row.releaseChannelVersion)
  throw new CodedError('version_unknown', { version: text, allowed: allowed.join(', ') || 'none of that channel' })
}
