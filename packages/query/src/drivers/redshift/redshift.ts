import type { Driver } from '../../shapes/driver.ts'
import { createPostgresDriver } from '../postgres/postgres.ts'

/** Amazon Redshift: PostgreSQL's protocol with a port, limits and settings of its own; it knows no `bytea_output`. */
export function createRedshiftDriver(): Driver {
  return createPostgresDriver({
    type: 'redshift',
    title: 'Redshift',
    port: 5439,
    setUp: ["SET TIMEZONE TO 'UTC'", "SET DATESTYLE TO 'ISO, YMD'", 'SET extra_float_digits TO 1'],
    mostParameters: 32_767,
  })
}
