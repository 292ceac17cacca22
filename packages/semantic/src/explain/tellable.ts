import type { SecuredIndex } from '../access/secured-index.ts'
import type { Considered } from '../plan/rollups/found-part.ts'
import type { RollupId } from '../plan/rollups/rollup.ts'
import type { PreAggregationMember } from '../shapes/model.ts'

/** Stands for a name that policies keep from a caller. */
export const notShown = '(not shown)'

/** Whether a caller may be told the name of a member, `cube.member`, that he did not name himself. */
export function isTellable({ sources, access }: SecuredIndex, id: string): boolean {
  const [name = '', own = ''] = id.split('.')
  const source = sources.get(name)
  const member = source?.members.get(own)
  return source === undefined || member === undefined || (!access.isDenied(source) && access.isShown(source, member))
}

/** What may be told of rollups that were looked at: nothing of those that hold what a caller is not shown. */
export function tellableOnes(index: SecuredIndex, considered: readonly Considered[]): Considered[] {
  return considered.flatMap(({ id, miss }) => {
    if (!isTellableRollup(index, id)) return []
    return [{ id, miss: miss && { ...miss, reason: tellableReason(index, miss.reason) } }]
  })
}

/** Whether a caller is shown everything that a rollup holds. */
function isTellableRollup(index: SecuredIndex, { cube, name }: RollupId): boolean {
  const found = index.cube(cube).preAggregations.find(each => each.name === name)
  if (!found) return false
  if (found.type === 'original_sql') return holdsTellable(index, cube)
  const { measures, dimensions, segments, timeDimensions, rollups } = found
  const ids = [...measures, ...dimensions, ...segments, ...timeDimensions].map(idOf)
  return ids.every(id => isTellable(index, id)) && rollups.every(part => isTellableRollup(index, part))
}

/** Whether a caller may know all members of a cube, whose rows hold what all of them are made of. */
function holdsTellable(index: SecuredIndex, cube: string): boolean {
  const source = index.sources.get(cube)
  return source !== undefined && [...source.members.keys()].every(name => isTellable(index, `${cube}.${name}`))
}

/** Why a rollup does not answer, without names that the caller is not shown: what his policies read may be among them. */
function tellableReason(index: SecuredIndex, reason: string): string {
  const ids = reason.match(/\w+\.\w+/g) ?? []
  return ids.every(id => isTellable(index, id)) ? reason : 'it does not hold what policies need for this caller'
}

const idOf = ({ cube, member }: Pick<PreAggregationMember, 'cube' | 'member'>) => `${cube}.${member}`
