import { createHash } from 'node:crypto'
import { describeExtended, describeModel, describeViewGroups, type MetaCube, type Model } from '@hedron/semantic'
import { requireScope } from '../authenticate-data.ts'
import { requireModel } from '../branch-models.ts'
import type { DataCaller } from '../data-caller.ts'
import { contextOf } from '../understand.ts'
import type { OperationNeeds } from './operation-needs.ts'

interface MetaOptions {
  readonly onlyViews: boolean
  /** With how cubes are made: SQL, joins, refresh keys, pre-aggregations, files. */
  readonly extended?: boolean
}

/** What a caller can ask of a model: `/v1/meta`. */
export function createDescribeModel({ effects, findBranch, findRuntime }: OperationNeeds) {
  return async (caller: DataCaller, { onlyViews, extended = false }: MetaOptions): Promise<object> => {
    requireScope(caller, 'meta')
    // It shows SQL, which is what that scope is for.
    if (extended) requireScope(caller, 'sql')
    const branch = await findBranch(caller)
    const model = requireModel(branch)
    const { nestedFoldersDelimiter } = await findRuntime(caller)
    const cubes = describeModel(model, contextOf(caller, effects.now()), { nestedFoldersDelimiter })
    const viewGroups = describeViewGroups(model, cubes)
    const wanted = onlyViews ? cubes.filter(cube => cube.type === 'view') : cubes
    return {
      ...(viewGroups.length > 0 ? { viewGroups } : {}),
      cubes: extended ? describeExtended(model, wanted) : wanted,
      compilerId: compilerId(branch.compiled?.tree ?? '', model, cubes),
    }
  }
}

/** What clients know a description by: under policies, callers have different ones of one tree. */
function compilerId(tree: string, model: Model, shown: readonly MetaCube[]): string {
  if ([...model.cubes, ...model.views].every(({ accessPolicies }) => accessPolicies.length === 0)) return tree
  const names = shown.flatMap(({ measures, dimensions, segments }) => [...measures, ...dimensions, ...segments])
  return createHash('sha256')
    .update(JSON.stringify([tree, names.map(({ name }) => name)]))
    .digest('hex')
}
