import { type ModelMessage, streamText, type ToolSet } from 'ai'
import type { OpenModel } from './open-model.ts'
import { createPlainSpeech } from './plain-speech.ts'
import { ProviderFault } from './provider/provider-fault.ts'
import type { CallUsage } from './usage.ts'

/** What a call of a language model gave. */
export interface ModelReply {
  readonly text: string
  /** What it thought, with the provider's signatures, which it wants back with the results of tools. */
  readonly thoughts: readonly Thought[]
  readonly calls: readonly ToolRequest[]
  readonly usage: CallUsage
  /** Its text ended at the limit of its length rather than where it wanted to end. */
  readonly isCut: boolean
}

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]
export type Thought = Extract<AssistantPart, { type: 'reasoning' }>

/** A tool that the model wants to have called. */
export interface ToolRequest {
  readonly id: string
  readonly name: string
  /** As the model wrote it: JSON where it kept to that, else text. */
  readonly input: unknown
}

export interface ModelCall {
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
  readonly tools: ToolSet
  /** Whether it may call tools; without them it has to answer with what it has. */
  readonly mayCallTools: boolean
  readonly signal: AbortSignal
  /** Characters of text in one reply. */
  readonly longestText: number
  say(text: string): void
  think(text: string): void
}

// Warnings of the SDK would go to the console, past the log.
Reflect.set(globalThis, 'AI_SDK_LOG_WARNINGS', false)

/** Characters of what a tool is called with. */
const longestInput = 300_000
/** Tokens of one reply, thinking included. */
const replyTokens = 16_000

/**
 * Calls a language model once and passes on what it says as it comes.
 *
 * @throws {unknown} whatever the SDK throws, a `ProviderFault` among it; the reason of the signal where that is aborted
 */
export async function callModel(model: OpenModel, call: ModelCall): Promise<ModelReply> {
  const { signal, longestText } = call
  const stop = new AbortController()
  const pass = () => stop.abort(signal.reason)
  signal.addEventListener('abort', pass, { once: true })
  if (signal.aborted) pass()
  try {
    const { stream } = streamText({
      model: model.model,
      instructions: { role: 'system', content: call.instructions, providerOptions: model.cacheMark },
      messages: [...call.messages],
      tools: call.tools,
      toolChoice: call.mayCallTools ? 'auto' : 'none',
      maxOutputTokens: replyTokens,
      // Tried again by `withRetries`, which knows what was said already.
      maxRetries: 0,
      abortSignal: stop.signal,
      providerOptions: model.options,
      // Errors come through the stream; otherwise they would be printed, with the request in them.
      onError: () => {},
    })
    return await readReply(stream, call, longestText)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', pass)
    // Ends the request where the reply was not read to its end.
    stop.abort()
  }
}

type ReplyStream = ReturnType<typeof streamText>['stream']

async function readReply(
  stream: ReplyStream,
  { say, think, signal }: ModelCall,
  longestText: number,
): Promise<ModelReply> {
  let text = ''
  const speech = createPlainSpeech()
  const speak = (more: string) => {
    text += more
    if (text.length > longestText) throw new ProviderFault('too_long')
    if (more !== '') say(more)
  }
  const thoughts = new Map<string, Thought>()
  const calls: ToolRequest[] = []
  let end: { readonly usage: CallUsage; readonly isCut: boolean } | undefined
  for await (const part of stream) {
    signal.throwIfAborted()
    switch (part.type) {
      case 'text-delta':
        speak(speech.push(part.text))
        break
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const before = thoughts.get(part.id)?.text ?? ''
        const added = part.type === 'reasoning-delta' ? part.text : ''
        const signature = part.providerMetadata ?? thoughts.get(part.id)?.providerOptions
        const thought = { type: 'reasoning', text: before + added } as const
        thoughts.set(part.id, signature ? { ...thought, providerOptions: signature } : thought)
        if (added !== '') think(added)
        break
      }
      case 'tool-call':
        if ((JSON.stringify(part.input) ?? '').length > longestInput) throw new ProviderFault('too_long')
        calls.push({ id: part.toolCallId, name: part.toolName.slice(0, 100), input: part.input })
        break
      case 'finish-step': {
        if (part.finishReason === 'content-filter') throw new ProviderFault('filtered')
        // A connection that ended early looks like an answer without a reason to end.
        if (part.rawFinishReason === undefined) throw new ProviderFault('broken')
        speak(speech.end())
        end = { usage: part.usage, isCut: part.finishReason === 'length' }
        break
      }
      case 'error':
        throw part.error
      case 'abort':
        throw signal.reason ?? new ProviderFault('broken')
      default:
        break
    }
  }
  if (!end) throw new ProviderFault('broken')
  return { text, thoughts: [...thoughts.values()], calls, ...end }
}
