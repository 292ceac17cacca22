import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { CreatedAt, Json, UpdatedAt } from './column-types.ts'

type Written<T> = ColumnType<T, string | undefined, string>
type WrittenOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

/** A folder of the workspace of a deployment. `embedTenantId` null: of the account itself; else of that embed tenant alone. */
export interface FolderTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  embedTenantId: number | null
  parentId: number | null
  name: string
  position: Generated<number>
  /** Who owns it; null once that user is gone. */
  userId: number | null
  updatedBy: number | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

export interface WorkbookTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  embedTenantId: number | null
  folderId: number | null
  name: string
  slug: string | null
  /** Free to clients, but for `dashboardDraft`, which is a dashboard's configuration. */
  meta: Written<Json>
  userId: number | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

export interface ReportTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  embedTenantId: number | null
  folderId: number | null
  workbookId: number | null
  /** 12 characters of [0-9A-Za-z], unique in the account. */
  publicId: string
  name: string
  title: string | null
  description: string | null
  jsonQuery: string | null
  sqlQuery: string | null
  pivotItems: WrittenOrNull<Json>
  meta: WrittenOrNull<Json>
  source: string | null
  /** The spreadsheet it was last put into, for clients that know of one place; all of them are `placements`. */
  externalWorkbookId: string | null
  resultLocation: string | null
  endResultCell: string | null
  /** Where spreadsheets show it. */
  placements: Written<Json[]>
  version: Generated<number>
  userId: number | null
  refreshedBy: number | null
  refreshedAt: Date | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

export type DashboardStatus = 'draft' | 'published' | 'archived'

/** Where the summary that an AI widget of a published dashboard shows came from. */
export interface StoredAiThread {
  threadId: string
  /** Of what was summed up, for the client to tell that the rows are others now. */
  checksum: string | null
}

/** The dashboard of a workbook. */
export interface DashboardTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  workbookId: number
  /** 12 characters of [0-9A-Za-z]: its address, unique in the account. */
  publicId: string
  /** Whether signed embed sessions may read it. */
  allowEmbed: Generated<boolean>
  status: Generated<DashboardStatus>
  currentVersionId: number | null
  /** By widget: the chat thread that its summary came from, kept beside the version, which is never changed. */
  aiThreads: Written<Record<string, StoredAiThread>>
  createdBy: number | null
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

/** A dashboard as it was published once. Never changed. */
export interface DashboardVersionTable {
  id: GeneratedAlways<number>
  accountId: number
  dashboardId: number
  number: number
  title: string | null
  description: string | null
  config: JSONColumnType<Json>
  createdBy: number | null
  createdAt: CreatedAt
}

/** A report as it was when the dashboard version that shows it was published. Never changed; the report may be gone. */
export interface ReportSnapshotTable {
  id: GeneratedAlways<number>
  accountId: number
  dashboardVersionId: number
  reportId: number
  versionNumber: number
  content: JSONColumnType<Json>
}

export type ContentType = 'Folder' | 'Workbook' | 'Report'
/** What a share allows; each level includes those before it. */
export type ContentLevel = 'read' | 'edit' | 'manage'

/** One share of an item with one user, group of the account, or group of an embed tenant. */
export interface ResourcePolicyTable {
  id: GeneratedAlways<number>
  accountId: number
  resourceType: ContentType
  resourceId: number
  userId: number | null
  groupId: number | null
  embedGroupId: number | null
  level: ContentLevel
  createdAt: CreatedAt
}

export interface DashboardCommentTable {
  id: GeneratedAlways<number>
  accountId: number
  dashboardId: number
  embedTenantId: number
  /** The comment that began the thread; null: this one did. */
  parentId: number | null
  userId: number | null
  body: string
  editedAt: Date | null
  removedAt: Date | null
  resolvedAt: Date | null
  resolvedBy: number | null
  createdAt: CreatedAt
}

/** When a user last looked at an item. */
export interface ContentViewTable {
  accountId: number
  userId: number
  resourceType: 'Workbook' | 'Report'
  resourceId: number
  viewedAt: Date
}
