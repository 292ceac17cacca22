import { describeModel, type MetaCube, type Model, type QueryContext } from '@hedron/semantic'
import { type CatalogModel, type CatalogRelation, createCatalogModel } from '@hedron/sql'
import { LRUCache } from 'lru-cache'

const countable = new Set([
  'count',
  'countDistinct',
  'countDistinctApprox',
  'count_distinct',
  'count_distinct_approx',
  'rank',
])

/** PostgreSQL's type of a member's values in catalogs, the same that queries give. */
function typeOf(type: string, aggregate: string): string {
  if (countable.has(aggregate)) return 'int8'
  return { string: 'text', number: 'numeric', boolean: 'bool', time: 'timestamp' }[type] ?? 'text'
}

/** Columns that every table has beside its members (contract/behaviour/query.md section 7). */
const ownColumns = ['__user', '__cubeJoinField'].map(name => ({
  name,
  type: 'text',
  comment: null,
  isPrimaryKey: false,
}))

/** Cubes and views as tables: dimensions, measures and segments are their columns. */
function toRelation({ name, title, description, dimensions, measures, segments }: MetaCube): CatalogRelation {
  const column = (
    member: { name: string; title: string; description?: string },
    type: string,
    isPrimaryKey = false,
  ) => ({
    name: member.name.slice(member.name.indexOf('.') + 1),
    type,
    comment: member.description ?? member.title,
    isPrimaryKey,
  })
  return {
    name,
    comment: description ?? title,
    columns: [
      ...measures.map(member => column(member, typeOf(member.type, member.aggType))),
      ...dimensions.map(member => column(member, typeOf(member.type, ''), member.primaryKey)),
      ...segments.map(member => column(member, 'bool')),
      ...ownColumns,
    ],
  }
}

/** Finds the catalogs of a model as somebody sees it; those who see the same share them. */
export function createCatalogRelations() {
  const known = new WeakMap<Model, LRUCache<string, CatalogModel>>()
  return (model: Model, context: QueryContext): CatalogModel => {
    const ofModel = known.get(model) ?? new LRUCache<string, CatalogModel>({ max: 50 })
    known.set(model, ofModel)
    const key = JSON.stringify([context.securityContext, context.groups, context.userAttributes])
    const found = ofModel.get(key)
    if (found) return found
    const made = createCatalogModel(describeModel(model, context).map(toRelation))
    ofModel.set(key, made)
    return made
  }
}
