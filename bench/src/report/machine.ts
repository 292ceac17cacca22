import { execFileSync } from 'node:child_process'
import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { root } from '../support/paths.ts'

/** Where and on what it was measured. */
export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryGibibytes: number
  readonly system: string
  readonly node: string
  /** Of Hedron; with `+` where files differ from it. */
  readonly commit: string
  /** Processes that wanted a core, averaged over a minute, when the run began: near 0 on a machine of its own. */
  readonly loadBefore: number
}

export function describeMachine(): Machine {
  const processors = cpus()
  return {
    cores: processors.length,
    processor: processors[0]?.model ?? 'unknown',
    memoryGibibytes: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    commit: commit(),
    loadBefore: loadOfMinute(),
  }
}

/** Processes that want a core, averaged over the last minute. */
export const loadOfMinute = (): number => Number((loadavg()[0] ?? 0).toFixed(2))

function commit(): string {
  try {
    const git = (...argv: readonly string[]) => execFileSync('git', argv, { cwd: root, encoding: 'utf8' }).trim()
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'packages', 'examples', 'bench')
    return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`
  } catch {
    return 'unknown'
  }
}
