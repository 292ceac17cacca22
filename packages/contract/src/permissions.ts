import * as z from 'zod'

/** Deployment-wide and account-wide actions, as published (contract/behaviour/devmode-deploy.md section 5). */
export const permissions = [
  'All',
  'DeploymentsManage',
  'DeploymentCreate',
  'DeploymentRead',
  'DeploymentUpdate',
  'DeploymentDelete',
  'SecretsManage',
  'DownloadData',
  'PlaygroundRead',
  'SchemaRead',
  'SchemaUpdate',
  'SchemaUpdateDevBranches',
  'APMRead',
  'ChatHistoryRead',
  'PreAggregationBuild',
  'AlertsCreate',
  'AlertsRead',
  'AlertsUpdate',
  'AlertsDelete',
  'AuditLogManage',
  'BillingRead',
  'SqlRunnerRead',
  'DataAssetsRead',
  'DataAssetsManage',
  'CubeNetworkConnect',
  'ReportRead',
  'ReportEdit',
  'ReportManage',
  'WorkbookManage',
  'WorkbookRead',
  'WorkbookEdit',
  'ChatThreadRead',
  'AgentManage',
  'AgentRead',
  'AgentSpaceManage',
  'AgentAdmin',
  'DeploymentAgentRead',
  'OAuthIntegrationsManage',
  'OAuthIntegrationsIssueTokens',
  'McpToolsManage',
  'AIBIDevelop',
  'AIBIExplore',
  'AIBIView',
  'ChartPalettesManage',
  'DashboardThemesManage',
  'AIBIDeveloper',
  'AIBIUser',
  'AIBIViewer',
  'EmbedDeploymentRead',
  'EmbedDashboardRead',
  'FolderRead',
  'FolderEdit',
  'FolderManage',
] as const

/** Either lets a deployment be read and its data be asked: the second is what embed sessions have. */
export const deploymentReaders = ['DeploymentRead', 'EmbedDeploymentRead'] as const

export const Permission = z.enum(permissions)
export type Permission = z.infer<typeof Permission>

export const PolicyResourceType = z
  .enum([
    'Global',
    'Deployment',
    'Report',
    'ReportFolder',
    'Agent',
    'AgentSpace',
    'Workbook',
    'Dashboard',
    'Folder',
    'ChatThread',
  ])
  .meta({ id: 'PolicyResourceType' })

/** What a user or key may do. A deployment policy lists deployment ids as strings, or `All`. */
export const Policy = z
  .strictObject({
    resourceType: PolicyResourceType,
    actions: z.array(Permission).min(1),
    resources: z.array(z.string()).min(1),
  })
  .meta({ id: 'Policy' })
export type Policy = z.infer<typeof Policy>

/** Any of these opens the workspace of a deployment; what is seen in it is for shares to say. */
export const contentReaders = [
  'DeploymentRead',
  'EmbedDeploymentRead',
  'AIBIView',
  'AIBIExplore',
  'AIBIDevelop',
  'AIBIViewer',
  'AIBIUser',
  'AIBIDeveloper',
] as const satisfies readonly Permission[]

/** Any of these lets its holder make folders, workbooks and reports. */
export const contentCreators = [
  'AIBIExplore',
  'AIBIDevelop',
  'AIBIUser',
  'AIBIDeveloper',
] as const satisfies readonly Permission[]
