import type { Engines } from '../engine/engines.ts'
import type { Driver } from '../shapes/driver.ts'
import { createBigQueryDriver } from './bigquery/bigquery.ts'
import { createClickHouseDriver } from './clickhouse/clickhouse.ts'
import { createDatabricksDriver } from './databricks/databricks.ts'
import { createDuckDbDriver, type DuckDbLimits } from './duckdb/duckdb.ts'
import { createMySqlDriver } from './mysql/mysql.ts'
import { createPostgresDriver } from './postgres/postgres.ts'
import { createRedshiftDriver } from './redshift/redshift.ts'
import { createSnowflakeDriver } from './snowflake/snowflake.ts'
import { createSqlServerDriver } from './sqlserver/sqlserver.ts'
import { createTrinoDriver } from './trino/trino.ts'

/**
 * Every driver that is built. A new one is a folder beside this file and one line here.
 *
 * @param options.engines where DuckDB computes. Default: engines of its own
 */
export function createDrivers(
  options: { readonly duckdb?: DuckDbLimits; readonly engines?: Engines } = {},
): readonly Driver[] {
  return [
    createDuckDbDriver(options.duckdb, options.engines),
    createPostgresDriver(),
    createMySqlDriver(),
    createClickHouseDriver(),
    createTrinoDriver(),
    createBigQueryDriver(),
    createRedshiftDriver(),
    createSqlServerDriver(),
    createSnowflakeDriver(),
    createDatabricksDriver(),
  ]
}
