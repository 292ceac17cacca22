import type { DataCaller } from '../../queries/data-caller.ts'

/**
 * Who asks in a chat: the owner of its thread, on one deployment. However he showed who he is (an API key with `sessionSettings`, a
 * service token, an embed token, a login), tools and agents see this alone, and whatever they do, they do as him.
 */
export interface Asker {
  readonly accountId: number
  readonly deploymentId: number
  /** `users.id`, of an internal or external user: whose the thread is. */
  readonly ownerId: number
  /** The branch whose model is asked; null: production. */
  readonly branchName: string | null
  /**
   * With whose rights a tool asks the data API. Found out anew at each call, credential included: who was taken out of a group, or
   * whose token ended, is that at the next tool call.
   *
   * @throws {DataError} 403 where the credential or the right to ask is gone
   * @throws {CodedError} where the user, his session or the deployment is gone
   */
  dataCaller(): Promise<DataCaller>
  /** Whether what the agent thinks is shown: a development branch is asked. */
  readonly developmentMode: boolean
}
