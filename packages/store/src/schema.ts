import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, Json, JsonOf, UpdatedAt } from './column-types.ts'
import type * as agents from './schema-agents.ts'
import type * as chat from './schema-chat.ts'
import type * as content from './schema-content.ts'
import type * as people from './schema-people.ts'
import type * as signIn from './schema-sign-in.ts'
import type * as sync from './schema-sync.ts'

export interface AccountTable {
  id: GeneratedAlways<number>
  name: string
  createdAt: CreatedAt
}

export interface UserTable {
  id: GeneratedAlways<number>
  accountId: number
  /** Null for an external user of whom none is known. */
  email: string | null
  username: string
  firstName: string | null
  picture: string | null
  title: string | null
  /** Trimmed and in lower case; null: an internal user. */
  externalId: string | null
  /** Of an external user: the embed tenant; null: the account itself. */
  embedTenantId: number | null
  isEphemeral: Generated<boolean>
  /** When an ephemeral user is removed. */
  expiresAt: Date | null
  isAdmin: Generated<boolean>
  isDeactivated: Generated<boolean>
  /** argon2id, encoded with its parameters and salt. */
  passwordHash: string | null
  settings: ColumnType<Json | null, string | null | undefined, string | null>
  notifications: ColumnType<Json, string | undefined, string>
  policies: ColumnType<StoredPolicy[], string | undefined, string>
  /** What was said when the terms were accepted, as the client sent it. */
  tosAccepted: ColumnType<Json | null, string | null | undefined, string | null>
  createdAt: CreatedAt
  updatedAt: UpdatedAt
  lastLoginAt: Date | null
}

export interface StoredPolicy {
  resourceType: string
  actions: string[]
  resources: string[]
}

