import { rollups, type Store } from '@hedron/store'
import { type FindBranchModel, requireModel } from '../queries/branch-models.ts'
import type { DeploymentRuntimes } from '../queries/deployment-runtime.ts'
import { selectRollups } from '../queries/select-rollups.ts'
import { hasRollups } from './definition.ts'
import type { RollupKeeper } from './rollup-keeper.ts'

/** Has the rollups of every production branch kept fresh though nobody asks (`scheduled_refresh`, data-model.md section 7). */
export interface RollupSchedule {
  start(): void
  close(): Promise<void>
}

interface ScheduleNeeds {
  readonly store: Store
  readonly keeper: Pick<RollupKeeper, 'schedule' | 'unschedule'>
  readonly findBranchModel: FindBranchModel
  readonly runtimes: DeploymentRuntimes
  readonly report: (error: unknown) => void
}

/** How often branches are looked at, in milliseconds. A model that was looked at before costs a row of one query. */
const passMs = 5_000

export function createRollupSchedule({
  store,
  keeper,
  findBranchModel,
  runtimes,
  report,
}: ScheduleNeeds): RollupSchedule {
  /** Trees whose model has no rollups, by deployment. */
  const without = new Map<number, string>()
  let timer: NodeJS.Timeout | undefined
  let passing: Promise<void> | undefined
  let isClosed = false

  async function pass(): Promise<void> {
    const serving = await rollups.listServing(store.kysely)
    for (const { accountId, deploymentId, servingTree } of serving) {
      if (isClosed) return
      const tree = servingTree.toString('hex')
      if (without.get(deploymentId) === tree) continue
      try {
        if (!(await look(accountId, deploymentId))) without.set(deploymentId, tree)
      } catch (error) {
        report(error)
      }
    }
  }

  /** @returns whether the model has rollups. */
  async function look(accountId: number, deploymentId: number): Promise<boolean> {
    const branch = await findBranchModel(accountId, deploymentId, null)
    if (!branch?.compiled?.model) return false
    const model = requireModel(branch)
    const kept = new Set<string>()
    const runtime = hasRollups(model) ? await runtimes.find(deploymentId) : undefined
    if (runtime) {
      const { timezones } = runtime.rollups
      for (const definition of selectRollups(model, runtime, timezones, ({ isScheduled }) => isScheduled)) {
        keeper.schedule(definition)
        kept.add(definition.hash)
      }
    }
    keeper.unschedule(deploymentId, kept)
    return hasRollups(model)
  }

  return {
    start() {
      timer ??= setInterval(() => {
        passing ??= pass()
          .catch(report)
          .finally(() => {
            passing = undefined
          })
      }, passMs).unref()
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await passing
    },
  }
}
