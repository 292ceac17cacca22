// All that the other packages can see of the contract.
export { coerceStrings } from './coerce.ts'
export { CodedError, type ErrorCode, type ErrorDetails, errorCodes, errorStatus } from './errors.ts'
export { explainIssues } from './explain.ts'
export { openApiDocument } from './openapi.ts'
export {
  contentCreators,
  contentReaders,
  deploymentReaders,
  type Permission,
  Policy,
  permissions,
} from './permissions.ts'
export type { Access, Method, Route, RouteInput, RouteOutput, UploadedFile } from './route.ts'
export { type OperationId, type Routes, routeList, routes } from './routes.ts'
export * from './schemas/account-settings.ts'
export * from './schemas/agent.ts'
export * from './schemas/app-theme.ts'
export * from './schemas/chat.ts'
export * from './schemas/chat-thread.ts'
export * from './schemas/checked-text.ts'
export * from './schemas/common.ts'
export * from './schemas/content.ts'
export * from './schemas/dashboard.ts'
export * from './schemas/dashboard-comment.ts'
export * from './schemas/dashboard-config.ts'
export * from './schemas/data-model.ts'
export * from './schemas/deployment.ts'
export * from './schemas/embed-session.ts'
export * from './schemas/embed-tenant.ts'
export * from './schemas/embed-user.ts'
export * from './schemas/environment.ts'
export * from './schemas/folder.ts'
export * from './schemas/page.ts'
export * from './schemas/people.ts'
export * from './schemas/report.ts'
export * from './schemas/report-meta.ts'
export * from './schemas/resource-policy.ts'
export * from './schemas/role.ts'
export * from './schemas/user-admin.ts'
export * from './schemas/user-attribute.ts'
export * from './schemas/user-group.ts'
export * from './schemas/workbook.ts'
export * from './schemas/workspace.ts'
