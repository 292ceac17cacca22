import { chatThreads, chatTurns, type Executor, type Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import { AgentError, type AgentUsage } from '../agent.ts'
import { addUsage, readThreadContent, stateMessages, usageOf } from '../threads/thread-content.ts'
import type { ChatCounts, TurnOutcome } from './chat-counts.ts'
import { lines } from './lines.ts'
import { type LiveTurn, TurnStopped } from './live-turn.ts'
import type { StreamEvent } from './stream-event.ts'
import type { TurnTools } from './tools-of-turn.ts'
import type { TurnJob } from './turn-job.ts'
import { createTurnLog, type TurnLog, TurnLost } from './turn-log.ts'
import { AnswerTooLong, answerId, type Speech, speechOf } from './turn-of.ts'
import { untilStopped } from './until-stopped.ts'

interface RunNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly tools: TurnTools
  /** How long a turn may take, in milliseconds. */
  readonly turnMs: number
  /** Tells who listens on other nodes that there is more. */
  readonly onWritten: (turnId: string) => void
  readonly counts: Pick<ChatCounts, 'ended'>
  readonly report: (error: unknown) => void
}

/** How long an agent that is told to stop may take to do so, in milliseconds. */
const stopMs = 2000

export type RunTurn = (live: LiveTurn, job: TurnJob) => Promise<void>

/**
 * Lets an agent answer a message, writes down what it tells, and ends the turn: exactly one end, in the database first and then in the
 * stream, so that nobody was told of an answer that is not kept. Never rejects.
 */
