import type { Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'
import { createCommentOperations } from '../embedding/dashboards/comments/comment-operations.ts'
import { createEmbedDashboardOperations } from '../embedding/dashboards/embed-dashboard-operations.ts'
import { createContentAccess } from './access/content-access.ts'
import { createDashboardOperations } from './dashboards/dashboard-operations.ts'
import { createChangeFolders } from './folders/change-folders.ts'
import { createFolderOperations } from './folders/folder-operations.ts'
import { createReportOperations } from './reports/report-operations.ts'
import { createSharingOperations } from './sharing/sharing-operations.ts'
import { createEmbedAccessOperations } from './workbooks/embed-access-operations.ts'
import { createWorkbookOperations } from './workbooks/workbook-operations.ts'
import { createWorkspaceOperations } from './workspace/workspace-operations.ts'

interface ContentNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly report: (error: unknown) => void
}

/** What a deployment's workspace holds, and who it is shared with. */
export function createContentOperations(needs: ContentNeeds) {
  const access = createContentAccess(needs)
  const common = { ...needs, access, changeFolders: createChangeFolders(access) }
  return {
    ...createFolderOperations(common),
    ...createSharingOperations(common),
    ...createWorkspaceOperations(common),
    ...createReportOperations(common),
    ...createWorkbookOperations(common),
    ...createDashboardOperations(common),
    ...createEmbedAccessOperations(common),
    ...createEmbedDashboardOperations(common),
    ...createCommentOperations(common),
  }
}
