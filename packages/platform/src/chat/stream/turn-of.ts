import type { ChatEventKind } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import { type AgentTurn, type AgentUsage, noUsage } from '../agent.ts'
import { addUsage } from '../threads/thread-content.ts'
import type { Checkpoint } from './checkpoint.ts'
import { lines, type Spoken } from './lines.ts'
import type { LiveTurn } from './live-turn.ts'
import { newUuid } from './new-id.ts'
import type { StreamEvent } from './stream-event.ts'
import type { ToolContext, TurnTools } from './tools-of-turn.ts'
import type { TurnJob } from './turn-job.ts'

/** Characters that an agent may say in one turn. */
const longestAnswer = 1_048_576
/** Characters of lines that a turn may tell in all. */
const largestTurn = 64 * 1024 * 1024

/** The answer is longer than an answer can be. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

interface SpeechNeeds {
  readonly effects: Effects
  readonly tools: TurnTools
  /** Writes what was told, with the checkpoint. */
  readonly save: (checkpoint: Checkpoint) => Promise<void>
  readonly log: (event: StreamEvent) => void
}

/** A turn as its agent sees it, and what it told so far. */
export interface Speech {
  readonly turn: AgentTurn
  said(): Spoken
  /** What the attempt took by what its agent told of it. */
  spent(): AgentUsage
  /** The next number of the stream. */
  nextSort(): number
  /** The beginning of an answer, empty. */
  begin(): void
}

/** Id of the message that a turn's answer is; the same after it was resumed. */
export const answerId = (turnId: string): string => turnId

/** Makes what an agent says and calls into events, told at once and written soon. */
export function speechOf(live: LiveTurn, job: TurnJob, { effects, tools, save, log }: SpeechNeeds): Speech {
  const { asker, row, settings, timeZone, requestId, checkpoint } = job
  const { signal } = live
  const id = answerId(row.id)
  const context: ToolContext = { signal, requestId, timeZone }
  let said: Spoken = checkpoint?.said ?? { content: '', thinking: '' }
  let spent: AgentUsage = noUsage
  let sort = job.lastSort
  let told = 0

  function tell(kind: ChatEventKind, messageId: string, lineOf: (sort: number) => string, more?: Spoken): void {
    // Whoever goes on after he was told to stop is not heard.
    if (signal.aborted) return
    sort += 1
    const line = lineOf(sort)
    told += line.length
    if (told > largestTurn) throw new AnswerTooLong('the turn told too much')
    const event: StreamEvent = { sort, kind, id: messageId, line, ...(more === undefined ? {} : { more }) }
    log(event)
    live.tell(event)
  }

  function speak(more: Spoken): void {
    const content = said.content + more.content
    const thinking = said.thinking + more.thinking
    if (content.length > longestAnswer || thinking.length > longestAnswer) {
      throw new AnswerTooLong(`an answer has ${longestAnswer} characters at most`)
    }
    tell('delta', id, number => lines.delta(id, more, number), more)
    if (!signal.aborted) said = { content, thinking }
  }

  return {
    said: () => said,
    spent: () => spent,
    nextSort() {
      sort += 1
      return sort
    },
    begin: () => speak({ content: '', thinking: '' }),
    turn: {
      input: row.input,
      images: job.images,
      history: job.history,
      memo: job.memo,
      resumed: checkpoint?.state ?? null,
      settings,
      now: effects.now(),
      timeZone,
      signal,
      visibleModel: () => tools.visibleModel(asker, signal),
      memories: tools.memories(asker, settings),
      say(text) {
        if (text !== '') speak({ content: text, thinking: '' })
      },
      think(text) {
        if (text !== '' && asker.developmentMode) speak({ content: '', thinking: text })
      },
      async callTool(name, input) {
        signal.throwIfAborted()
        const callId = newUuid(effects)
        const call = { name, input: JSON.stringify(input) ?? 'null' }
        tell('tool', callId, number => lines.tool(callId, call, number))
        const outcome = await tools.call(asker, name, input, context)
        signal.throwIfAborted()
        const done = { ...call, result: outcome.result }
        tell('tool_result', callId, number => lines.toolResult(callId, done, number))
        return outcome
      },
      lookUp: (sqlQuery, maxRows) => tools.lookUp(asker, sqlQuery, maxRows, context),
      async checkpoint(state) {
        signal.throwIfAborted()
        await save({ state, said, sort })
        if (live.ending) live.stop('suspended')
        signal.throwIfAborted()
      },
      spent(usage) {
        spent = addUsage(spent, usage)
      },
    },
  }
}
