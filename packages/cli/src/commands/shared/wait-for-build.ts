import type { BuildStatusResponse } from '@hedron/contract'
import type { Context } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { branchLabel, isBlank, oneCell, oneReason, shellQuote } from '../../framework/text.ts'
import { type Step, waitFor } from '../../framework/wait.ts'

interface BuildWait {
  readonly deploymentId: number
  readonly branchName: string | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly interval: number
}

/** Milliseconds. */
export const buildTimeout = 15 * 60_000
export const buildPoll = 5_000

/** A branch on which nothing happens for this long will not build by itself. */
const idlePatience = 60_000
const verdicts = ['Bad branch', 'Branch is not active'] as const

/**
 * Waits until the build of a branch has ended, well or badly, and gives its last status.
 *
 * @throws {Failure} `branch_not_building` when there is nothing to wait for, `wait_timed_out`
 */
export async function waitForBuild(
  { effects, output, session }: Context,
  { deploymentId, branchName, timeout, interval }: BuildWait,
): Promise<BuildStatusResponse> {
  const { client } = await session()
  let idleSince: number | null = null
  return waitFor(effects, output, { what: 'build', timeout, interval }, async signal => {
    const status = await client.buildStatus({ params: { deploymentId }, query: { branchName } }, signal)
    const verdict = verdicts.find(text => status.errorText?.includes(text))
    if (!isEnded(status) && verdict !== undefined) {
      throw new Failure('branch_not_building', { message: verdictMessage(status, verdict, effects.platform) })
    }
    const isIdle = ['none', 'stopped'].includes(status.status.trim())
    idleSince = isIdle ? (idleSince ?? effects.now()) : null
    if (idleSince !== null && effects.now() - idleSince > idlePatience) {
      throw new Failure('branch_not_building', { message: idleMessage(status, effects.platform) })
    }
    return stepOf(status)
  })
}

/** The failure that a build ended with, or null where it is built. */
export function buildFailure({ status, branchName, errorText }: BuildStatusResponse): Failure | null {
  if (status.trim() === 'built') return null
  const reason = errorText === null || isBlank(errorText) ? '' : `: ${oneReason(errorText)}`
  return new Failure('build_failed', {
    message: `build ${status.trim()} for branch ${branchLabel(branchName)}${reason}`,
  })
}

const isEnded = ({ status }: BuildStatusResponse): boolean => ['built', 'failed', 'cancelled'].includes(status.trim())

function stepOf(status: BuildStatusResponse): Step<BuildStatusResponse> {
  if (isEnded(status)) return { done: status }
  const complaint = status.errorText === null ? '' : oneCell(status.errorText)
  return { waiting: complaint === '' ? status.status.trim() : `${status.status.trim()} (${complaint})` }
}

function verdictMessage(
  { branchName, deploymentId, errorText }: BuildStatusResponse,
  verdict: (typeof verdicts)[number],
  platform: NodeJS.Platform,
): string {
  const complaint = errorText === null || errorText === verdict ? '' : `: ${oneReason(errorText)}`
  const advice =
    verdict === 'Bad branch' || isBlank(branchName)
      ? `See which branches there are with \`hedron data-model branches ${deploymentId}\``
      : devModeAdvice(deploymentId, branchName, platform)
  return `branch ${branchLabel(branchName)} is not building (${verdict})${complaint}. ${advice}`
}

function idleMessage(
  { branchName, deploymentId, status, errorText }: BuildStatusResponse,
  platform: NodeJS.Platform,
): string {
  const complaint = errorText === null || isBlank(errorText) ? '' : `: ${oneReason(errorText)}`
  return `nothing is building branch ${branchLabel(branchName)} (status ${status.trim()}${complaint}). If the branch exists, it only compiles once it is opened in dev mode. ${devModeAdvice(
    deploymentId,
    branchName,
    platform,
  )}`
}

const devModeAdvice = (deploymentId: number, branchName: string, platform: NodeJS.Platform): string =>
  `Run \`hedron data-model dev-mode ${deploymentId} ${shellQuote(branchName, platform)}\` and wait on the dev-… branch it prints`
