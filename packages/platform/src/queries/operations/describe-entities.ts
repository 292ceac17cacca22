import { describeModel, type MetaCube, type Model } from '@hedron/semantic'
import * as z from 'zod'
import { requireScope } from '../authenticate-data.ts'
import { requireModel } from '../branch-models.ts'
import type { DataCaller } from '../data-caller.ts'
import { DataError } from '../data-error.ts'
import { toDataError } from '../to-data-error.ts'
import { contextOf } from '../understand.ts'
import type { OperationNeeds } from './operation-needs.ts'

/** Entities on one page where nothing is said, and at most. */
const [usualPage, largestPage] = [100, 1000]

const Page = z.object({
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(largestPage).default(usualPage),
})

/**
 * Cubes and views as catalogs and BI tools read them to keep in step with the model (contract/behaviour/query.md section 1: the
 * metadata API). Callers see what `/v1/meta` shows them. Connectors of the field send the page in the address, also by POST.
 */
export function createDescribeEntities({ effects, findBranch, findRuntime }: OperationNeeds) {
  async function entitiesOf(caller: DataCaller): Promise<readonly Entity[]> {
    requireScope(caller, 'meta')
    const model = requireModel(await findBranch(caller))
    return describeModel(model, contextOf(caller, effects.now())).map(shown => ({ shown, model }))
  }

  return {
    /** Names and types of the data sources, never where they are. */
    async dataSources(caller: DataCaller): Promise<object> {
      requireScope(caller, 'meta')
      const runtime = await findRuntime(caller)
      try {
        const sources = runtime.sources()
        return { data: { data_sources: sources.names.map(name => ({ name, type: sources.get(name).type })) } }
      } catch (error) {
        throw toDataError(error)
      }
    },

    /** A page of what there is, without what is in it. */
    async entities(caller: DataCaller, query: unknown): Promise<object> {
      return pageOf(await entitiesOf(caller), query, ({ shown: { type, name, title, description } }) => ({
        type,
        name,
        title,
        description,
      }))
    },

    /** A page of what there is, with what is in it. */
    async allEntities(caller: DataCaller, query: unknown): Promise<object> {
      return pageOf(await entitiesOf(caller), query, describe)
    },

    async entity(caller: DataCaller, name: string): Promise<object> {
      const found = (await entitiesOf(caller)).find(({ shown }) => shown.name === name)
      if (!found) throw new DataError(404, `There is no entity ${JSON.stringify(name.slice(0, 200))}`)
      return { data: describe(found) }
    },
  }
}

interface Entity {
  readonly shown: MetaCube
  readonly model: Model
}

/** @throws {DataError} 400 for a page that is none */
function pageOf(all: readonly Entity[], query: unknown, show: (entity: Entity) => object): object {
  const { success, data, error } = Page.safeParse(query ?? {})
  if (!success) {
    const problems = error.issues.map(({ path, message }) => `"${path.join('.')}" ${message}`)
    throw new DataError(400, `Invalid query format: ${problems.join('; ')}`)
  }
  const { offset, limit } = data
  return { data: all.slice(offset, offset + limit).map(show), pagination: { offset, limit, total: all.length } }
}

function describe({ shown, model }: Entity): object {
  const { measures, dimensions, ...rest } = shown
  const cubes = new Set([...measures, ...dimensions].flatMap(({ aliasMember }) => aliasMember?.split('.')[0] ?? []))
  return {
    ...rest,
    table_references: tableOf(model, shown.name),
    cube_references: [...cubes].map(cube => ({ cube })),
    measures: measures.map(member => ({ ...member, member_references: referencesOf(member) })),
    dimensions: dimensions.map(member => ({
      ...member,
      is_primary_key: member.primaryKey,
      member_references: referencesOf(member),
    })),
  }
}

/** The member of a cube that a member of a view stands for. */
function referencesOf({ aliasMember }: { readonly aliasMember?: string }): readonly object[] {
  const [cube, member] = aliasMember?.split('.') ?? []
  return cube === undefined || member === undefined ? [] : [{ cube, member }]
}

const tableName = /^(?:(\w+)\.)?(\w+)$/

/** The table of a cube whose `sql_table` is the plain name of one; what its SQL reads is not taken apart. */
function tableOf({ cubes }: Model, name: string): readonly object[] {
  const source = cubes.find(cube => cube.name === name)?.source
  const [text, ...more] = source?.kind === 'table' ? source.sql.parts : []
  if (typeof text !== 'string' || more.length > 0) return []
  const [, schema, table] = tableName.exec(text.trim()) ?? []
  if (table === undefined) return []
  return [schema === undefined ? { table } : { schema, table }]
}
