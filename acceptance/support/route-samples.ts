import type { OperationId, Route } from '@hedron/contract'
import { type ContentFacts, plainDashboard } from './content-facts.ts'
import { manifestOf } from './dbt-manifest.ts'

/** What a request needs to name things that are there. */
export interface Facts extends ContentFacts {
  readonly deploymentId: number
  readonly environmentId: number
  readonly keyId: string
  /** A folder of the caller's user without folders in it, for tests that need one. */
  readonly folderId?: number
  /** A report of the caller's user, for tests that need one, and its public id. */
  readonly reportId?: number
  readonly reportPublicId?: string
  /** A user and a user attribute of the account, for tests that need them. */
  readonly userId?: number
  readonly attributeId?: number
  /** A shared branch that is not the deploy branch. */
  readonly branchName: string
  /** An open upload transaction. */
  readonly transactionId: string
  /** A chat thread of the caller's user in which `sampleMessage` was asked, for tests that need one. */
  readonly chatThreadId?: string
  /** An agent of the deployment, for tests that need one. */
  readonly agentId?: number
  /** An evaluation of the deployment, for tests that need one. */
  readonly evaluationId?: number
  /** A dbt sync of the deployment that made files, for tests that need one. */
  readonly syncJobId?: string
  /** A name that is free. */
  readonly freeName: string
  /** Parameters that mean something else at other places: by the path up to them, `/api/v1/things/{id}`. */
  readonly places?: Readonly<Record<string, string | number>>
}

/** The message that paths name. */
export const sampleMessage = '1790000000000-message'

