import { createHttpCatalogs } from '../sql/catalog/http-catalogs.ts'
import { createSqlOperations } from '../sql/sql-operations.ts'
import { createAnswerCubesql } from './operations/answer-cubesql.ts'
import { canUseRollup } from './operations/can-use-rollup.ts'
import { createCancelQuery } from './operations/cancel-query.ts'
import { createCatalog } from './operations/catalog.ts'
import { createDescribeEntities } from './operations/describe-entities.ts'
import { createDescribeModel } from './operations/describe-model.ts'
import { createDryRun } from './operations/dry-run.ts'
import { createExplain } from './operations/explain.ts'
import { createIsReady } from './operations/is-ready.ts'
import { createLoad } from './operations/load.ts'
import { loadGraphql } from './operations/load-graphql.ts'
import type { DataNeeds } from './operations/operation-needs.ts'
import { createRollupJobs } from './operations/rollup-jobs.ts'
import { createShowSql } from './operations/show-sql.ts'
import { createShowStatement } from './operations/show-statement.ts'
import { createShownCubes } from './operations/shown-cubes.ts'
import { createUnderstand } from './understand.ts'

/** Everything of the data API (contract/behaviour/query.md) behind its addresses; every function can throw `DataError`. */
export type DataOperations = ReturnType<typeof createDataOperations>

export function createDataOperations(need: DataNeeds) {
  const needs = { ...need, ...createUnderstand(need) }
  const load = createLoad(needs)
  const sqlApi = createSqlOperations(needs)
  const catalog = createCatalog(needs)
  const graphql = loadGraphql({ ...needs, load })
  return {
    load,
    ...graphql,
    sql: createShowSql({ ...needs, sqlApi }),
    /** Statements, for whoever speaks another protocol than HTTP. */
    statements: sqlApi,
    cubesql: createAnswerCubesql({ ...needs, sqlApi, httpCatalogs: createHttpCatalogs({ ...needs, catalog }) }),
    convertQuery: createShowStatement({ sqlApi }).convert,
    dryRun: createDryRun(needs),
    explain: createExplain(needs),
    meta: createDescribeModel(needs),
    /** The same for parts of the platform that read it. */
    shownCubes: createShownCubes(needs),
    cancel: createCancelQuery(needs),
    ...createDescribeEntities(needs),
    catalog,
    ready: createIsReady(needs),
    rollupJobs: createRollupJobs(needs),
    canUseRollup,
  }
}
