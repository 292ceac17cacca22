import type { QueryService } from '@hedron/query'
import type { Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import type { RollupAnswers } from '../../rollups/answer-from-rollup.ts'
import type { RollupKeeper } from '../../rollups/rollup-keeper.ts'
import type { CatalogAnswers } from '../../sql/catalog/catalog-answers.ts'
import type { FindBranchModel } from '../branch-models.ts'
import type { CancelEverywhere } from '../cancel-everywhere.ts'
import type { DeploymentRuntimes } from '../deployment-runtime.ts'
import type { Understand } from '../understand.ts'

/** What the operations of the data API are made of. */
export interface DataNeeds {
  readonly effects: Effects
  readonly runtimes: DeploymentRuntimes
  readonly findBranchModel: FindBranchModel
  readonly queryService: QueryService
  readonly cancels: CancelEverywhere
  readonly rollups: RollupAnswers
  readonly rollupKeeper: RollupKeeper
  readonly store: Store
  /** Answers statements over the model's catalogs. */
  readonly catalogs: CatalogAnswers
  /** How long a request waits for a slow query before it is told to ask again, in milliseconds. */
  readonly continueWaitMs: number
}

/** The same, with what reads requests and plans their queries. */
export interface OperationNeeds extends DataNeeds, Understand {}

export interface DataContext {
  readonly requestId: string
  readonly signal: AbortSignal
}
