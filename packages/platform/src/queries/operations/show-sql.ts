import type { CompiledQuery } from '@hedron/semantic'
import type { SqlOperations } from '../../sql/sql-operations.ts'
import { requireScope } from '../authenticate-data.ts'
import type { DataCaller } from '../data-caller.ts'
import { describeFitting } from '../rollup-answer.ts'
import type { OperationNeeds } from './operation-needs.ts'
import { orderOf } from './order-of.ts'
import { createShowStatement, isStatementRequest } from './show-statement.ts'

/** The SQL of each query, or of a statement, as it would reach its data source (contract/behaviour/query.md section 6). */
export function createShowSql({ understand, sqlApi }: OperationNeeds & { readonly sqlApi: SqlOperations }) {
  const { statement } = createShowStatement({ sqlApi })
  return async (caller: DataCaller, parameters: unknown): Promise<unknown> => {
    requireScope(caller, 'sql')
    if (isStatementRequest(parameters)) return statement(caller, parameters)
    const { planned } = await understand(caller, parameters)
    const all = planned.map(({ query, compiled, rollup, needsRollup, rollupNeeds }) => ({
      sql: {
        status: 'ok',
        sql: [compiled.sql, compiled.parameters],
        order: orderOf(query),
        aliasNameToMember: Object.fromEntries(compiled.columns.map(column => [column.alias, column.member])),
        memberNames: [...new Set(compiled.columns.map(column => column.member))],
        dataSource: compiled.dataSource,
        external: needsRollup,
        preAggregations: describeFitting(rollup()),
        cacheKeyQueries: cacheKeyQueries(compiled),
        canUseTransformedQuery: rollupNeeds() ?? {},
      },
      dataSource: compiled.dataSource,
    }))
    return planned[0]?.query.queryType === 'regularQuery' ? all[0] : all
  }
}

/** Statements whose answers say whether a result is still current, each with its parameters and for how many seconds it is believed. */
const cacheKeyQueries = ({ refreshKeys }: CompiledQuery) =>
  refreshKeys.flatMap(key =>
    key.kind === 'sql' ? [[key.statement.sql, key.statement.parameters, { renewalThreshold: key.seconds }]] : [],
  )
