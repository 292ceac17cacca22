import { findMember } from '../query/find-member.ts'
import {
  findGranularity,
  indexModel,
  isDimension,
  isMeasure,
  type Member,
  type ModelIndex,
} from '../resolve/model-index.ts'
import type { AnnotatedMember, Annotation } from '../shapes/meta.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery } from '../shapes/query.ts'
import { drillMembers, measureValueType, metaFormatting, metaGranularity, present } from './present-member.ts'

/** How clients show each member of an answer (contract/behaviour/query.md, section 5). */
export function annotateQuery(model: Model, query: NormalizedQuery): Annotation {
  const index = indexModel(model)
  const annotateAll = (ids: readonly string[]) => Object.fromEntries(ids.map(id => [id, annotate(index, id)]))
  return {
    measures: annotateAll(query.measures),
    dimensions: annotateAll(query.dimensions),
    segments: annotateAll(query.segments),
    timeDimensions: annotateTimes(index, query),
  }
}

function annotate(index: ModelIndex, id: string): AnnotatedMember {
  const member = memberOf(index, id)
  const source = index.sources.get(id.split('.')[0] ?? '')
  if (!source) throw new Error(`A normalized query has the unknown member '${id}'`)
  const { presentation } = member
  return {
    title: `${source.title} ${presentation.title}`,
    shortTitle: presentation.title,
    ...present({ description: presentation.description, meta: presentation.meta }),
    ...metaFormatting(member),
    ...(isMeasure(member)
      ? { type: measureValueType(member.definition), ...drillMembers(member, source, found => memberOf(index, found)) }
      : {}),
    ...(isDimension(member) ? annotateDimension(member) : {}),
  }
}

const memberOf = (index: ModelIndex, id: string): Member => findMember(index, id, () => true, 'members')

const annotateDimension = ({
  definition: { type, granularities },
}: Extract<Member, { definition: { kind: 'dimension' } }>) => ({
  type,
  ...(granularities.length > 0 ? { granularities: granularities.map(metaGranularity) } : {}),
})

function annotateTimes(index: ModelIndex, query: NormalizedQuery): Record<string, AnnotatedMember> {
  const annotated: Record<string, AnnotatedMember> = {}
  for (const { dimension, granularity: name } of query.timeDimensions) {
    if (name === undefined) continue
    const member = memberOf(index, dimension)
    const granularity = isDimension(member) ? findGranularity(member.definition, name) : undefined
    if (!granularity) throw new Error(`A normalized query has the unknown granularity '${name}' of '${dimension}'`)
    const entry = { ...annotate(index, dimension), granularity: metaGranularity(granularity) }
    annotated[`${dimension}.${name}`] = entry
    annotated[dimension] ??= entry
  }
  return annotated
}
