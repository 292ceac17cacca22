import { chatEvents, chatTurns, type Store } from '@hedron/store'
import { noUsage } from '../agent.ts'
import { readThreadContent, stateMessages, usageOf } from '../threads/thread-content.ts'
import type { ChatNode } from './chat-node.ts'
import type { ChatRelay } from './chat-relay.ts'
import type { Checkpoint } from './checkpoint.ts'
import { lined, lines } from './lines.ts'
import { mergeDeltas, readEvent, type StreamEvent, snapshotOf } from './stream-event.ts'
import { answerId } from './turn-of.ts'

interface TellNeeds {
  readonly store: Store
  readonly node: ChatNode
  readonly relay: ChatRelay
}

/** How long to wait for word of another node before the log is looked at anyway, in milliseconds. */
const lookMs = 1000

/** Tells what is in the log of a thread, as lines with their ends. */
export function createTellLog({ store, node, relay }: TellNeeds) {
  async function stateLine(accountId: number, threadId: string): Promise<string> {
    const content = await readThreadContent(store.kysely, accountId, threadId)
    const sort = (await chatEvents.lastSort(store.kysely, accountId, threadId)) + 1
    return lines.state(stateMessages(content), sort)
  }

  /** What a turn that is over told, without the pieces in which it came. */
  async function replay(turn: chatTurns.ChatTurnRow): Promise<string> {
    const { accountId, threadId, id: turnId } = turn
    const rows = await chatEvents.listEvents(store.kysely, accountId, threadId, { turnId })
    const told = snapshotOf(rows.map(readEvent))
    return lined([...told, ...(await lastLines(turn))])
  }

  /** The end of a turn's stream, by how it ended. */
  async function lastLines(turn: chatTurns.ChatTurnRow): Promise<string[]> {
    const { accountId, threadId, messageId, status } = turn
    const usage = lines.usage(usageOf(turn))
    if (status === 'answered') return [await stateLine(accountId, threadId), usage]
    if (status === 'failed') return [usage]
    const sort = (await chatEvents.lastSort(store.kysely, accountId, threadId)) + 1
    if (status === 'aborted') return [lines.aborted(sort), usage]
    if (status === 'abandoned') {
      return [lines.error('This message was suspended, and the thread went on with another one.'), usage]
    }
    return [lines.suspended(messageId, sort), usage]
  }

  /** A turn that another node answers: its messages as they are now, and what is added, until it is over or its node is dead. */
  async function* followElsewhere(turn: chatTurns.ChatTurnRow): AsyncGenerator<string, void> {
    const { accountId, threadId, id: turnId, attempt } = turn
    let place: number | undefined
    await relay.watch(turnId)
    for (;;) {
      const more = relay.untilMore(turnId, lookMs)
      // The turn before its events: of one that is over, all are there.
      const now = await chatTurns.findTurn(store.kysely, accountId, turnId)
      if (now === undefined) {
        yield lined([lines.error('The thread was deleted.'), lines.usage(noUsage)])
        return
      }
      const isRunning = now.status === 'running' && now.attempt === attempt
      const rows = await chatEvents.listEvents(store.kysely, accountId, threadId, { turnId, after: place })
      const events = rows.map(readEvent)
      const told = place === undefined && isRunning ? snapshotOf(events) : mergeDeltas(events).map(({ line }) => line)
      place = events.at(-1)?.sort ?? place
      if (told.length > 0) yield lined(told)
      if (now.status !== 'running') {
        yield lined(await lastLines(now))
        return
      }
      if (!isRunning || !(await node.isAnswered(turnId, now.node))) {
        yield lined(await lastLines({ ...now, status: 'suspended' }))
        return
      }
      await more
    }
  }

  /** The whole thread as it is, then its state. */
  async function* readThread(thread: {
    readonly id: string
    readonly accountId: number
  }): AsyncGenerator<string, void> {
    const { id, accountId } = thread
    const content = await readThreadContent(store.kysely, accountId, id)
    const open = content.turns.find(({ row }) => row.status === 'running' || row.status === 'suspended')?.row
    const isStreaming = open?.status === 'running' && (await node.isAnswered(open.id, open.node))
    const suspendedMessageId = open && !isStreaming ? open.messageId : null
    yield lined([lines.cutoff({ chatId: id, isStreaming, suspendedMessageId })])
    const told = content.turns
      .filter(({ row }) => row !== open)
      .flatMap(({ events }) => events.filter(({ kind }) => kind !== 'error').map(({ line }) => line))
    const rows = open ? await chatEvents.listEvents(store.kysely, accountId, id, { turnId: open.id }) : []
    const last = rows.at(-1)?.sort ?? content.turns.at(-1)?.events.at(-1)?.sort ?? 0
    yield lined([
      ...told,
      ...snapshotOf(rows.map(readEvent)),
      lines.state(stateMessages(content), last + 1),
      lines.usage(noUsage),
    ])
  }

  /** What a turn told before this attempt and still holds, one event for each message; of a new one, its message. */
  async function toldBefore(
    turn: chatTurns.ChatTurnRow,
    checkpoint: Checkpoint | null,
    lastSort: number,
  ): Promise<StreamEvent[]> {
    const { accountId, threadId, id: turnId, messageId, input, attempt } = turn
    if (attempt === 1) {
      return [{ sort: lastSort, kind: 'user', id: messageId, line: lines.user(messageId, input, lastSort) }]
    }
    const rows = await chatEvents.listEvents(store.kysely, accountId, threadId, {
      turnId,
      kinds: ['user', 'tool_result'],
    })
    const events = rows.map(readEvent)
    if (checkpoint === null) return events
    const { said: more, sort } = checkpoint
    const id = answerId(turnId)
    return [...events, { sort, kind: 'delta', id, more, line: lines.soFar(id, more, sort) }]
  }

  return { replay, followElsewhere, readThread, toldBefore }
}
export type TellLog = ReturnType<typeof createTellLog>
