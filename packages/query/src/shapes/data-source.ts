/**
 * One data source of a deployment, read from its `CUBEJS_*` variables: where its queries run and with which credentials.
 * It can hold secrets, so it is never logged or sent.
 */
export interface DataSource {
  /** `default`, or a name listed in `CUBEJS_DATASOURCES`. */
  readonly name: string
  /** Which driver runs its queries: the value of `CUBEJS_DB_TYPE`, where that is another word for one, such as `mssql`, the driver's own. */
  readonly type: string
  /** How many of its queries may run at once in one pool. */
  readonly concurrency: number
  /** How long one of its queries may run, in milliseconds. */
  readonly timeoutMs: number
  /** The deployment's data folder, absolute. File-based databases read below it and nowhere else. */
  readonly dataDirectory: string
  /** What its variables begin with: `CUBEJS_` or `CUBEJS_DS_<NAME>_`. */
  readonly variablePrefix: string
  /** Its variables without that prefix: `DB_HOST`, `DB_DUCKDB_DATABASE_PATH`. */
  readonly settings: Readonly<Record<string, string>>
  /** Changes whenever anything above changes; connections and results are never shared across fingerprints. */
  readonly fingerprint: string
}

/** All data sources of a deployment. */
export interface DataSources {
  /** Sorted as configured, `default` among them. */
  readonly names: readonly string[]
  /** @throws QueryServiceError `source_unknown` */
  get(name: string): DataSource
}
