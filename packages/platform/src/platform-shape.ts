import type { QueryService, RollupFiles } from '@hedron/query'
import type { Store } from '@hedron/store'
import type { CallContext, Caller } from './caller.ts'
import type { ChatApi } from './chat/chat-api.ts'
import type { LanguageModelSettings } from './chat/language-model/settings.ts'
import type { Mcp } from './chat/mcp/mcp.ts'
import type { GitAccess } from './clone.ts'
import type { DbtSettings } from './dbt/fetch-project.ts'
import type { Releases } from './deployments/versions.ts'
import type { Effects } from './effects.ts'
import type { EmbedFraming } from './embedding/embed-framing.ts'
import type { OpenPrivateSession } from './embedding/private-sessions.ts'
import type { SqlEndpoint } from './environments/environment-operations.ts'
import type { Operations } from './operations.ts'
import type { Refusals } from './people/refusals.ts'
import type { DataApi } from './queries/data-api.ts'
import type { RollupLimits } from './rollups/rollup-keeper.ts'
import type { DemoProject } from './seed/demo.ts'
import type { DemoWorkbook } from './seed/demo-workbook.ts'
import type { FirstAccount, FirstAccountOptions } from './seed/first-account.ts'
import type { SignIn, SignInNeeds } from './sign-in/sign-in.ts'
import type { SqlAccess } from './sql/sql-access.ts'

export interface PlatformNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly queryService: QueryService
  /** Secrets are sealed under it. */
  readonly secretKey: Buffer
  /** The folders that file-based data sources of deployments read. */
  readonly dataFolders: DataFolders
  /** How clients reach the service, without a trailing slash. */
  readonly baseUrl: () => string
  /** Where the SQL protocol is spoken; null: nowhere. */
  readonly sqlEndpoint: () => SqlEndpoint | null
  readonly releases: Releases
  /** Changes with the code of the model compiler. */
  readonly compilerVersion: string
  readonly continueWaitMs: number
  /** Requests a second that the data API of a deployment answers; 0: as many as come. */
  readonly dataRateLimit: number
  /** How long after its exchange an embed session can be renewed, in milliseconds. */
  readonly longestSessionMs: number
  /** How long people stay signed in, and programs logged in. */
  readonly signInLimits: SignInNeeds['signInLimits']
  /** Whether and how dbt is run on this server. */
  readonly dbt: DbtSettings
  /** How long the answer to a chat message may take, in milliseconds. */
  readonly chatTurnMs: number
  /** Which language models answer in chats. */
  readonly languageModels: LanguageModelSettings
  readonly rollups: RollupHome
  /** Told of faults that no caller waits for. */
  readonly report: (error: unknown) => void
  /** Told what an operator should know before it becomes a fault. */
  readonly warn: (message: string) => void
}

/** Where this node keeps its rollups. */
export interface RollupHome extends RollupLimits {
  readonly files: RollupFiles
  /** The node's name, the same after every start. */
  readonly node: string
}

/** A folder for each deployment, and nothing else is read from files. */
export interface DataFolders {
  pathOf(deploymentId: number): string
  /** Makes the folder unless it is there. */
  make(deploymentId: number): Promise<void>
  /** Removes it with what is in it. */
  remove(deploymentId: number): Promise<void>
}

/** What the service does, apart from HTTP. */
export interface Platform {
  /** Who sends an `Authorization` header. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
  readonly operations: Operations
  readonly noteRefusal: Refusals['note']
  readonly data: DataApi
  readonly git: GitAccess
  readonly chat: ChatApi
  /** What assistants of others can do. */
  readonly mcp: Mcp
  /** Ends what chats are being told, so that the server can stop: what cannot end soon is suspended. */
  suspendChats(): Promise<void>
  readonly signIn: SignIn
  /** Which sites may show an embedded page. */
  readonly embedFraming: EmbedFraming
  /** Shows an embedded page to somebody who is signed in. */
  readonly openPrivateSession: OpenPrivateSession
  /** What the SQL protocol needs beside statements. */
  readonly sql: SqlAccess
  ensureFirstAccount(options: FirstAccountOptions): Promise<FirstAccount>
  /** @returns id of the demo deployment; null where it was deleted. */
  ensureDemo(
    caller: Caller,
    context: CallContext,
    project: DemoProject,
    provideData: (deploymentId: number) => Promise<void>,
  ): Promise<number | null>
  /** @returns the public id of the dashboard of the demo's workbook. */
  ensureDemoWorkbook(
    caller: Caller,
    context: CallContext,
    deploymentId: number,
    workbook: DemoWorkbook,
  ): Promise<string>
  /** Begins with the work that no request asks for. */
  start(): Promise<void>
  /** Whether the metadata database answers. */
  isReady(): Promise<boolean>
  /** Ends that work. The store is the caller's to close. */
  close(): Promise<void>
}
