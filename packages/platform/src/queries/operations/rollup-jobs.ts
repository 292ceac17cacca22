import { createHash } from 'node:crypto'
import { formatLocal, keepsUsableRows, type Model, overlaps, parseIso, type RollupPartition } from '@hedron/semantic'
import { rollups } from '@hedron/store'
import * as z from 'zod'
import { randomId } from '../../effects.ts'
import { defineRollup, type RollupDefinition } from '../../rollups/definition.ts'
import { partitionKey } from '../../rollups/rollup-state.ts'
import { requireScope } from '../authenticate-data.ts'
import { requireModel } from '../branch-models.ts'
import type { DataCaller } from '../data-caller.ts'
import { DataError } from '../data-error.ts'
import type { DeploymentRuntime } from '../deployment-runtime.ts'
import { dialectOf } from '../dialect-of.ts'
import { toDataError } from '../to-data-error.ts'
import type { DataContext, OperationNeeds } from './operation-needs.ts'

const names = z.array(z.string()).min(1)
const Selector = z.strictObject({
  contexts: z.array(z.strictObject({ securityContext: z.unknown() })).min(1),
  timezones: names,
  dataSources: names.optional(),
  cubes: names.optional(),
  preAggregations: names.optional(),
  dateRange: z.tuple([z.string(), z.string()]).optional(),
})
type Selector = z.infer<typeof Selector>
const Job = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('post'), selector: Selector }),
  z.strictObject({
    action: z.literal('get'),
    tokens: names.max(10_000),
    resType: z.enum(['array', 'object']).optional(),
  }),
])

/** For how long tokens are known. */
const rememberedMs = 7 * 24 * 3600 * 1000

/**
 * Builds rollups on demand and tells how far builds are: `/v1/pre-aggregations/jobs` (contract/behaviour/query.md section 6). One
 * token for each table. Rollups are the same for every security context, so a selector's contexts are only given back.
 */
export function createRollupJobs({ store, effects, rollupKeeper, findBranch, findRuntime }: OperationNeeds) {
  return async (caller: DataCaller, body: unknown, context: DataContext): Promise<unknown> => {
    requireScope(caller, 'jobs')
    const job = readJob(body)
    return job.action === 'post' ? post(caller, job.selector, context) : get(caller, job)
  }

  async function post(caller: DataCaller, selector: Selector, { signal }: DataContext): Promise<string[]> {
    const model = requireModel(await findBranch(caller))
    const runtime = await findRuntime(caller)
    const definitions = selectDefinitions(model, runtime, selector)
    if (definitions.length === 0) {
      throw new DataError(400, "A user's selector doesn't match any of the pre-aggregations defined in the data model.")
    }
    const range = selector.dateRange && readRange(selector.dateRange)
    const isWanted = (partition: RollupPartition | null) => partition === null || !range || overlaps(partition, range)
    const { contexts, timezones } = selector
    const jobs = await Promise.all(
      definitions.map(async definition => {
        const { partitions, requestedAt } = await rollupKeeper.rebuild(definition, isWanted, signal).catch(error => {
          throw toDataError(
            error instanceof RangeError ? new DataError(400, `${definition.name}: ${error.message}`) : error,
          )
        })
        return partitions.filter(isWanted).map(partition => ({
          token: randomId(effects),
          deploymentId: caller.deploymentId,
          definition: definition.hash,
          partition: partitionKey(partition),
          tableName: tableName(definition, partition),
          requestedAt: new Date(requestedAt),
          selector: {
            contexts,
            timezones: [definition.timezone],
            cubes: [definition.id.cube],
            preAggregations: [definition.name],
            requested: { timezones },
          },
        }))
      }),
    )
    const all = jobs.flat()
    const forgottenBefore = new Date(effects.now().getTime() - rememberedMs)
    await rollups.insertJobs(store.kysely, caller.accountId, all, forgottenBefore)
    return all.map(({ token }) => token)
  }

  async function get(caller: DataCaller, { tokens, resType }: Extract<z.infer<typeof Job>, { action: 'get' }>) {
    const { accountId, deploymentId } = caller
    const found = await rollups.findJobs(store.kysely, accountId, deploymentId, tokens)
    const tables = await rollups.findTables(store.kysely, accountId, deploymentId, [
      ...new Set(found.map(({ definition }) => definition)),
    ])
    const answers = tokens.map(token => {
      const job = found.find(each => each.token === token)
      if (!job) return { token, table: null, status: 'not_found', selector: null }
      const { requested: _, ...selector } = job.selector
      return { token, table: job.tableName, status: statusOf(job, tables), selector }
    })
    return resType === 'object' ? Object.fromEntries(answers.map(({ token, ...answer }) => [token, answer])) : answers
  }

  function statusOf(job: rollups.RollupJobRow, tables: readonly rollups.RollupTableRow[]): string {
    const { definition, partition, requestedAt, deploymentId } = job
    const own = tables.filter(table => table.definition === definition && table.partition === partition)
    if (own.some(({ builtAt }) => builtAt !== null && builtAt >= requestedAt)) return 'done'
    const beating = effects.now().getTime() - 60_000
    if (own.some(({ claimedAt }) => claimedAt !== null && claimedAt.getTime() > beating)) return 'processing'
    const failed = own.find(({ failedAt }) => failedAt !== null && failedAt >= requestedAt)
    if (failed) return `failure: ${failed.errorText}`
    const state = rollupKeeper.look(deploymentId, definition)
    if (!state) return tables.some(table => table.definition === definition) ? 'scheduled' : 'pre_agg_not_found'
    if (state.failure && state.failure.at >= requestedAt.getTime()) return `failure: ${state.failure.message}`
    return state.layout?.some(each => partitionKey(each) === partition) === false ? 'missing_partition' : 'scheduled'
  }
}