export interface Sample {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

const file = 'model/sample.yml'
const content = 'cubes: []\n'

/** A request that is as the contract says, for each operation: what is left out has no body and no query. */
export const samples: Readonly<Record<OperationId, (facts: Facts) => Sample>> = {
  advanceCreationStep: () => ({ body: { creationStep: 'schema' } }),
  addUserGroupMembers: ({ userId = 1 }) => ({ body: { members: [{ userId }] } }),
  assignRoleToGroup: () => ({}),
  createUserAttribute: ({ freeName }) => ({ body: { name: freeName, type: 'string' } }),
  createUserGroup: ({ freeName }) => ({ body: { name: freeName } }),
  deleteGroupByOlderPath: () => ({}),
  deleteUserAttribute: () => ({}),
  deleteUserGroup: () => ({}),
  getUserAttributeValues: () => ({}),
  getUserAttributes: () => ({}),
  getUserGroup: () => ({}),
  listUserGroupMembers: () => ({}),
  listUserGroups: () => ({}),
  removeRoleFromGroup: () => ({}),
  removeUserGroupMembers: ({ userId = 1 }) => ({ body: { members: [{ userId }] } }),
  updateUserAttribute: () => ({ body: { description: 'sample' } }),
  updateUserGroup: () => ({ body: { description: 'sample' } }),
  upsertUserAttributeValue: ({ userId = 1, attributeId = 1 }) => ({
    body: { userId: String(userId), userAttributeId: String(attributeId), value: 'sample' },
  }),
  assignRoleToUser: () => ({}),
  bulkUserAction: ({ userId = 1 }) => ({ body: { action: 'ACTIVATE', userIds: [userId] } }),
  createRole: ({ freeName }) => ({ body: { name: freeName, policies: [] } }),
  createUser: ({ freeName }) => ({ body: { email: `${freeName}@example.com`, username: freeName } }),
  deleteRole: () => ({}),
  deleteUser: () => ({}),
  cancelDbtSync: () => ({}),
  getDbtSyncGeneratedFiles: () => ({}),
  getDbtSyncLogs: () => ({}),
  getDbtSyncResult: () => ({}),
  getDbtSyncStatus: () => ({}),
  listDbtSyncs: () => ({}),
  startDbtSync: () => ({ body: { source: 'manifest', output: 'files', manifest: manifestOf(['orders']) } }),
  createSignInLink: () => ({}),
  getRole: () => ({}),
  getRoles: () => ({}),
  removeRoleFromUser: () => ({}),
  updateMySettings: () => ({ body: { locale: 'en-US' } }),
  updateRole: () => ({ body: { description: 'sample' } }),
  updateUser: () => ({ body: { title: 'sample' } }),
  buildStatus: () => ({}),
  connectReportToWorkbook: () => ({ body: { externalWorkbookId: 'sheet', resultLocation: 'Sheet1!A1' } }),
  createReport: ({ freeName }) => ({ body: { name: freeName } }),
  deleteReport: () => ({}),
  disconnectReportFromWorkbook: () => ({ body: { externalWorkbookId: 'sheet', resultLocation: 'Sheet1!A1' } }),
  getReport: () => ({}),
  getReports: () => ({}),
  refreshReport: () => ({ body: {} }),
  updateReport: ({ freeName }) => ({ body: { name: freeName } }),
  upsertReportByPublicId: ({ freeName }) => ({ body: { name: freeName } }),
  commitChanges: () => ({ body: {} }),
  listChatThreads: () => ({}),
  getChatThread: () => ({}),
  updateChatThread: () => ({ body: { title: 'sample' } }),
  deleteChatThread: () => ({}),
  rateChatMessage: () => ({ body: { rating: 'up' } }),
  listChatHistory: () => ({}),
  getChatHistory: () => ({}),
  createApiKey: ({ freeName }) => ({ body: { name: freeName } }),
  createFolder: ({ freeName }) => ({ body: { name: freeName } }),
  deleteFolder: () => ({}),
  getFolderAncestors: () => ({}),
  getFolders: () => ({}),
  workspaceObjects: () => ({}),
  sharedWorkspaceObjects: () => ({}),
  moveWorkspaceObject: ({ folderId = 1 }) => ({ body: { type: 'FOLDER', id: folderId, folderId: null } }),
  bulkMoveWorkspaceObjects: ({ folderId = 1 }) => ({
    body: { items: [{ type: 'FOLDER', id: folderId }], folderId: null },
  }),
  bulkDeleteWorkspaceObjects: ({ folderId = 1 }) => ({ body: { items: [{ type: 'FOLDER', id: folderId }] } }),
  getResourcePolicies: ({ folderId = 1 }) => ({ query: { resourceType: 'Folder', resourceId: String(folderId) } }),
  listShareableGroups: ({ folderId = 1 }) => ({ query: { resourceType: 'Folder', resourceId: String(folderId) } }),
  listShareableUsers: ({ folderId = 1 }) => ({ query: { resourceType: 'Folder', resourceId: String(folderId) } }),
  setUserPolicy: ({ folderId = 1 }) => ({ body: { resourceType: 'Folder', resourceId: folderId, userId: 1 } }),
  setGroupPolicy: ({ folderId = 1 }) => ({ body: { resourceType: 'Folder', resourceId: folderId, groupId: 1 } }),
  updateFolder: ({ freeName }) => ({ body: { name: freeName } }),
  createBranch: ({ freeName }) => ({ body: { name: freeName } }),
  createWorkbook: ({ freeName }) => ({ body: { name: freeName } }),
  createDeployment: ({ freeName }) => ({ body: { name: freeName } }),
  createDeploymentEnvironmentToken: () => ({ body: { security_context: { team: 'a' } } }),
  createDeploymentEnvironmentTokenForMetaSync: () => ({ body: { security_context: {} } }),
  deleteDeployment: () => ({}),
  deleteWorkbook: () => ({}),
  deploymentToken: () => ({ body: {} }),
  duplicateWorkbook: () => ({ body: {} }),
  fileHashes: () => ({}),
  finishUpload: ({ transactionId }) => ({
    body: { transaction: { id: transactionId }, files: {}, autoRemoveFiles: false },
  }),
  planUpload: ({ transactionId }) => ({
    body: { transaction: { id: transactionId }, files: {}, autoRemoveFiles: false },
  }),
  planMergeToDefault: ({ branchName }) => ({ body: { branchName } }),
  logs: () => ({}),
  pods: () => ({}),
  generateSession: ({ deploymentId, freeName }) => ({ body: { deploymentId, externalId: freeName } }),
  getApiKey: () => ({}),
  getAppConfig: () => ({}),
  getDashboard: () => ({}),
  getDeployment: () => ({}),
  getDeploymentEnvironmentTokens: () => ({}),
  getDeploymentEnvironments: () => ({}),
  getDeploymentSettings: () => ({}),
  getDeployments: () => ({}),
  getEmbedAccess: () => ({}),
  getEnvVariables: () => ({}),
  getMe: () => ({}),
  getSpec: () => ({}),
  getTenantSettings: () => ({}),
  getUsers: () => ({}),
  getWorkbook: () => ({}),
  getWorkbooks: () => ({}),
  getEvaluation: () => ({}),
  getEvaluationResults: () => ({}),
  startEvaluation: () => ({ body: { branchName: 'main' } }),
  listAgents: () => ({}),
  listAgentSkills: () => ({}),
  updateAgent: () => ({ body: { allowEmbedding: true } }),
  listApiKeys: () => ({}),
  listBranches: () => ({}),
  listDeploymentVersions: () => ({}),
  listEmbedTenantWorkbooks: () => ({}),
  listFiles: () => ({}),
  listRegions: () => ({}),
  mergeIntoParentBranch: ({ branchName }) => ({ body: { branchName } }),
  mergeToDefaultBranch: ({ branchName }) => ({ body: { branchName } }),
  postTokenBySessionId: () => ({ body: { sessionId: '0'.repeat(64) } }),
  postDashboardPythonRun: () => ({ body: { reportId: 1, reportVersionId: 1, sqlQuery: 'select 1' } }),
  publishDashboard: ({ workbookId }) => ({ body: { workbookId } }),
  pull: ({ branchName }) => ({ body: { branchName } }),
  removeBranch: ({ branchName }) => ({ query: { branchName } }),
  removeFiles: () => ({ body: { files: [{ path: file }] } }),
  renameFiles: () => ({ body: { files: [{ path: file, newPath: 'model/renamed.yml' }] } }),
  renewSession: () => ({}),
  resetCreationStep: () => ({}),
  revokeApiKey: () => ({}),
  revokeSession: () => ({ body: { sessionId: '0'.repeat(64) } }),
  rotateEmbedSecret: () => ({ body: {} }),
  setBranchStagingEnvironment: ({ branchName }) => ({ body: { branchName, enabled: true } }),
  setEnvVariables: () => ({ body: { env_variables: [{ name: 'SAMPLE', value: 'one' }] } }),
  startDevMode: ({ branchName }) => ({ body: { branchName } }),
  startUpload: () => ({ body: {} }),
  stopDevMode: () => ({}),
  updateDashboardEmbedding: () => ({ body: { allowEmbed: true } }),
  updateDeployment: () => ({ body: { templateVariables: { sample: true } } }),
  updateEmbedAccess: () => ({ body: { allowEmbed: true } }),
  updateFiles: () => ({ body: { files: [{ path: file, content }] } }),
  updateTenantSettings: () => ({ body: { useCreatorMode: true } }),
  updatePublishedDashboardAiWidgetThread: () => ({ body: { widgetId: 'summary', threadId: 'thread' } }),
  updateWorkbook: ({ freeName }) => ({ body: { name: freeName } }),
  updateWorkbookDashboard: () => ({ body: { dashboardDraft: plainDashboard } }),
  uploadFile: ({ transactionId }) => ({ body: uploadForm({ id: transactionId }, [{ path: file, content }]) }),
  deleteEmbedTenant: () => ({}),
  deleteEmbedUserAttribute: () => ({}),
  deleteGroup: () => ({}),
  getGroup: () => ({}),
  getGroups: () => ({}),
  listEmbedTenants: () => ({}),
  listEmbedUserAttributes: () => ({}),
  createGroup: ({ freeName }) => ({ body: { name: freeName } }),
  updateGroup: () => ({ body: { description: 'sample' } }),
  upsertWorkbookBySlug: ({ freeName }) => ({ body: { name: freeName } }),
  addGroupMembers: ({ freeName }) => ({ body: { members: [{ externalId: freeName }] } }),
  getGroupMembers: () => ({}),
  removeGroupMembers: ({ freeName }) => ({ body: { members: [{ externalId: freeName }] } }),
  listEmbedUsers: () => ({}),
  provisionEmbedUser: ({ freeName }) => ({ body: { externalId: freeName } }),
  provisionEmbedUsers: ({ freeName }) => ({ body: { users: [{ externalId: freeName }] } }),
  createDashboardComment: () => ({ body: { body: 'sample' } }),
  listDashboardComments: () => ({}),
  listMentionableEmbedUsers: () => ({}),
  removeDashboardComment: () => ({}),
  setDashboardCommentResolved: () => ({ body: { resolved: true } }),
  updateDashboardComment: () => ({ body: { body: 'sample' } }),
  validateDataModel: () => ({}),
}

/** Path and body of the sample request of a route. */
export function sampleRequest(route: Route, facts: Facts): { path: string; body: object | undefined } {
  const { query, body } = samples[route.operationId as OperationId](facts)
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return { path: fillPath(route, facts) + search, body }
}

/** The path of a route with its parameters filled in; those of `values` go before the facts. */
export function fillPath(route: Route, facts: Facts, values: Readonly<Record<string, string>> = {}): string {
  const all: Readonly<Record<string, string | number>> = {
    deploymentId: facts.deploymentId,
    environmentId: facts.environmentId,
    folderId: facts.folderId ?? 1,
    embedTenantName: 'no-such-tenant',
    roleId: 1,
    userId: facts.userId ?? 1,
    // None that is there: the first may be a group of the system.
    groupId: 999_999_999,
    // An id is a number everywhere but at API keys.
    id: route.path.startsWith('/api/v1/api-keys/') ? facts.keyId : 1,
    reportId: facts.reportId ?? 1,
    commentId: 1,
    agentId: facts.agentId ?? 1,
    evaluationId: facts.evaluationId ?? 1,
    chatThreadId: facts.chatThreadId ?? 'no-such-thread',
    chatMessageId: sampleMessage,
    syncJobId: facts.syncJobId ?? 'no-such-sync',
    workbookId: facts.workbookId,
    slug: facts.slug,
    publicId: route.path.includes('/embed/dashboard/') ? facts.publicId : (facts.reportPublicId ?? 'AbCdEfGhIjKl'),
  }
  return route.path.replaceAll(/\{(\w+)\}/g, (parameter, name: string, offset: number) => {
    const place = route.path.slice(0, offset + parameter.length)
    return encodeURIComponent(String(values[name] ?? facts.places?.[place] ?? all[name]))
  })
}

/** A form that uploads files: one as older clients send it, with its path in a field; several with the path of each as its name. */
export function uploadForm(
  transaction: { readonly id: string },
  files: readonly { readonly path: string; readonly content: string | Uint8Array<ArrayBuffer> }[],
): FormData {
  const form = new FormData()
  form.append('transaction', JSON.stringify(transaction))
  const [first] = files
  if (first !== undefined && files.length === 1) form.append('fileName', first.path)
  for (const file of files) {
    form.append('file', new Blob([file.content], { type: 'application/octet-stream' }), file.path)
  }
  return form
}
