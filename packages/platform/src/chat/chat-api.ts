import type { AbortChatRequest, ChatRequest, CodedError } from '@hedron/contract'
import type { Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { Caller } from '../caller.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'
import type { DataApi } from '../queries/data-api.ts'
import type { DeploymentRuntimes } from '../queries/deployment-runtime.ts'
import { createAskers } from './asker/askers.ts'
import { createAuthenticateChat } from './asker/authenticate-chat.ts'
import type { ChatAddress, ChatCredential, ChatHeaders } from './asker/credential.ts'
import { createDataCallers } from './asker/data-callers.ts'
import { createServiceTokens } from './asker/service-token.ts'
import { createSessionPerson } from './asker/session-person.ts'
import type { ChooseAgent } from './choose-agent.ts'
import type { FindAddressed } from './find-addressed.ts'
import { createAbortChat } from './stream/abort-chat.ts'
import { type ChatStatistics, createChatCounts } from './stream/chat-counts.ts'
import { createChatNode } from './stream/chat-node.ts'
import { type ChatRelay, createChatRelay } from './stream/chat-relay.ts'
import { createClaimTurn } from './stream/claim-turn.ts'
import { createRunTurn } from './stream/run-turn.ts'
import { type ChatContext, createStreamChat } from './stream/stream-chat.ts'
import { suspendTurns } from './stream/suspend-turns.ts'
import { createTellLog } from './stream/tell-log.ts'
import type { TurnTools } from './stream/tools-of-turn.ts'
import { createThreadOperations } from './threads/thread-operations.ts'

interface ChatNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
  readonly findBearer: DataApi['findBearer']
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly runtimes: DeploymentRuntimes
  readonly tools: TurnTools
  readonly findAgent: FindAddressed
  readonly chooseAgent: ChooseAgent
  /** The node's name, the same after every start. */
  readonly node: string
  /** How long a turn may take, in milliseconds. */
  readonly turnMs: number
  readonly report: (error: unknown) => void
  readonly warn: (message: string) => void
}

/** The chat API (SPEC, endpoints 4 and 5), apart from HTTP. */
export interface ChatApi {
  /** @throws {CodedError} `not_authenticated`, and what else is wrong with who calls or where. */
  authenticate(address: ChatAddress, headers: ChatHeaders): Promise<ChatCredential>
  /** Keeps in mind that somebody was refused. */
  auditRefusal(address: ChatAddress, error: CodedError, from: ChatContext): Promise<void>
  /** Lines with their ends. @throws {CodedError} for what is refused before the stream opens. */
  stream(
    credential: ChatCredential,
    address: ChatAddress,
    body: ChatRequest,
    context: ChatContext,
  ): Promise<AsyncIterable<string>>
  abort(credential: ChatCredential, address: ChatAddress, body: AbortChatRequest, context: ChatContext): Promise<void>
  statistics(): ChatStatistics
}

/** It, and its working parts. */
export interface ChatService extends ChatApi {
  readonly operations: ReturnType<typeof createThreadOperations>
  start(): Promise<void>
  /** Takes no more messages and ends the turns that run: those that can't end soon are suspended. */
  suspend(): Promise<void>
  close(): Promise<void>
}

export function createChatService(need: ChatNeeds): ChatService {
  const { store, report } = need
  let ending = false
  const node = createChatNode(need)
  const relay: ChatRelay = createChatRelay({ store, node, report })
  const serviceTokens = createServiceTokens(need)
  const dataCallers = createDataCallers(need)
  const persons = createSessionPerson(need)
  const askers = createAskers({ ...need, dataCallers, persons, serviceTokens })
  const counts = createChatCounts()
  const common = { ...need, node, relay, askers }
  return {
    ...createAuthenticateChat({ ...need, serviceTokens }),
    stream: createStreamChat({
      ...common,
      claim: createClaimTurn(common),
      run: createRunTurn({ ...need, counts, onWritten: relay.tellMore }),
      tell: createTellLog(common),
      isEnding: () => ending,
    }),
    abort: createAbortChat(common),
    statistics: () => ({ ...counts.now(), running: node.living().length }),
    operations: createThreadOperations(common),
    async start() {
      await node.start()
      relay.start()
    },
    suspend() {
      ending = true
      return suspendTurns(node)
    },
    async close() {
      ending = true
      await suspendTurns(node)
      await relay.close()
      await node.close()
    },
  }
}
