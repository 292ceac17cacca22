// All that platform and server can see of the store.
export type { Database, DatabaseOptions, DatabaseTarget } from './database.ts'
export type { Executor } from './executor.ts'
export { type Listener, listen } from './listen.ts'
export { openStore, type Store } from './open-store.ts'
export type {
  BranchKind,
  BuildStatus,
  GitObjectType,
  Schema,
  StoredPartition,
  StoredPolicy,
  StoredProblem,
} from './schema.ts'
export type { ContentLevel, ContentType, DashboardStatus, StoredAiThread } from './schema-content.ts'
export type { AttributeType, AttributeValue, UserGroupKind } from './schema-people.ts'
export { StoreError } from './store-error.ts'
export type { StoreLog } from './store-log.ts'
export * as accountSettings from './tables/account-settings.ts'
export * as accounts from './tables/accounts.ts'
export * as apiKeys from './tables/api-keys.ts'
export * as attributeValues from './tables/attribute-values.ts'
export * as auditLog from './tables/audit-log.ts'
export * as branches from './tables/branches.ts'
export * as builds from './tables/builds.ts'
export * as compiledModels from './tables/compiled-models.ts'
export * as contentAccess from './tables/content-access.ts'
export * as deployments from './tables/deployments.ts'
export * as devSessions from './tables/dev-sessions.ts'
export * as embedAttributes from './tables/embed-attributes.ts'
export * as embedGroups from './tables/embed-groups.ts'
export * as embedSecrets from './tables/embed-secrets.ts'
export * as embedSessions from './tables/embed-sessions.ts'
export * as embedTenants from './tables/embed-tenants.ts'
export * as environmentTokens from './tables/environment-tokens.ts'
export { type EnvironmentRow, listEnvironments } from './tables/environments.ts'
export * as externalUsers from './tables/external-users.ts'
export * as folders from './tables/folders.ts'
export * as gitObjects from './tables/git-objects.ts'
export * as installation from './tables/installation.ts'
export * as memberships from './tables/memberships.ts'
export * as roles from './tables/roles.ts'
export * as rollups from './tables/rollups.ts'
export * as uploads from './tables/uploads.ts'
export * as userChanges from './tables/user-changes.ts'
export * as userRights from './tables/user-rights.ts'
export * as users from './tables/users.ts'
export * as variables from './tables/variables.ts'
export { isUniqueViolation } from './unique-violation.ts'