function readJob(body: unknown): z.infer<typeof Job> {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) {
    throw new DataError(400, 'No job description provided')
  }
  const { success, data, error } = Job.safeParse(body)
  if (success) return data
  const issues = error.issues.map(({ path, message }) => (path.length > 0 ? `"${path.join('.')}" ${message}` : message))
  throw new DataError(400, `Invalid Job query format: ${issues.join('; ')}`)
}

/** @throws {DataError} for a zone in which no query would be answered from what is built */
function selectDefinitions(model: Model, runtime: DeploymentRuntime, selector: Selector): RollupDefinition[] {
  const strange = selector.timezones.find(timezone => !runtime.rollups.timezones.includes(timezone))
  if (strange !== undefined) {
    const known = runtime.rollups.timezones.join(', ')
    throw new DataError(
      400,
      `Invalid Job query format: rollups are built for ${known}, not for "${strange}". Set CUBEJS_SCHEDULED_REFRESH_TIMEZONES.`,
    )
  }
  const { accountId, deploymentId } = runtime
  const place = { accountId, deploymentId, sourceOf: (name: string) => runtime.sources().get(name) }
  const dialect = (name: string) => dialectOf(place.sourceOf(name))
  try {
    return model.cubes.flatMap(({ name: cube, dataSource, preAggregations }) => {
      if (selector.cubes && !selector.cubes.includes(cube)) return []
      if (selector.dataSources && !selector.dataSources.includes(dataSource)) return []
      return preAggregations.flatMap(({ name, type }) => {
        if (selector.preAggregations && !selector.preAggregations.includes(`${cube}.${name}`)) return []
        const isBuilt =
          type === 'rollup' || (type === 'original_sql' && keepsUsableRows(model, { cube, name }, dialect))
        if (!isBuilt) return []
        return selector.timezones.map(timezone => defineRollup(model, { cube, name }, timezone, place))
      })
    })
  } catch (error) {
    throw toDataError(error)
  }
}

/** Days as whole days, moments as they are; both of UTC, as rollups are partitioned. */
function readRange([from, to]: readonly [string, string]): readonly [string, string] {
  const [first, last] = [readDate(from), readDate(to)]
  if (last.end >= first.start) return [formatLocal(first.start), formatLocal(last.end)]
  throw new DataError(
    400,
    `Invalid Job query format: "selector.dateRange" ends on '${to}', before it begins on '${from}'`,
  )
}

function readDate(text: string): { readonly start: number; readonly end: number } {
  const date = parseIso(text, 'UTC')
  if (!date) throw new DataError(400, `Invalid Job query format: "selector.dateRange" '${text}' is no date`)
  return { start: date.local, end: date.isDate ? date.local + dayMs - 1 : date.local }
}

const dayMs = 24 * 3600 * 1000

/** A name as the field gives tables (contract/behaviour/data-model.md section 7); no file is called so. */
function tableName({ name, hash }: RollupDefinition, partition: RollupPartition | null): string {
  const digest = createHash('sha256').update(partitionKey(partition)).digest('hex').slice(0, 8)
  const [from] = partition?.range ?? [null]
  const part = partition === null ? '' : (from ?? 'first').replace(/[^0-9a-z]/g, '').slice(0, 10)
  return `${name.replace('.', '_')}${part}_${hash.slice(0, 8)}_${digest}`
}