export function createRunTurn(need: RunNeeds): RunTurn {
  const { store, effects, tools, turnMs, report } = need

  return async (live, job) => {
    const { row } = job
    const { accountId, threadId, id: turnId, attempt } = row
    const log = createTurnLog(
      { store, onWritten: () => live.watched && need.onWritten(turnId) },
      { accountId, threadId, turnId, attempt },
      error => {
        if (!(error instanceof TurnLost)) report(error)
        live.stop('lost')
      },
    )
    const speech = speechOf(live, job, {
      effects,
      tools,
      log: log.add,
      save: checkpoint =>
        log.write(async transaction => {
          const usage = JSON.stringify(addUsage(usageOf(row), speech.spent()))
          await chatTurns.updateTurn(transaction, accountId, turnId, { checkpoint: JSON.stringify(checkpoint), usage })
        }),
    })
    const overdue = setTimeout(() => live.stop('overdue'), turnMs)
    try {
      live.end(await answer(live, job, log, speech))
    } catch (error) {
      const last = await explainLoss(job, speech, error)
      need.counts.ended('lost', speech.spent())
      live.end(last)
    } finally {
      clearTimeout(overdue)
      await log.close()
    }
  }

  /** @returns the last lines of the stream. */
  async function answer(live: LiveTurn, job: TurnJob, log: TurnLog, speech: Speech): Promise<string[]> {
    const { accountId, threadId, id: turnId, messageId } = job.row
    try {
      speech.begin()
      const given = await untilStopped(job.agent.answer(speech.turn), live.signal, stopMs)
      const unsaid = given.text.startsWith(speech.said().content) ? given.text.slice(speech.said().content.length) : ''
      speech.turn.say(unsaid)
      const { content } = speech.said()
      const last = [answerEvent(turnId, speech), finalEvent(turnId, content, speech.nextSort())]
      const thread = { memo: JSON.stringify(given.memo ?? null), updatedAt: effects.now() }
      const ending = { spent: given.usage, answer: content, events: last }
      const usage = await end(log, job, 'answered', ending, async transaction => {
        await chatThreads.updateThread(transaction, accountId, threadId, thread)
      })
      for (const event of last) live.tell(event)
      return [await stateLine(job, speech), lines.usage(usage)]
    } catch (error) {
      if (error instanceof TurnLost) throw error
      const spent = speech.spent()
      const reason = error instanceof TurnStopped ? error.reason : live.signal.aborted ? reasonOf(live) : undefined
      if (reason === 'lost') throw error
      if (reason === 'suspended') {
        const usage = await end(log, job, 'suspended', { spent, events: [] })
        return [lines.suspended(messageId, speech.nextSort()), lines.usage(usage)]
      }
      const partly = speech.said().content === '' ? [] : [answerEvent(turnId, speech)]
      if (reason === 'aborted') {
        const usage = await end(log, job, 'aborted', { spent, events: partly })
        return [lines.aborted(speech.nextSort()), lines.usage(usage)]
      }
      const told = errorEvent(reason === 'overdue' ? overdueText(turnMs) : explain(error, job), speech.nextSort())
      const usage = await end(log, job, 'failed', { spent, events: [...partly, told] })
      live.tell(told)
      return [lines.usage(usage)]
    }
  }

  /** @returns what the turn took in all its attempts. */
  async function end(
    log: TurnLog,
    { row }: TurnJob,
    status: Exclude<TurnOutcome, 'lost'>,
    ending: { readonly spent: AgentUsage; readonly answer?: string; readonly events: readonly StreamEvent[] },
    work?: (transaction: Executor) => Promise<void>,
  ): Promise<AgentUsage> {
    const usage = addUsage(usageOf(row), ending.spent)
    for (const event of ending.events) log.add(event)
    const now = effects.now()
    const isOver = status !== 'suspended'
    // An abort has ended it in the database before it is told to stop.
    await log.write(
      async transaction => {
        await chatTurns.updateTurn(transaction, row.accountId, row.id, {
          status,
          usage: JSON.stringify(usage),
          answer: ending.answer ?? null,
          node: null,
          ...(isOver ? { endedAt: now, checkpoint: null } : { suspendedAt: now }),
        })
        await work?.(transaction)
      },
      status === 'aborted' ? ['aborted'] : ['running', status],
    )
    need.counts.ended(status, ending.spent)
    return usage
  }

  async function stateLine({ row }: TurnJob, speech: Speech): Promise<string> {
    const content = await readThreadContent(store.kysely, row.accountId, row.threadId)
    return lines.state(stateMessages(content), speech.nextSort())
  }

  /** The last lines of a turn that this node could not end: somebody else did or will. */
  async function explainLoss(job: TurnJob, speech: Speech, error: unknown): Promise<string[]> {
    const { accountId, id, messageId } = job.row
    const usage = lines.usage(addUsage(usageOf(job.row), speech.spent()))
    if (!(error instanceof TurnLost) && !(error instanceof TurnStopped)) report(error)
    try {
      const now = await chatTurns.findTurn(store.kysely, accountId, id)
      if (now === undefined) return [lines.error('The thread was deleted.'), usage]
      if (now.status === 'aborted') return [lines.aborted(speech.nextSort()), usage]
    } catch (unreadable) {
      report(unreadable)
    }
    return [lines.suspended(messageId, speech.nextSort()), usage]
  }

  function explain(error: unknown, job: TurnJob): string {
    if (error instanceof AgentError) return error.message
    if (error instanceof AnswerTooLong) return 'The answer became longer than an answer can be. Ask for less at once.'
    report(error)
    return `Something failed on the server. It was logged as request ${job.requestId}; quote that when you report it.`
  }
}

const reasonOf = ({ signal }: LiveTurn) => (signal.reason instanceof TurnStopped ? signal.reason.reason : 'lost')

function answerEvent(turnId: string, speech: Speech): StreamEvent {
  const [id, sort] = [answerId(turnId), speech.nextSort()]
  return { sort, kind: 'answer', id, line: lines.answer(id, speech.said(), sort) }
}

function finalEvent(turnId: string, content: string, sort: number): StreamEvent {
  const id = `${turnId}-final`
  return { sort, kind: 'final', id, line: lines.final(id, content, sort) }
}

const errorEvent = (message: string, sort: number): StreamEvent => ({
  sort,
  kind: 'error',
  id: '',
  line: lines.error(message),
})

const overdueText = (milliseconds: number): string =>
  `The answer took longer than the ${Math.round(milliseconds / 1000)} s that it may take, and was stopped. Ask for less at once.`
