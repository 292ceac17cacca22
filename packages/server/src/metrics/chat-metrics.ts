import type { ChatStatistics } from '@hedron/platform'
import type { Metric } from './exposition.ts'
import { createHistogram } from './histogram.ts'
import { counter, gauge } from './query-metrics.ts'

/** Upper bounds of the classes of waits for a first line, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Counts what clients of the chat API see of it. */
export interface ChatMeter {
  /**
   * Passes the lines of a stream on and counts it while it is open.
   *
   * @param begun when its request came, by `performance.now()`
   */
  stream(lines: AsyncIterable<string>, begun: number): AsyncIterable<string>
  metrics(now: ChatStatistics): readonly Metric[]
}

export function createChatMeter(): ChatMeter {
  const firstLines = createHistogram(bounds)
  let open = 0

  return {
    async *stream(lines, begun) {
      open += 1
      let isFirst = true
      try {
        for await (const line of lines) {
          if (isFirst) firstLines.add((performance.now() - begun) / 1000)
          isFirst = false
          yield line
        }
      } finally {
        open -= 1
      }
    },
    metrics: ({ running, outcomes, llmCalls, tokens }) => [
      gauge('hedron_chat_streams_open', 'Streams of the chat API that are open.', open),
      gauge('hedron_chat_turns_running', 'Messages of chats that this node answers.', running),
      {
        name: 'hedron_chat_turns_total',
        help: 'Attempts to answer a message of a chat, by how they ended.',
        type: 'counter',
        samples: Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'hedron_chat_first_line_seconds',
        help: 'From a request of the chat API to the first line of its stream.',
        type: 'histogram',
        samples: firstLines.samples(),
      },
      counter('hedron_chat_llm_calls_total', 'Calls of language models.', llmCalls),
      {
        name: 'hedron_chat_tokens_total',
        help: 'Tokens of language models, by kind.',
        type: 'counter',
        samples: [
          { labels: { kind: 'input' }, value: tokens.input },
          { labels: { kind: 'output' }, value: tokens.output },
          { labels: { kind: 'cache_write' }, value: tokens.cacheWrite },
          { labels: { kind: 'cache_read' }, value: tokens.cacheRead },
        ],
      },
    ],
  }
}
