import { overlaps, type RollupPartition } from '@hedron/semantic'
import { rollups } from '@hedron/store'
import * as z from 'zod'
import { randomId } from '../../effects.ts'
import { tableNameOf } from '../../rollups/partition-table.ts'
import { partitionKey } from '../../rollups/rollup-state.ts'
import { requireScope } from '../authenticate-data.ts'
import { requireModel } from '../branch-models.ts'
import type { DataCaller } from '../data-caller.ts'
import { DataError } from '../data-error.ts'
import { readDateRange } from '../read-date-range.ts'
import { requireRollupZones, selectRollups } from '../select-rollups.ts'
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
    requireRollupZones(runtime, selector.timezones, 'Invalid Job query format')
    const definitions = selectRollups(model, runtime, selector.timezones, ({ id, dataSource }) => {
      const { cubes, dataSources, preAggregations } = selector
      if (cubes && !cubes.includes(id.cube)) return false
      if (dataSources && !dataSources.includes(dataSource)) return false
      return !preAggregations || preAggregations.includes(`${id.cube}.${id.name}`)
    })
    if (definitions.length === 0) {
      throw new DataError(400, "A user's selector doesn't match any of the pre-aggregations defined in the data model.")
    }
    const range =
      selector.dateRange && readDateRange(selector.dateRange, 'Invalid Job query format: "selector.dateRange"')
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
          tableName: tableNameOf(definition, partition),
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
