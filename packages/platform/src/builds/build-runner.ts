import { setTimeout as sleep } from 'node:timers/promises'
import { builds, deployments, type Store } from '@hedron/store'
import type { Effects } from '../effects.ts'
import { describeProblems } from './describe-problems.ts'
import type { ReadModel } from './read-model.ts'

interface BuildRunnerNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly readModel: ReadModel
  /** Told of what kept a build from ending; the build is tried again. */
  readonly report: (error: unknown) => void
  /** A build of the deployment has ended: its branch may answer from another tree. */
  readonly onBuilt: (deploymentId: number) => void
  /** What follows from the branch's new tree; a failure is reported and leaves the build as it is. */
  readonly afterBuild?: (build: builds.BuildRow) => Promise<void>
  /** How often to look for builds that other nodes queued or left behind, in milliseconds; default 5 seconds. */
  readonly pollMilliseconds?: number
}

/** Builds branches one after the other; every node of an installation may run one. */
export interface BuildRunner {
  /** Builds were queued: begins on them soon. */
  notify(): void
  /** Begins, with what a node that died left unfinished first. */
  resume(): Promise<void>
  /** Takes no more builds, and waits for the one at hand for a while. */
  close(): Promise<void>
}

/** A build that takes longer counts as left behind by a node that died. To build one twice does no harm. */
const abandonedMilliseconds = 60_000
/** How long a build is tried that fails for another reason than its model. */
const triedMilliseconds = 10 * 60_000
const closeMilliseconds = 10_000

export function createBuildRunner(needs: BuildRunnerNeeds): BuildRunner {
  const { store, effects, readModel, report, pollMilliseconds = 5_000 } = needs
  let running: Promise<void> | undefined
  let isAsked = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    if (isClosed) return
    isAsked = true
    running ??= drain().finally(() => {
      running = undefined
      // Asked for after the last look and before this.
      if (isAsked) notify()
    })
  }

  async function drain(): Promise<void> {
    try {
      while (isAsked && !isClosed) {
        isAsked = false
        while (!isClosed && (await buildNext())) {
          // Until none waits.
        }
      }
    } catch (error) {
      report(error)
    }
  }

  /** @returns whether there was one. */
  async function buildNext(): Promise<boolean> {
    const now = effects.now()
    const abandonedBefore = new Date(now.getTime() - abandonedMilliseconds)
    const claimed = await builds.claimBuild(store.kysely, { now, abandonedBefore })
    if (!claimed) return false
    try {
      await build(claimed)
    } catch (error) {
      report(error)
      await giveUp(claimed)
    }
    return true
  }

  async function build(claimed: builds.BuildRow): Promise<void> {
    const { accountId, deploymentId } = claimed
    const deployment = await deployments.findDeployment(store.kysely, accountId, deploymentId)
    // Deleted meanwhile, and its builds with it.
    if (!deployment) return
    const project = { accountId, deploymentId, deployProjectRoot: deployment.deployProjectRoot }
    const { problems } = await readModel(project, claimed.tree)
    const problem = describeProblems(problems) ?? null
    await store.transaction(transaction => builds.finishBuild(transaction, claimed, { at: effects.now(), problem }))
    needs.onBuilt(deploymentId)
    await needs.afterBuild?.(claimed).catch(report)
  }

  /** What fails without the model being wrong is tried again, but not for ever. */
  async function giveUp(claimed: builds.BuildRow): Promise<void> {
    const at = effects.now()
    if (at.getTime() - claimed.createdAt.getTime() < triedMilliseconds) return
    const problem = 'The build failed on the server, which has logged why. Commit again to have it tried again.'
    await store.transaction(transaction => builds.finishBuild(transaction, claimed, { at, problem }))
  }

  return {
    notify,
    async resume() {
      await builds.requeueBuilds(store.kysely)
      timer ??= setInterval(notify, pollMilliseconds).unref()
      notify()
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      if (running === undefined) return
      const done = new AbortController()
      const limit = sleep(closeMilliseconds, undefined, { signal: done.signal }).catch(() => {})
      await Promise.race([running, limit])
      done.abort()
    },
  }
}
