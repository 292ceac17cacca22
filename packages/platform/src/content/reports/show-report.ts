import {
  type Permission,
  PivotItems,
  type Report,
  ReportMeta,
  ReportSource,
  type ResourceOwner,
} from '@hedron/contract'
import { type ContentLevel, contentAccess, contentDetails, type Executor, type reports } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'
import { isFromMainWorkspace } from '../workbooks/show-workbook.ts'
import { readPlacements, type StoredPlacement } from './placements.ts'
import { type Asked, queryChecksum } from './query-checksum.ts'

/** What a level of access to a report is called among permissions. */
export const reportActions: Readonly<Record<ContentLevel, Permission>> = {
  read: 'ReportRead',
  edit: 'ReportEdit',
  manage: 'ReportManage',
}

/**
 * Reports as the contract shows them to a viewer, of which guests to the account's workspace see neither its people nor its places in
 * spreadsheets: three more statements however many they are.
 *
 * @param levels what the viewer may do with each; those of his own workspace are looked up where it is left out.
 */
export async function showReports(
  executor: Executor,
  caller: Caller,
  viewer: Viewer,
  rows: readonly reports.ReportRow[],
  levels?: ReadonlyMap<number, ContentLevel>,
): Promise<Report[]> {
  const ids = rows.map(({ id }) => id)
  const present = (values: readonly (number | null)[]) => values.filter(value => value !== null)
  const people = present(rows.flatMap(({ userId, refreshedBy }) => [userId, refreshedBy]))
  const [known, owners, paths] = await Promise.all([
    levels ?? contentAccess.levelsOf(executor, viewer, 'Report', ids),
    contentDetails.findOwners(executor, viewer.accountId, people),
    contentDetails.folderPaths(executor, viewer.accountId, present(rows.map(({ folderId }) => folderId))),
  ])
  const managed = rows.filter(
    row => atMost(viewer.most, known.get(row.id) ?? 'read') === 'manage' && !isFromMainWorkspace(caller, row),
  )
  const shares = await contentDetails.groupShares(
    executor,
    viewer.accountId,
    'Report',
    managed.map(({ id }) => id),
  )
  return rows.map(row => {
    const guest = isFromMainWorkspace(caller, row)
    const level = atMost(viewer.most, known.get(row.id) ?? 'read')
    const person = (id: number | null): ResourceOwner | null => (id === null || guest ? null : (owners.get(id) ?? null))
    const asked = askedOf(row)
    const checksum = queryChecksum(asked)
    const { createdAt, updatedAt, source, meta } = row
    return {
      id: row.id,
      publicId: row.publicId,
      deploymentId: row.deploymentId,
      type: 'REPORT',
      name: row.name,
      title: row.title,
      description: row.description,
      jsonQuery: row.jsonQuery,
      sqlQuery: row.sqlQuery,
      pivotItems: asked.pivotItems,
      meta: meta === null ? null : showMeta(ReportMeta.parse(meta), guest),
      source: source === null ? null : ReportSource.parse(source),
      version: row.version,
      currentQueryChecksum: checksum,
      folderId: row.folderId,
      folderPath: [...(row.folderId === null ? [] : (paths.get(row.folderId) ?? []))],
      workbookId: row.workbookId,
      externalWorkbookId: guest ? null : row.externalWorkbookId,
      externalWorkbookPlacements: guest
        ? []
        : readPlacements(row.placements).map(placement => ({
            ...placement,
            syncStatus: syncStatus(placement, checksum),
          })),
      resultLocation: guest ? null : row.resultLocation,
      endResultCell: guest ? null : row.endResultCell,
      ...(guest || row.userId === null ? {} : { createdBy: row.userId }),
      userId: guest ? null : row.userId,
      user: person(row.userId),
      refreshedBy: guest ? null : row.refreshedBy,
      refreshedByUser: person(row.refreshedBy ?? row.userId),
      canEdit: contentAccess.includesLevel(level, 'edit'),
      canManage: level === 'manage',
      rolesWithAccess:
        level === 'manage' && !guest
          ? (shares.get(row.id) ?? []).map(({ id, name, level }) => ({ id, name, actions: [reportActions[level]] }))
          : [],
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }
  })
}

const atMost = (most: ContentLevel, level: ContentLevel): ContentLevel =>
  contentAccess.includesLevel(most, level) ? level : most

/** What a stored report asks. */
export const askedOf = ({ jsonQuery, sqlQuery, pivotItems }: reports.ReportRow): Asked => ({
  jsonQuery,
  sqlQuery,
  pivotItems: pivotItems === null ? null : PivotItems.parse(pivotItems),
})

/** Code of a report is not shown to guests: it never runs with their rights, and is not theirs to read. */
function showMeta(meta: ReportMeta, guest: boolean): ReportMeta {
  if (!guest || !meta.pythonCode) return meta
  const { pythonCode: _, ...rest } = meta
  return rest
}

function syncStatus({ queryChecksum }: StoredPlacement, current: string): 'UP_TO_DATE' | 'CHANGED' | 'UNKNOWN' {
  if (queryChecksum === null) return 'UNKNOWN'
  return queryChecksum === current ? 'UP_TO_DATE' : 'CHANGED'
}
