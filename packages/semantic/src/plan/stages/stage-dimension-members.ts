import type { SecuredIndex } from '../../access/secured-index.ts'
import { filteredMember } from '../../query/find-member.ts'
import { type DimensionMember, isDimension } from '../../resolve/model-index.ts'
import { askedMembers, leafFilters, type QueryMembers } from '../query-members.ts'
import { stageOfDimension } from '../sub-query-members.ts'
import { dimensionId, type State } from './state.ts'

export const isStageDimension = ({ definition }: DimensionMember): boolean => stageOfDimension(definition) !== null

/** The multi-stage dimensions that rows of a state are grouped or chosen by. */
export function stageDimensionsOf(
  index: SecuredIndex,
  { grain, ranges, rowFilters }: Pick<State, 'grain' | 'ranges' | 'rowFilters'>,
): DimensionMember[] {
  const members = [
    ...grain.map(({ member }) => member),
    ...ranges.map(({ member }) => member),
    ...rowFilters.flatMap(leafFilters).map(filter => filteredMember(index, filter)),
  ]
  const found = members.filter(isDimension).filter(isStageDimension)
  return [...new Map(found.map(member => [dimensionId(member), member])).values()]
}

/** The multi-stage dimensions that a query names. */
export function stagedDimensions(index: SecuredIndex, members: QueryMembers): readonly DimensionMember[] {
  const found: DimensionMember[] = []
  for (const member of askedMembers(index, members)) {
    if (isDimension(member) && isStageDimension(member)) found.push(member)
  }
  return found
}
