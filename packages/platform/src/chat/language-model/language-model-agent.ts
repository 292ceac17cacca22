import type { ModelMessage } from 'ai'
import { type Agent, type AgentAnswer, AgentError, type AgentTurn, type AgentUsage, noUsage } from '../agent.ts'
import { toolName } from '../tools/tool-names.ts'
import type { VisibleModel } from '../visible-model.ts'
import { callModel, type ModelReply, type ToolRequest } from './call-model.ts'
import { numbersWithoutSource } from './numbers/check-numbers.ts'
import type { OpenModel } from './open-model.ts'
import { chooseGuidance } from './prompt/choose-guidance.ts'
import { pastMessages } from './prompt/past-messages.ts'
import { toolDefinitions } from './prompt/tool-definitions.ts'
import { toolCallPart, toolResultMessage } from './prompt/tool-messages.ts'
import { writeInstructions } from './prompt/write-instructions.ts'
import { ProviderFault } from './provider/provider-fault.ts'
import { readState, type TurnState } from './turn-state.ts'
import { aboutTokens, addCall, addUsage, tokensOf } from './usage.ts'
import { type RetryNeeds, withRetries } from './with-retries.ts'

export interface LanguageModelAgentNeeds extends RetryNeeds {
  /** @throws {AgentError} where there is none */
  readonly open: (settings: AgentTurn['settings']) => Promise<OpenModel>
  /** What a turn may take, in tokens. */
  readonly turnTokens: number
  /** Told what the operator should know of a provider's failures; never with what was said to it. */
  readonly report: (error: unknown) => void
}

/** Calls of the language model in one turn; the last has to answer. */
const mostSteps = 12
/** Calls of tools in one reply. */
const mostCallsOfReply = 8
const longestText = 100_000
const longestQuestion = 50_000

/**
 * Answers with a language model that calls the two tools, as often as it takes within bounds of steps, tokens and time. It is the
 * tools that decide what can be known: whatever a model was talked into, it can call nothing else, and they run as the asker.
 *
 * After each reply and each result the turn is saved, so that a turn that is resumed asks no provider twice.
 */
export function createLanguageModelAgent(need: LanguageModelAgentNeeds): Agent {
  const { open, turnTokens, report } = need

  return {
    async answer(turn) {
      if (turn.input.length > longestQuestion) {
        throw new AgentError(`A question has at most ${longestQuestion} characters. Ask in fewer words.`)
      }
      const model = await open(turn.settings)
      const visible = await turn.visibleModel()
      try {
        return await converse(turn, model, visible)
      } catch (error) {
        turn.signal.throwIfAborted()
        if (!(error instanceof ProviderFault)) throw error
        report(new Error(`language model ${model.name}: ${error.code}${error.detail ? ` (${error.detail})` : ''}`))
        throw new AgentError(error.message)
      }
    },
  }

  async function converse(turn: AgentTurn, model: OpenModel, visible: VisibleModel): Promise<AgentAnswer> {
    const guidance = chooseGuidance(turn.settings, turn.input)
    const memories = (await turn.memories?.list()) ?? []
    const facts = { now: turn.now, timeZone: turn.timeZone, memories }
    const instructions = writeInstructions(turn.settings, guidance, visible, facts)
    const before = [...pastMessages(turn.history), questionOf(guidance.question, turn)]
    let state = readState(turn.resumed)
    let usage = noUsage
    let emptyReplies = 0
    for (;;) {
      state = await callTools(turn, state, visible)
      if (state.tokens > turnTokens) throw tooDear(turnTokens)
      // With little left, what is known has to do.
      const isLast = state.steps >= mostSteps - 1 || state.tokens > turnTokens * 0.8
      const messages = [...before, ...state.messages, ...(isLast ? [lastWord] : [])]
      const reply = await ask(turn, model, { instructions, messages, isLast, hasSpoken: state.text !== '' })
      const taken = usageOf(reply, model, messages, instructions)
      turn.spent(taken)
      usage = addUsage(usage, taken)
      state = { ...state, steps: state.steps + 1, tokens: state.tokens + tokensOf(taken) }
      if (reply.text === '' && reply.calls.length === 0) {
        emptyReplies += 1
        if (emptyReplies > 1 || isLast) throw new ProviderFault('empty')
        state = { ...state, messages: [...state.messages, { role: 'user', content: 'Answer the question.' }] }
        continue
      }
      const said = reply.text === '' ? state.text : joined(state.text, reply.text)
      // A reply that calls more at once is told of the first results; it can ask again.
      const pending = isLast ? [] : reply.calls.slice(0, mostCallsOfReply)
      state = { ...state, text: said, pending, messages: [...state.messages, replyMessage(reply, pending)] }
      if (pending.length === 0) {
        const missing = withoutSource(turn, state, instructions)
        if (missing.length === 0 || state.isCorrected || isLast) return finish(turn, state, { reply, missing }, usage)
        state = { ...state, isCorrected: true, messages: [...state.messages, correctionOf(missing)] }
      }
      await turn.checkpoint(state)
    }
  }

  /** Calls the model once, and again where its provider fails before anything was said. */
  async function ask(
    turn: AgentTurn,
    model: OpenModel,
    call: {
      readonly instructions: string
      readonly messages: readonly ModelMessage[]
      readonly isLast: boolean
      readonly hasSpoken: boolean
    },
  ): Promise<ModelReply> {
    let speaks = false
    const say = (text: string) => {
      // What was said before the tools were called stands apart.
      turn.say(call.hasSpoken && !speaks ? `${between}${text}` : text)
      speaks = true
    }
    return withRetries(
      () =>
        callModel(model, {
          ...call,
          tools: toolDefinitions,
          mayCallTools: !call.isLast,
          signal: turn.signal,
          longestText,
          say,
          think: turn.think,
        }),
      () => !speaks,
      turn.signal,
      need,
    )
  }
}

