import { type AgentTurn, type AgentUsage, autoAgent, type ToolOutcome } from '../../../src/chat/agent.ts'
import { createLanguageModelAgent } from '../../../src/chat/language-model/language-model-agent.ts'
import { createOpenModel } from '../../../src/chat/language-model/open-model.ts'
import type { ModelAddress } from '../../../src/chat/language-model/settings.ts'

export interface TestTurn {
  readonly turn: AgentTurn
  readonly said: string[]
  readonly thought: string[]
  readonly called: (readonly [name: string, input: unknown])[]
  readonly saved: unknown[]
  readonly spent: AgentUsage[]
}

/** A turn that remembers what an agent did in it. Its tools give `results` in order, the last again and again. */
export function testTurn(
  more: Partial<AgentTurn> = {},
  results: readonly ToolOutcome[] = [{ failed: false, result: '{}' }],
): TestTurn {
  const said: string[] = []
  const thought: string[] = []
  const called: (readonly [string, unknown])[] = []
  const saved: unknown[] = []
  const spent: AgentUsage[] = []
  const turn: AgentTurn = {
    input: 'How many orders are there?',
    images: [],
    history: [],
    memo: null,
    resumed: null,
    settings: autoAgent,
    now: new Date('2026-03-01T12:00:00Z'),
    timeZone: 'Europe/Berlin',
    signal: new AbortController().signal,
    visibleModel: async () => ({
      cubes: [
        {
          name: 'sales',
          type: 'view',
          title: 'Sales',
          description: 'What was sold.',
          aiContext: null,
          joins: [],
          members: [],
        },
      ],
    }),
    memories: null,
    say: text => said.push(text),
    think: text => thought.push(text),
    callTool: async (name, input) => {
      called.push([name, input])
      return results[Math.min(called.length, results.length) - 1] ?? { failed: true, result: '{}' }
    },
    lookUp: () => Promise.reject(new Error('unused')),
    checkpoint: async state => {
      saved.push(structuredClone(state))
    },
    spent: usage => spent.push(usage),
    ...more,
  }
  return { turn, said, thought, called, saved, spent }
}

export interface TestAgentOptions {
  readonly address?: Partial<ModelAddress>
  readonly silenceMs?: number
  readonly turnTokens?: number
  readonly report?: (error: unknown) => void
}

/** An agent on the scripted model; pauses between attempts are noted instead of waited for. */
export function testAgent(
  baseUrl: string,
  { address, silenceMs = 2_000, turnTokens = 200_000, report }: TestAgentOptions = {},
) {
  const pauses: number[] = []
  const open = createOpenModel({ silenceMs, allowsLoopback: false })
  const agent = createLanguageModelAgent({
    open: () =>
      open({
        provider: 'openai-compatible',
        model: 'scripted',
        baseUrl,
        apiKey: 'sk-canary-0123456789',
        thinks: false,
        isOperators: true,
        ...address,
      }),
    turnTokens,
    report: report ?? (() => {}),
    now: () => Date.parse('2026-03-01T12:00:00Z'),
    random: () => 1,
    wait: async milliseconds => {
      pauses.push(milliseconds)
    },
  })
  return { agent, pauses }
}