export interface ApiKeyTable {
  id: string
  accountId: number
  createdByUserId: number | null
  name: string
  /** SHA-256 of the secret. */
  digest: Buffer
  prefix: string
  deploymentIds: number[] | null
  policies: ColumnType<StoredPolicy[] | null, string | null, string | null>
  createdAt: CreatedAt
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

export interface DeploymentTable {
  id: GeneratedAlways<number>
  accountId: number
  name: string
  creationStep: string
  creationMethod: string | null
  deployMode: string
  cloudProvider: string
  region: string
  targetPlatform: string
  isManaged: boolean
  template: Generated<string>
  templateVariables: ColumnType<Json, string | undefined, string>
  releaseChannel: Generated<string>
  releaseChannelVersion: string
  releaseChannelVersionHold: Generated<boolean>
  /** Null only inside the transaction that creates the deployment. */
  deployBranchId: number | null
  deployBranchReadOnly: Generated<boolean>
  deployBranchMergeAllowed: Generated<boolean>
  deployProjectRoot: Generated<string>
  customDomain: string | null
  defaultLaunchpadViewGroup: string | null
  launchpadTabs: ColumnType<string[] | null, string | null | undefined, string | null>
  cspsConfig: ColumnType<Json | null, string | null | undefined, string | null>
  /** Whether chat and embedding take the deployment's own tokens. */
  serviceAuthEnabled: Generated<boolean>
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

export interface VariableTable {
  accountId: number
  deploymentId: number
  name: string
  /** The value, sealed with AES-256-GCM. */
  sealed: Buffer
  updatedAt: UpdatedAt
}

export type BranchKind = 'shared' | 'dev'

export interface BranchTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  name: string
  kind: BranchKind
  parentId: number | null
  /** Newest commit, a git id. */
  head: Buffer
  /** Tree with the edits that are not committed; null where there are none. Personal dev branches only. */
  workingTree: Buffer | null
  /** Head of the other branch when a merge into or from it found conflicts; null otherwise. */
  conflictWith: Buffer | null
  /** Tree of the last build that compiled: what the data API answers from. */
  servingTree: Buffer | null
  isStagingEnabled: Generated<boolean>
  ownerUserId: number | null
  /** Credential that entered dev mode, for example `key:abc`. */
  ownerCredential: string | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

/** The branch that a credential works on while it is in dev mode. */
export interface DevSessionTable {
  accountId: number
  deploymentId: number
  credential: string
  userId: number | null
  branchId: number
  startedAt: UpdatedAt
}

export type GitObjectType = 'blob' | 'tree' | 'commit'

export interface GitObjectTable {
  accountId: number
  deploymentId: number
  /** The 20 bytes of the git id. */
  id: Buffer
  type: GitObjectType
  content: Buffer
  /** SHA-1 of the bytes of a blob without git's header, by which clients compare files; null for trees and commits. */
  sha1: Buffer | null
}

export interface UploadTable {
  id: string
  accountId: number
  deploymentId: number
  branchId: number
  credential: string
  /** Whether the paths of its files begin at the deployment's project root. */
  usesProjectRoot: boolean
  createdAt: CreatedAt
  finishedAt: Date | null
  /** Tree of the branch after it; null while it is open. */
  tree: Buffer | null
}

export interface UploadFileTable {
  accountId: number
  uploadId: string
  path: string
  blob: Buffer
  size: number
}

export type BuildStatus = 'queued' | 'building' | 'built' | 'failed' | 'cancelled'

export interface BuildTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  branchId: number
  tree: Buffer
  commit: Buffer
  status: BuildStatus
  errorText: string | null
  createdAt: CreatedAt
  startedAt: Date | null
  finishedAt: Date | null
}

/** One row a project tree and compiler version: a tree compiles once, ever. */
export interface CompiledModelTable {
  accountId: number
  deploymentId: number
  tree: Buffer
  compilerVersion: string
  cubesCount: number
  problems: JsonOf<StoredProblem[]>
  warnings: JsonOf<StoredProblem[]>
  /** The resolved model as JSON text; null when there are problems. */
  model: string | null
  createdAt: CreatedAt
}

export interface StoredProblem {
  code: string
  message: string
  file: string
  line: number
  column: number
}

export interface EnvironmentTokenTable {
  id: string
  accountId: number
  deploymentId: number
  branchId: number
  /** What the token was signed over; the token itself is made again from it, never stored. */
  claims: JsonOf<Json>
  createdAt: ColumnType<Date, Date, never>
  expiresAt: Date
}

/** Who did what, from where. Rows are only ever added. */
export interface AuditTable {
  id: GeneratedAlways<number>
  accountId: number
  at: Date
  actor: string
  action: string
  target: string
  address: string | null
  requestId: string | null
  details: JsonOf<Json>
}

/** A rollup as one node keeps it. */
export interface RollupStateTable {
  accountId: number
  deploymentId: number
  /** SHA-256 of all that decides which rows it has. */
  definition: string
  node: string
  /** `cube.rollup` */
  name: string
  timezone: string
  /** Its partitions in order of time; null until the source was asked. */
  layout: ColumnType<StoredPartition[] | null, string | null, string | null>
  surveyedAt: Date | null
  usedAt: Date
}

/** Local times, the first included, the second not; null where there is no end. */
export interface StoredPartition {
  range: [string | null, string | null]
  withUndated: boolean
}

/** One partition of it. `file` is null until it was built for the first time. */
export interface RollupPartitionTable {
  accountId: number
  deploymentId: number
  definition: string
  node: string
  partition: string
  /** A build that runs says so again and again. */
  claimedAt: Date | null
  file: string | null
  /** What queries read its columns as. */
  columns: ColumnType<{ name: string; type: string }[] | null, string | null, string | null>
  refreshValue: string | null
  /** When its source was asked. */
  builtAt: Date | null
  rowCount: number | null
  byteCount: number | null
  /** The last step of its time that has rows, as a local time. */
  lastStep: string | null
  errorText: string | null
  failedAt: Date | null
}

/** A build that somebody asked for. */
export interface RollupJobTable {
  token: string
  accountId: number
  deploymentId: number
  definition: string
  partition: string
  tableName: string
  selector: JsonOf<Json>
  requestedAt: Date
}

/** Facts about this installation, for example that the demo was made. */
export interface InstallationTable {
  name: string
  value: JsonOf<Json>
}

export interface Schema {
  accounts: AccountTable
  users: UserTable
  apiKeys: ApiKeyTable
  deployments: DeploymentTable
  variables: VariableTable
  branches: BranchTable
  devSessions: DevSessionTable
  gitObjects: GitObjectTable
  uploads: UploadTable
  uploadFiles: UploadFileTable
  builds: BuildTable
  compiledModels: CompiledModelTable
  environmentTokens: EnvironmentTokenTable
  auditLog: AuditTable
  installation: InstallationTable
  rollups: RollupStateTable
  rollupTables: RollupPartitionTable
  rollupJobs: RollupJobTable
  embedTenants: people.EmbedTenantTable
  userGroups: people.UserGroupTable
  userGroupMembers: people.GroupMemberTable
  roles: people.RoleTable
  userRoles: people.UserRoleTable
  groupRoles: people.GroupRoleTable
  userAttributes: people.UserAttributeTable
  userAttributeValues: people.AttributeValueTable
  embedUserGroups: people.EmbedUserGroupTable
  embedUserGroupMembers: people.GroupMemberTable
  embedUserAttributes: people.EmbedUserAttributeTable
  embedUserAttributeValues: people.AttributeValueTable
  embedSecrets: people.EmbedSecretTable
  embedSessions: people.EmbedSessionTable
  accountSettings: people.AccountSettingsTable
  folders: content.FolderTable
  workbooks: content.WorkbookTable
  reports: content.ReportTable
  dashboards: content.DashboardTable
  dashboardVersions: content.DashboardVersionTable
  reportSnapshots: content.ReportSnapshotTable
  resourcePolicies: content.ResourcePolicyTable
  dashboardComments: content.DashboardCommentTable
  contentViews: content.ContentViewTable
  chatThreads: chat.ChatThreadTable
  chatTurns: chat.ChatTurnTable
  chatEvents: chat.ChatEventTable
  chatNodes: chat.ChatNodeTable
  signIns: signIn.SignInTable
  logins: signIn.LoginTable
  oauthClients: signIn.OAuthClientTable
  authorizationCodes: signIn.AuthorizationCodeTable
  loginTokens: signIn.LoginTokenTable
  deviceCodes: signIn.DeviceCodeTable
  signInLinks: signIn.SignInLinkTable
  attempts: signIn.AttemptTable
  syncJobs: sync.SyncJobTable
  agents: agents.AgentTable
  agentFiles: agents.AgentFilesTable
  agentMemories: agents.AgentMemoryTable
  evalRuns: agents.EvalRunTable
  evalResults: agents.EvalResultTable
}
