import { type ChatRequest, CodedError } from '@hedron/contract'
import { chatThreads, type Store } from '@hedron/store'
import * as z from 'zod'
import type { DeploymentRuntimes } from '../../queries/deployment-runtime.ts'
import { type AgentSettings, noUsage } from '../agent.ts'
import type { Askers, ResolvedAsker } from '../asker/askers.ts'
import { actorOf, type ChatAddress, type ChatCredential } from '../asker/credential.ts'
import type { ChooseAgent } from '../choose-agent.ts'
import type { FindAddressed } from '../find-addressed.ts'
import { pastTurns, readThreadContent } from '../threads/thread-content.ts'
import type { ChatNode } from './chat-node.ts'
import type { Claim, ClaimTurn } from './claim-turn.ts'
import { lined, lines } from './lines.ts'
import type { LiveTurn } from './live-turn.ts'
import type { RunTurn } from './run-turn.ts'
import type { TellLog } from './tell-log.ts'

interface StreamNeeds {
  readonly store: Store
  readonly runtimes: DeploymentRuntimes
  readonly node: ChatNode
  readonly claim: ClaimTurn
  readonly run: RunTurn
  readonly tell: TellLog
  readonly askers: Askers
  readonly findAgent: FindAddressed
  readonly chooseAgent: ChooseAgent
  /** Whether the server is about to stop. */
  readonly isEnding: () => boolean
  readonly report: (error: unknown) => void
}

/** Facts of a request beside who sends it. */
export interface ChatContext {
  readonly requestId: string
  readonly address: string | null
}

const AgentImages = z.array(z.object({ mimeType: z.string(), data: z.string(), name: z.string().nullable() }))

/** Earlier turns that an agent is told of at most. */
const mostPastTurns = 50

/**
 * The stream of a request (SPEC, "Chat stream"): a message that is answered, the answer of one that was sent before, or the thread as it
 * is. Lines come with their ends; whoever stops reading does not stop the answer.
 *
 * @throws {CodedError} for all that is refused before the stream opens
 */
export function createStreamChat(need: StreamNeeds) {
  const { store, node, tell } = need

  return async (
    credential: ChatCredential,
    address: ChatAddress,
    body: ChatRequest,
    context: ChatContext,
  ): Promise<AsyncIterable<string>> => {
    const { accountId } = credential
    const input = body.input ?? null
    const chatId = body.chatId ?? null
    const messageId = body.messageId ?? null
    if (input === null && chatId === null) {
      throw new CodedError('invalid_request', {
        problems: 'input, chatId: one of them is needed, input to ask, chatId to read',
      })
    }
    if (input === null && (body.images?.length ?? 0) > 0) {
      throw new CodedError('invalid_request', { problems: 'images: need an input to go with' })
    }
    const found = await need.findAgent(accountId, address, null)
    const { deploymentId } = found
    const branch = await need.askers.findBranch(credential, deploymentId, body)
    const by = { accountId, deploymentId, actor: actorOf(credential), ...context }
    if (input === null && messageId === null) {
      const ownerId = await need.askers.findOwner(credential, body.sessionSettings ?? null, by)
      return tell.readThread(await requireThread(accountId, deploymentId, ownerId, chatId ?? ''))
    }
    // What was said stays readable to whose it is.
    if (credential.kind === 'self' && credential.caller.embed !== null && !found.allowEmbedding) {
      throw new CodedError('chat_agent_not_embedded', { agent: found.agentId })
    }
    if (need.isEnding()) throw new CodedError('not_ready', {})
    if (branch.kind === 'bad') return inOrder(lined([lines.error('BadRequestError: Bad branch'), lines.usage(noUsage)]))
    const { branchName } = branch
    const asking = await need.askers.resolve(credential, body.sessionSettings ?? null, branchName, by)
    const { settings, agentId } = branchName === null ? found : await need.findAgent(accountId, address, branchName)
    const claim = await need.claim({
      accountId,
      deploymentId,
      ownerId: asking.asker.ownerId,
      agentId,
      chatId,
      input,
      images: (body.images ?? []).map(({ mimeType, data, name }) => ({ mimeType, data, name: name ?? null })),
      messageId,
      actor: by.actor,
      address: context.address,
      requestId: context.requestId,
    })
    return answer(claim, asking, settings, context)
  }

  async function answer(
    claim: Claim,
    asking: ResolvedAsker,
    settings: AgentSettings,
    { requestId }: ChatContext,
  ): Promise<AsyncIterable<string>> {
    const { thread } = claim
    const cutoff = (isStreaming: boolean) =>
      lined([lines.cutoff({ chatId: thread.id, isStreaming, suspendedMessageId: null })])
    if (claim.kind === 'busy') {
      return inOrder(cutoff(true), lined([lines.error('Streaming for thread is in progress'), lines.usage(noUsage)]))
    }
    if (claim.kind === 'replay') return inOrder(cutoff(false), await tell.replay(claim.turn))
    if (claim.kind === 'follow') {
      return inOrder(cutoff(true), node.find(claim.turn.id)?.fromNow() ?? tell.followElsewhere(claim.turn))
    }
    // The turn is claimed: whatever fails from here on, it comes to an end and says so.
    const live = node.begin(claim.turn.id)
    void begin(live, claim, asking, settings, requestId)
    return inOrder(cutoff(false), live.fromBeginning())
  }

  async function begin(
    live: LiveTurn,
    claim: Extract<Claim, { kind: 'run' }>,
    { asker, timeZone }: ResolvedAsker,
    settings: AgentSettings,
    requestId: string,
  ): Promise<void> {
    const { thread, turn, checkpoint, lastSort, isNewThread } = claim
    try {
      for (const event of await tell.toldBefore(turn, checkpoint, lastSort)) live.tell(event)
      const content = isNewThread ? { turns: [] } : await readThreadContent(store.kysely, turn.accountId, thread.id)
      const runtime = timeZone === null ? await need.runtimes.find(asker.deploymentId) : undefined
      await need.run(live, {
        asker,
        agent: { answer: async turn => need.chooseAgent(settings, asker).answer(turn) },
        settings,
        row: turn,
        images: AgentImages.parse(turn.images),
        history: pastTurns(content, mostPastTurns),
        memo: thread.memo,
        checkpoint,
        lastSort,
        timeZone: timeZone ?? runtime?.defaultTimezone ?? 'UTC',
        requestId,
      })
    } catch (error) {
      // What is suspended by nobody else is suspended by the next beat.
      need.report(error)
      live.end([lines.suspended(turn.messageId, lastSort + 1), lines.usage(noUsage)])
    }
  }

  async function requireThread(accountId: number, deploymentId: number, ownerId: number | undefined, id: string) {
    const thread = await chatThreads.findThread(store.kysely, accountId, id)
    if (!thread || thread.deploymentId !== deploymentId || thread.userId !== ownerId) {
      throw new CodedError('chat_thread_not_found', { thread: id })
    }
    return thread
  }
}

async function* inOrder(...parts: readonly (string | AsyncIterable<string>)[]): AsyncGenerator<string, void> {
  for (const part of parts) {
    if (typeof part === 'string') yield part
    else yield* part
  }
}
