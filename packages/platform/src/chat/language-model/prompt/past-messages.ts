import type { ModelMessage } from 'ai'
import type { PastTurn } from '../../agent.ts'
import { aboutTokens } from '../usage.ts'
import { pastToolResult, toolCallPart } from './tool-messages.ts'

/** Tokens of earlier turns that a language model reads. */
const mostTokens = 12_000
/** Turns before the last whose calls are shown too; of older ones only what was said. */
const turnsWithCalls = 2
const mostCalls = 4

/**
 * Earlier turns as messages, as many of the latest as there is room for: a follow-up needs the last answers and how they were found,
 * older ones only say what was spoken about.
 */
export function pastMessages(history: readonly PastTurn[]): ModelMessage[] {
  const kept: ModelMessage[][] = []
  let room = mostTokens
  for (const [age, turn] of [...history].reverse().entries()) {
    const messages = messagesOf(turn, history.length - age, age < turnsWithCalls)
    room -= aboutTokens(JSON.stringify(messages))
    if (room < 0) break
    kept.push(messages)
  }
  return kept.reverse().flat()
}

function messagesOf({ input, answer, toolCalls }: PastTurn, number: number, showsCalls: boolean): ModelMessage[] {
  // The last calls are those of the answer; the ones before searched, or failed.
  const shown = showsCalls ? toolCalls.slice(-mostCalls) : []
  return [
    { role: 'user', content: shorten(input, 4_000) || '…' },
    ...shown.flatMap(({ name, input: asked, result }, index): ModelMessage[] => {
      const call = { id: `past_${number}_${index}`, name, input: readInput(asked) }
      return [{ role: 'assistant', content: [toolCallPart(call)] }, pastToolResult(call, result)]
    }),
    { role: 'assistant', content: shorten(answer, 4_000) || '…' },
  ]
}

const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

function readInput(text: string): unknown {
  try {
    const input: unknown = JSON.parse(text)
    // A chart is long, and nothing of it is needed to go on.
    return typeof input === 'object' && input !== null ? { ...input, vegaSpec: undefined } : input
  } catch {
    return text
  }
}
