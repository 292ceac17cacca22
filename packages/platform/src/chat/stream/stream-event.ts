import type { ChatEventKind, chatEvents } from '@hedron/store'
import * as z from 'zod'
import { lines, type Spoken } from './lines.ts'

/** A line of a turn, and what has to be known of it to tell it again later. */
export interface StreamEvent {
  readonly sort: number
  readonly kind: ChatEventKind
  /** Id of its message; several events can speak of one. */
  readonly id: string
  /** JSON text without a line end. */
  readonly line: string
  /** Of a delta. */
  readonly more?: Spoken
}

const Stored = z.object({
  id: z.string().default(''),
  content: z.string().default(''),
  thinking: z.string().default(''),
})

export function readEvent({ sort, kind, line }: chatEvents.ChatEventRow): StreamEvent {
  const { id, content, thinking } = Stored.parse(JSON.parse(line))
  return { sort, kind, id, line, ...(kind === 'delta' ? { more: { content, thinking } } : {}) }
}

/** Deltas that follow each other under one id, as one with the last's number. */
export function mergeDeltas(events: readonly StreamEvent[]): StreamEvent[] {
  const merged: StreamEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event.more !== undefined && last?.more !== undefined && last.id === event.id) {
      const more = {
        content: last.more.content + event.more.content,
        thinking: last.more.thinking + event.more.thinking,
      }
      merged[merged.length - 1] = { ...event, more, line: lines.delta(event.id, more, event.sort) }
    } else merged.push(event)
  }
  return merged
}

/**
 * What a turn told so far, one line for each message as it is now: for whoever comes in between. A text that still grows is told as it is
 * (`isDelta` false), so that who knows its beginning has nothing twice.
 */
export function snapshotOf(events: readonly StreamEvent[]): string[] {
  const messages = new Map<string, StreamEvent>()
  for (const event of events) {
    const before = messages.get(event.id)
    if (event.kind === 'delta') {
      const { content = '', thinking = '' } = before?.more ?? {}
      const more = { content: content + (event.more?.content ?? ''), thinking: thinking + (event.more?.thinking ?? '') }
      messages.set(event.id, { ...event, more, line: '' })
    } else messages.set(event.kind === 'error' ? `error ${event.sort}` : event.id, event)
  }
  return [...messages.values()]
    .sort((a, b) => a.sort - b.sort)
    .map(({ line, id, more, sort }) => (more === undefined ? line : lines.soFar(id, more, sort)))
}
