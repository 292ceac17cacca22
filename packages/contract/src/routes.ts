import type { Route } from './route.ts'
import * as agents from './routes/agents.ts'
import * as chatThreads from './routes/chat-threads.ts'
import * as dashboardComments from './routes/dashboard-comments.ts'
import * as embedAccess from './routes/dashboard-embed-access.ts'
import * as dataModel from './routes/data-model.ts'
import * as dbtSync from './routes/dbt-sync.ts'
import * as deployments from './routes/deployments.ts'
import * as embed from './routes/embed.ts'
import * as embedDashboards from './routes/embed-dashboards.ts'
import * as embedTenants from './routes/embed-tenants.ts'
import * as environments from './routes/environments.ts'
import * as evaluations from './routes/evaluations.ts'
import * as folders from './routes/folders.ts'
import * as logs from './routes/logs.ts'
import * as people from './routes/people.ts'
import * as plans from './routes/plans.ts'
import * as reports from './routes/reports.ts'
import * as resourcePolicies from './routes/resource-policies.ts'
import * as roles from './routes/roles.ts'
import * as tenantSettings from './routes/tenant-settings.ts'
import * as uploads from './routes/uploads.ts'
import * as userAttributes from './routes/user-attributes.ts'
import * as userGroups from './routes/user-groups.ts'
import * as usersAdmin from './routes/users-admin.ts'
import * as workbooks from './routes/workbooks.ts'
import * as workspace from './routes/workspace.ts'

/** Every operation of the platform API by its operation id. What is not here cannot be served. */
export const routes = {
  ...agents,
  ...chatThreads,
  ...deployments,
  ...dbtSync,
  ...dashboardComments,
  ...embedTenants,
  ...environments,
  ...evaluations,
  ...folders,
  ...embed,
  ...resourcePolicies,
  ...people,
  ...dataModel,
  ...uploads,
  ...plans,
  ...logs,
  ...roles,
  ...tenantSettings,
  ...userAttributes,
  ...userGroups,
  ...usersAdmin,
  ...reports,
  ...workbooks,
  ...workspace,
  ...embedAccess,
  ...embedDashboards,
} as const

export type Routes = typeof routes
export type OperationId = keyof Routes

/** In the order of paths, then methods: module namespaces keep no order that could be relied on. */
export const routeList: readonly Route[] = Object.values<Route>(routes).sort((a, b) =>
  `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1,
)
