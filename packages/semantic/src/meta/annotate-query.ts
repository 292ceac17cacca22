import { findShown, type SecuredIndex, secureModel, shownSource } from '../access/secured-index.ts'
import { findMember } from '../query/find-member.ts'
import { findGranularity, isDimension, isMeasure, type Member } from '../resolve/model-index.ts'
import type { AnnotatedMember, Annotation } from '../shapes/meta.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery, QueryContext } from '../shapes/query.ts'
import {
  dimensionValueType,
  drillMembers,
  measureValueType,
  metaFormatting,
  metaGranularity,
  present,
} from './present-member.ts'

/** How clients show each member of an answer (contract/behaviour/query.md, section 5). */
export function annotateQuery(model: Model, query: NormalizedQuery, context: QueryContext): Annotation {
  const index = secureModel(model, context)
  const annotateAll = (ids: readonly string[]) =>
    Object.fromEntries(ids.filter(id => isShown(index, id)).map(id => [id, annotate(index, id)]))
  return {
    measures: annotateAll(query.measures),
    dimensions: annotateAll(query.dimensions),
    segments: annotateAll(query.segments),
    timeDimensions: annotateTimes(index, query),
  }
}

/** Of a source that is denied to the caller nothing is told, though its queries are answered, by no rows. */
const isShown = (index: SecuredIndex, id: string) => findShown(index, id) !== undefined

function annotate(index: SecuredIndex, id: string): AnnotatedMember {
  const member = memberOf(index, id)
  const whole = index.sources.get(id.split('.')[0] ?? '')
  const source = whole && shownSource(index, whole)
  if (!source) throw new Error(`A normalized query has the unknown member '${id}'`)
  const { presentation } = member
  return {
    title: `${source.title} ${presentation.title}`,
    shortTitle: presentation.title,
    ...present({ description: presentation.description, meta: presentation.meta }),
    ...metaFormatting(member),
    ...(isMeasure(member)
      ? { type: measureValueType(member.definition), ...drillMembers(member, source, found => findShown(index, found)) }
      : {}),
    ...(isDimension(member) ? annotateDimension(member) : {}),
  }
}

const memberOf = (index: SecuredIndex, id: string): Member => findMember(index, id, () => true, 'members')

const annotateDimension = ({ definition }: Extract<Member, { definition: { kind: 'dimension' } }>) => ({
  type: dimensionValueType(definition),
  ...(definition.granularities.length > 0 ? { granularities: definition.granularities.map(metaGranularity) } : {}),
})

function annotateTimes(index: SecuredIndex, query: NormalizedQuery): Record<string, AnnotatedMember> {
  const annotated: Record<string, AnnotatedMember> = {}
  for (const { dimension, granularity: name } of query.timeDimensions) {
    if (name === undefined || !isShown(index, dimension)) continue
    const member = memberOf(index, dimension)
    const granularity = isDimension(member) ? findGranularity(member.definition, name) : undefined
    if (!granularity) throw new Error(`A normalized query has the unknown granularity '${name}' of '${dimension}'`)
    const entry = { ...annotate(index, dimension), granularity: metaGranularity(granularity) }
    annotated[`${dimension}.${name}`] = entry
    annotated[dimension] ??= entry
  }
  return annotated
}
