/** A machine that the command line is built for. */
export interface Target {
  /** As in the names of the files of a release. */
  readonly name: string
  /** The package of npm that holds the runtime for it. */
  readonly runtime: string
  /** Path of the runtime inside that package. */
  readonly executable: string
  readonly suffix: '' | '.exe'
}

const target = (name: string, runtime: string, suffix: Target['suffix'] = ''): Target => ({
  name,
  runtime: `@oven/bun-${runtime}`,
  executable: `bin/bun${suffix}`,
  suffix,
})

/** What a release consists of; Alpine Linux has a C library of its own. */
export const targets: readonly Target[] = [
  target('linux-x64', 'linux-x64'),
  target('linux-arm64', 'linux-aarch64'),
  target('linux-x64-musl', 'linux-x64-musl'),
  target('linux-arm64-musl', 'linux-aarch64-musl'),
  target('darwin-x64', 'darwin-x64'),
  target('darwin-arm64', 'darwin-aarch64'),
  target('windows-x64', 'windows-x64', '.exe'),
]

/** The target that this machine is. */
export function hostTarget(): Target {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return targetNamed(`${system}-${process.arch}`)
}

export function targetNamed(name: string): Target {
  const found = targets.find(candidate => candidate.name === name)
  if (found !== undefined) return found
  throw new Error(`There is no target ${name}; there are ${targets.map(candidate => candidate.name).join(', ')}.`)
}

export const binaryName = ({ name, suffix }: Target): string => `hedron-${name}${suffix}`
