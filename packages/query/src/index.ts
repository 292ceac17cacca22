export type { Computation } from './compute/compute.ts'
export { ContinueWait } from './continue-wait.ts'
export { readDataSources } from './data-sources.ts'
export { createDrivers } from './drivers/drivers.ts'
export { createEngines, type Engines, type EnginesOptions } from './engine/engines.ts'
export { createQueryService, type QueryService, type QueryServiceOptions } from './query-service.ts'
export { QueryServiceError, type QueryServiceErrorCode, unsupportedSource } from './query-service-error.ts'
export type { WrittenFile } from './rollups/parquet-writer.ts'
export { createRollupFiles, type RollupFiles } from './rollups/rollup-files.ts'
export type { IncomingRows } from './rollups/write-parquet.ts'
export type { DataSource, DataSources } from './shapes/data-source.ts'
export type { Driver, OpenSource, RowSink, Statement } from './shapes/driver.ts'
export type {
  CacheMode,
  Cell,
  Column,
  ColumnType,
  Parameter,
  QueryRequest,
  QueryResult,
  Refresh,
  RowQuery,
  RowStream,
  Table,
} from './shapes/query.ts'
export type { QueryEvent, QueryServiceLimits, QueryServiceStatistics } from './shapes/service.ts'
export { openRedisResults } from './shared-results/redis-results.ts'
export type { SharedResults } from './shared-results/shared-results.ts'
export type { After } from './timers.ts'
