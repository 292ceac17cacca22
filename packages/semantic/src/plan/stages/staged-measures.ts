import type { SecuredIndex } from '../../access/secured-index.ts'
import { oncePerObject } from '../../once-per-object.ts'
import { memberSql } from '../../resolve/check-references.ts'
import type { MeasureMember, Member, ModelIndex } from '../../resolve/model-index.ts'
import { measureKinds } from '../../shapes/measure-kinds.ts'
import type { Measure } from '../../shapes/model.ts'
import { isCalculation } from '../calculations.ts'
import { referredPath } from '../join-paths.ts'
import { isOfOwnTable } from '../own-table.ts'
import { filteredMeasures, type QueryMembers } from '../query-members.ts'

/** By the graph, which all indexes of a model share. */
const known = oncePerObject((_: ModelIndex['graph']) => new Map<string, boolean>())

/** Whether a measure, or one that it refers to, needs more than one stage: it has a window or is multi-stage. */
export function isStaged(index: ModelIndex, cube: string, measure: Measure): boolean {
  if (isOfOwnTable(index, cube, measure)) return false
  const id = `${cube}.${measure.name}`
  const found = known(index.graph).get(id)
  if (found !== undefined) return found
  const result =
    measure.window !== null ||
    measure.stage !== null ||
    memberSql(measure).some(({ parts }) =>
      parts.some(part => {
        if (typeof part === 'string' || part.kind !== 'member') return false
        const member = index.member(part.cube, part.member)
        return member.kind === 'measure' && isStaged(index, part.cube, member)
      }),
    )
  known(index.graph).set(id, result)
  return result
}

/** The first measure of a query that needs several stages, those that it filters by included. */
export function stagedMeasure(
  index: SecuredIndex,
  { measures, groupFilters }: Pick<QueryMembers, 'measures' | 'groupFilters'>,
): MeasureMember | undefined {
  const isStagedMember = ({ cube, definition }: MeasureMember) => isStaged(index, cube.name, definition)
  return measures.find(isStagedMember) ?? filteredMeasures(index, groupFilters).find(isStagedMember)
}

export const isCalculatedType = ({ type }: Measure) => measureKinds[type].of === 'sql'

/** Whether a staged measure only calculates with others that are computed for the very same groups of the same rows. */
export function isTransparent(index: ModelIndex, measure: Measure): boolean {
  const { window, stage } = measure
  if (window || !isCalculatedType(measure)) return false
  if (!stage) return isCalculation(index, measure)
  const { grain, filter, timeShifts, cases } = stage
  const isWhole = grain.keepOnly === null && grain.exclude.length === 0 && grain.include.length === 0
  return isWhole && !filter && timeShifts.length === 0 && !cases
}

/** A measure that another one refers to, on its way from there. */
export function referredMeasure(
  index: ModelIndex,
  from: Pick<Member, 'joinPath' | 'referral'>,
  reference: { readonly cube: string; readonly member: string; readonly through: readonly string[] },
): MeasureMember {
  const found = index.sources.get(reference.cube)?.members.get(reference.member)
  if (found?.definition.kind !== 'measure') throw new Error(`'${reference.cube}.${reference.member}' is not a measure`)
  return unmasked({ ...found, definition: found.definition, ...referredPath(index, from, reference) })
}

/** A measure inside of another: masks are for what a query names. */
export function unmasked(member: MeasureMember): MeasureMember {
  const { masking, ...definition } = member.definition
  return { ...member, definition }
}
