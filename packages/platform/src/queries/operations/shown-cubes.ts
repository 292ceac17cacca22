import { describeModel, type MetaCube, type Model } from '@hedron/semantic'
import { requireScope } from '../authenticate-data.ts'
import { requireModel } from '../branch-models.ts'
import type { DataCaller } from '../data-caller.ts'
import { contextOf } from '../understand.ts'
import type { OperationNeeds } from './operation-needs.ts'

/** The cubes and views that `/v1/meta` shows a caller, and the model that they are of. */
export interface ShownCubes {
  readonly model: Model
  readonly cubes: readonly MetaCube[]
}

/** What `/v1/meta` shows, for parts of the platform that read it. @throws {DataError} 403 without the scope `meta` */
export function createShownCubes({ effects, findBranch }: OperationNeeds) {
  return async (caller: DataCaller): Promise<ShownCubes> => {
    requireScope(caller, 'meta')
    const model = requireModel(await findBranch(caller))
    return { model, cubes: describeModel(model, contextOf(caller, effects.now())) }
  }
}
