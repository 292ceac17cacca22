import { randomBytes } from 'node:crypto'
import type { ChatRequest } from '@hedron/contract'
import { openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { type Agent, type AgentAnswer, type AgentTurn, autoAgent, noUsage } from '../../src/chat/agent.ts'
import { createAbortChat } from '../../src/chat/stream/abort-chat.ts'
import { createChatCounts } from '../../src/chat/stream/chat-counts.ts'
import { createChatNode } from '../../src/chat/stream/chat-node.ts'
import { createChatRelay } from '../../src/chat/stream/chat-relay.ts'
import { createClaimTurn } from '../../src/chat/stream/claim-turn.ts'
import { createRunTurn } from '../../src/chat/stream/run-turn.ts'
import { createStreamChat } from '../../src/chat/stream/stream-chat.ts'
import { suspendTurns } from '../../src/chat/stream/suspend-turns.ts'
import { createTellLog } from '../../src/chat/stream/tell-log.ts'
import { createDeploymentRuntimes } from '../../src/queries/deployment-runtime.ts'

export interface Line {
  readonly id?: string
  readonly role?: string
  readonly content?: string
  readonly thinking?: string
  readonly sort?: number
  readonly error?: string
  readonly type?: string
  readonly isDelta?: boolean
  readonly isInProcess?: boolean
  readonly graphPath?: readonly string[]
  readonly toolCall?: { readonly name: string; readonly input: string; readonly result?: string }
  readonly state?: {
    readonly chatId?: string
    readonly isStreaming?: boolean
    readonly suspended?: { readonly messageId: string }
    readonly messages?: readonly unknown[]
  }
  readonly usage?: { readonly totalTokens: number; readonly llmCalls: number }
  readonly messageId?: string
}

/** A database with an account, a deployment and users, and nodes on it that share nothing else. */
export async function createWorld() {
  const database = await createTestDatabase()
  const stores: Store[] = []
  const store = await openStore({ url: database.url })
  stores.push(store)
  let names = 0

  async function one(sql: string, values: readonly unknown[]): Promise<number> {
    const { rows } = await store.pool.query<{ id: number }>(sql, [...values])
    return Number(rows[0]?.id)
  }
  const accountId = await one('insert into accounts (name) values ($1) returning id', ['acme'])
  const deploymentId = await one(
    `insert into deployments (account_id, name, creation_step, deploy_mode, cloud_provider, region, target_platform, is_managed,
       release_channel_version) values ($1, 'd', 'ready', 'cli', 'self', 'self', 'self', false, '1') returning id`,
    [accountId],
  )
  const newUser = () =>
    one('insert into users (account_id, email, username) values ($1, $2, $2) returning id', [
      accountId,
      `u${++names}@x.example`,
    ])

  /** A node of the service, with one agent. */
  async function startNode(agent: Agent, options: { readonly turnMs?: number; readonly name?: string } = {}) {
    const own = await openStore({ url: database.url })
    stores.push(own)
    const effects = { now: () => new Date(), randomBytes: (count: number) => randomBytes(count) }
    const faults: unknown[] = []
    const report = (error: unknown) => faults.push(error)
    const node = createChatNode({ store: own, effects, node: options.name ?? `node-${++names}`, report })
    const relay = createChatRelay({ store: own, node, report })
    let asking: number = 0
    const askers = {
      findOwner: async () => asking,
      findBranch: async () => ({ kind: 'found' as const, branchName: null }),
      resolve: async () => ({
        asker: {
          accountId,
          deploymentId,
          ownerId: asking,
          branchName: null,
          developmentMode: true,
          dataCaller: async () => {
            throw new Error('nobody asks for data here')
          },
        },
        timeZone: 'UTC',
      }),
    }
    const need = {
      store: own,
      effects,
      report,
      node,
      relay,
      askers,
      runtimes: createDeploymentRuntimes({
        store: own,
        readVariables: async () => ({}),
        dataDirectory: () => '/nowhere',
      }),
      findAgent: async () => ({ deploymentId, agentId: 1, settings: autoAgent, allowEmbedding: true }),
      chooseAgent: () => agent,
      isEnding: () => false,
    }
    const tools = {
      call: async (_: unknown, name: string, input: unknown) => ({
        failed: false,
        result: JSON.stringify({ name, input, rows: 3 }),
      }),
      visibleModel: async () => ({ cubes: [] }),
      memories: () => null,
      lookUp: async () => ({ columns: [], rows: [], complete: true }),
    }
    const counts = createChatCounts()
    const stream = createStreamChat({
      ...need,
      claim: createClaimTurn(need),
      run: createRunTurn({ ...need, tools, counts, turnMs: options.turnMs ?? 60_000, onWritten: relay.tellMore }),
      tell: createTellLog(need),
    })
    const abort = createAbortChat(need)
    const credential = {
      kind: 'service',
      accountId,
      deploymentId,
      token: '',
      externalId: 'somebody',
      email: null,
    } as const
    const address = { accountName: 'acme', form: 'agent', id: '1' } as const
    const context = { requestId: 'test', address: null }
    await node.start()
    relay.start()
    return {
      faults,
      counts,
      open(userId: number, body: ChatRequest): Promise<AsyncIterable<string>> {
        asking = userId
        return stream(credential, address, body, context)
      },
      abort(userId: number, chatId: string): Promise<void> {
        asking = userId
        return abort(credential, address, { chatId }, context)
      },
      suspend: () => suspendTurns(node),
      node,
      async close() {
        await relay.close()
        await node.close()
      },
    }
  }

  return {
    store,
    accountId,
    deploymentId,
    newUser,
    startNode,
    async close() {
      for (const each of stores) await each.close()
      await database.close()
    },
  }
}
export type ChatNodeUnderTest = Awaited<ReturnType<Awaited<ReturnType<typeof createWorld>>['startNode']>>

/** All lines of a stream. */
export async function linesOf(stream: Promise<AsyncIterable<string>> | AsyncIterable<string>): Promise<Line[]> {
  let text = ''
  for await (const chunk of await stream) text += chunk
  if (!text.endsWith('\n')) throw new Error(`the stream does not end with a line end: ${text.slice(-100)}`)
  return text
    .slice(0, -1)
    .split('\n')
    .map(line => JSON.parse(line))
}

/** Reads lines one by one. */
export function reader(stream: AsyncIterable<string>) {
  const chunks = stream[Symbol.asyncIterator]()
  const waiting: Line[] = []
  return {
    async next(): Promise<Line | undefined> {
      while (waiting.length === 0) {
        const { done, value } = await chunks.next()
        if (done) return undefined
        waiting.push(
          ...value
            .slice(0, -1)
            .split('\n')
            .map(line => JSON.parse(line)),
        )
      }
      return waiting.shift()
    },
    async until(isIt: (line: Line) => boolean): Promise<Line[]> {
      const read: Line[] = []
      for (;;) {
        const line = await this.next()
        if (line === undefined) throw new Error(`the stream ended: ${JSON.stringify(read.slice(-3))}`)
        read.push(line)
        if (isIt(line)) return read
      }
    },
    async rest(): Promise<Line[]> {
      const read: Line[] = []
      for (;;) {
        const line = await this.next()
        if (line === undefined) return read
        read.push(line)
      }
    },
    leave: () => chunks.return?.(),
  }
}

export const answered = (text: string, memo: unknown = null): AgentAnswer => ({ text, memo, usage: noUsage })

/** Waits for the turn to be stopped, as a call of a language model does. */
export const untilStopped = ({ signal }: Pick<AgentTurn, 'signal'>): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

export const chatIdOf = (lines: readonly Line[]): string => {
  const id = lines[0]?.state?.chatId
  if (lines[0]?.id !== '__cutoff__' || id === undefined) throw new Error(`no cut-off: ${JSON.stringify(lines[0])}`)
  return id
}

/** What the answer is by the SPEC ("Extracting the final answer"). */
export const finalOf = (lines: readonly Line[]): string | undefined =>
  lines.findLast(({ role, graphPath }) => role === 'assistant' && graphPath?.[0] === 'final' && graphPath.length <= 2)
    ?.content

/** What the pieces of the answer are together, told as it was or from the middle. */
export function spokenIn(lines: readonly Line[]): string {
  let text = ''
  for (const { role, content, isDelta, isInProcess, graphPath, toolCall } of lines) {
    if (role !== 'assistant' || toolCall || graphPath?.[0] === 'final' || content === undefined) continue
    if (isDelta) text += content
    else if (isInProcess) text = content
  }
  return text
}