/** Calls what the last reply asks for, one after the other, and saves each result. */
async function callTools(turn: AgentTurn, from: TurnState, visible: VisibleModel): Promise<TurnState> {
  let state = from
  while (state.pending.length > 0) {
    const [call, ...pending] = state.pending
    if (!call) break
    const outcome = await turn.callTool(toolName(call.name), call.input)
    state = { ...state, pending, messages: [...state.messages, toolResultMessage(call, outcome, visible)] }
    await turn.checkpoint(state)
  }
  return state
}

const lastWord: ModelMessage = {
  role: 'user',
  content: 'Answer now with what you know, and say what is missing. Tools can no longer be called.',
}
const between = '\n\n'
const joined = (before: string, text: string) => (before === '' ? text : `${before}${between}${text}`)

/** The answer is whole; where it was cut off at its longest, it says so. */
function finish(
  turn: AgentTurn,
  state: TurnState,
  { reply, missing }: { readonly reply: ModelReply; readonly missing: readonly string[] },
  usage: AgentUsage,
): AgentAnswer {
  if (state.text === '') throw new ProviderFault('empty')
  const notes = [
    ...(missing.length > 0
      ? [`*No result of a query has these numbers, so do not rely on them: ${listed(missing)}.*`]
      : []),
    ...(reply.isCut
      ? ['*The answer ends here because it reached the longest that this language model can give.*']
      : []),
  ]
  const ending = notes.map(note => `${between}${note}`).join('')
  if (ending !== '') turn.say(ending)
  return { text: state.text + ending, memo: null, usage }
}

const mostListed = 20
const listed = (numbers: readonly string[]) =>
  `${numbers.slice(0, mostListed).join('; ')}${numbers.length > mostListed ? '; and more' : ''}`

/** Numbers that the turn has said and that nothing has which it can know them from. */
function withoutSource({ input, history, now }: AgentTurn, { messages, text }: TurnState, instructions: string) {
  const results = messages.flatMap(({ role, content }) =>
    role === 'tool' ? [JSON.stringify(content).replaceAll('\\"', '"')] : [],
  )
  const past = history.flatMap(({ toolCalls }) => toolCalls.map(({ result }) => result))
  return numbersWithoutSource(text, {
    results: [...results, ...past],
    said: [input, instructions, ...history.map(turn => turn.input)],
    now,
  })
}

const correctionOf = (missing: readonly string[]): ModelMessage => ({
  role: 'user',
  content: `No result has these numbers of your answer: ${listed(missing)}. Query them now, or say in a sentence or two what is right instead. What you said is already shown: do not repeat it.`,
})

function questionOf(question: string, { images }: AgentTurn): ModelMessage {
  const text = { type: 'text', text: question } as const
  if (images.length === 0) return { role: 'user', content: question }
  const files = images.map(({ mimeType, data, name }) => {
    const file = { type: 'file', mediaType: mimeType, data: { type: 'data', data } } as const
    return name === null ? file : { ...file, filename: name }
  })
  return { role: 'user', content: [text, ...files] }
}

function replyMessage({ text, thoughts }: ModelReply, calls: readonly ToolRequest[]): ModelMessage {
  const said = text === '' ? [] : [{ type: 'text', text } as const]
  return { role: 'assistant', content: [...thoughts, ...said, ...calls.map(toolCallPart)] }
}

/** What a call took; where its provider does not count, about what its texts are. */
function usageOf(
  reply: ModelReply,
  { name }: OpenModel,
  messages: readonly ModelMessage[],
  instructions: string,
): AgentUsage {
  const { usage } = reply
  if ((usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0) return addCall(noUsage, name, usage)
  const noDetails = { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined }
  return addCall(noUsage, name, {
    inputTokens: aboutTokens(instructions + JSON.stringify(messages)),
    outputTokens: aboutTokens(reply.text + JSON.stringify(reply.calls)),
    inputTokenDetails: noDetails,
  })
}

const tooDear = (tokens: number) =>
  new AgentError(`The question took more than the ${tokens} tokens that one may take. Ask for less at once.`)
