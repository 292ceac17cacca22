// All that the server can see of the platform.
export type { CallContext, Caller } from './caller.ts'
export type { GitAccess } from './clone.ts'
export type { Operations } from './operations.ts'
export { createPlatform, type DataFolders, type Platform, type PlatformNeeds } from './platform.ts'
export type { DataApi } from './queries/data-api.ts'
export { DataError } from './queries/data-error.ts'
