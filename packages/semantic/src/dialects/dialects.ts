import type { DialectName } from '../shapes/compiled.ts'
import { bigquery } from './bigquery.ts'
import { clickhouse } from './clickhouse.ts'
import { databricks } from './databricks.ts'
import type { Dialect } from './dialect.ts'
import { duckdb } from './duckdb.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { redshift } from './redshift.ts'
import { snowflake } from './snowflake.ts'
import { sqlServer } from './sql-server.ts'
import { trino } from './trino.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  duckdb,
  postgres,
  mysql,
  clickhouse,
  trino,
  bigquery,
  snowflake,
  redshift,
  databricks,
  sqlserver: sqlServer,
}
