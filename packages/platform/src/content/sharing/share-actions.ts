import { CodedError, type ShareAction, type SharedResourceType } from '@hedron/contract'
import type { ContentLevel } from '@hedron/store'

const byType = {
  Folder: { read: 'FolderRead', edit: 'FolderEdit', manage: 'FolderManage' },
  Workbook: { read: 'WorkbookRead', edit: 'WorkbookEdit', manage: 'WorkbookManage' },
  Report: { read: 'ReportRead', edit: 'ReportEdit', manage: 'ReportManage' },
} as const satisfies Record<SharedResourceType, Record<ContentLevel, ShareAction>>

const levels = ['read', 'edit', 'manage'] as const satisfies readonly ContentLevel[]

/** What a level allows, as an action of the type. */
export const actionOf = (type: SharedResourceType, level: ContentLevel): ShareAction => byType[type][level]

/** That and all that it includes. */
export const actionsOf = (type: SharedResourceType, level: ContentLevel): ShareAction[] =>
  levels.slice(0, levels.indexOf(level) + 1).map(each => byType[type][each])

/** @throws {CodedError} `invalid_request` for an action of another type. */
export function levelOfAction(type: SharedResourceType, action: ShareAction): ContentLevel {
  const level = levels.find(each => byType[type][each] === action)
  if (level !== undefined) return level
  const allowed = actionsOf(type, 'manage').join(', ')
  throw new CodedError('invalid_request', {
    problems: `action: a ${type} is shared with one of ${allowed}, not ${action}`,
  })
}
