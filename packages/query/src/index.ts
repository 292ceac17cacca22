export { ContinueWait } from './continue-wait.ts'
export { readDataSources } from './data-sources.ts'
export { createQueryService, type QueryService } from './query-service.ts'
export { QueryServiceError, type QueryServiceErrorCode } from './query-service-error.ts'
export type { DataSource, DataSources } from './shapes/data-source.ts'
export type { Driver, OpenSource, Statement } from './shapes/driver.ts'
export type {
  CacheMode,
  Cell,
  Column,
  ColumnType,
  Parameter,
  QueryRequest,
  QueryResult,
  Refresh,
  Table,
} from './shapes/query.ts'
