// All that the server can see of the platform.

export type { CallContext, Caller } from './caller.ts'
export type { ChatAddress, ChatCredential } from './chat/asker/credential.ts'
export type { ChatApi } from './chat/chat-api.ts'
export type { LanguageModelSettings } from './chat/language-model/settings.ts'
export type { Mcp } from './chat/mcp/mcp.ts'
export { McpError } from './chat/mcp/mcp-error.ts'
export type { McpSession } from './chat/mcp/mcp-session.ts'
export type { ChatStatistics } from './chat/stream/chat-counts.ts'
export type { GitAccess } from './clone.ts'
export type { EmbedFraming, EmbedPageAddress } from './embedding/embed-framing.ts'
export type { OpenPrivateSession } from './embedding/private-sessions.ts'
export type { SqlEndpoint } from './environments/environment-operations.ts'
export type { Operations } from './operations.ts'
export { createPlatform } from './platform.ts'
export type { DataFolders, Platform, PlatformNeeds } from './platform-shape.ts'
export type { DataApi } from './queries/data-api.ts'
export { DataError } from './queries/data-error.ts'
export {
  type AuthorizationQuery,
  AuthorizationRefused,
  assistantResource,
  assistantScope,
} from './sign-in/assistants/authorization.ts'
export type { SessionLimits } from './sign-in/browser-sessions.ts'
export { clientName, requireClient, requireScope } from './sign-in/clients.ts'
export { OAuthError } from './sign-in/oauth-error.ts'
export type { Person, Visit } from './sign-in/person.ts'
export type { SignIn } from './sign-in/sign-in.ts'
export { type CatalogAnswers, createCatalogAnswers } from './sql/catalog/catalog-answers.ts'
export type { SqlIdentity, SqlSignIn } from './sql/sign-in/sql-identity.ts'
export type { SqlAccess } from './sql/sql-access.ts'
export type { SqlOperations } from './sql/sql-operations.ts'
export type { PreparedSql, SqlRows, SqlRunOptions, SqlSession } from './sql/sql-session.ts'
