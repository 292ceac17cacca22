/** What a build of the binary knows about itself. */
export interface BuildFacts {
  /** The machine it is for, as in the names of the files of a release: `linux-x64`. */
  readonly target: string
  /** The key that releases are signed with: base64 of an Ed25519 public key in DER. Null in a build that is no release. */
  readonly key: string | null
  /** Where the files of the newest release are. Null where the build was not told. */
  readonly address: string | null
}

/** Put in its place by scripts/build-cli.ts. */
declare const HEDRON_BUILD: BuildFacts | undefined

/** Null where this is no binary: run by Node from its sources. */
export const buildFacts: BuildFacts | null = typeof HEDRON_BUILD === 'undefined' ? null : HEDRON_BUILD
