import type { Measure } from '../shapes/model.ts'

/** The member that stands for the SQL of a measure's mask. No author can give a member this name. */
export const maskName = (measure: string) => `${measure} mask`

/** The measure that such a member stands for; null for any other. */
export const maskedName = (member: string) => (member.endsWith(' mask') ? member.slice(0, -' mask'.length) : null)

/** What aggregates the SQL of a measure's mask: of the rows of a group, whatever windows and stages the measure itself has. */
export function maskMeasure(measure: Measure): Measure {
  if (measure.mask?.kind !== 'sql') throw new Error(`The measure '${measure.name}' has no mask of SQL`)
  const { masking: _, ...rest } = measure
  const name = maskName(measure.name)
  return {
    ...rest,
    name,
    type: 'number',
    sql: measure.mask.sql,
    filters: [],
    drillFilters: [],
    window: null,
    stage: null,
    mask: null,
  }
}
