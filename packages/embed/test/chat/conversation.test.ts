import { describe, expect, test } from 'vitest'
import {
  answerOf,
  type Conversation,
  emptyConversation,
  newTurn,
  type StreamLine,
  stepsOf,
  withLine,
} from '../../src/chat/conversation.ts'
import { readLines } from '../../src/chat/read-lines.ts'

const id = '1790000000000123-message'
const begun: Conversation = { ...emptyConversation, turns: [newTurn(id, 'Top cities')] }
const main = { role: 'assistant', graphPath: ['service_data_analyst_agent'] }
const delta = (content: string, thinking = ''): StreamLine => ({ ...main, id: 'A', content, thinking, isDelta: true })
const tool = (result?: string): StreamLine => ({
  id: 'B',
  role: 'assistant',
  graphPath: ['service_data_analyst_agent', 'tools'],
  toolCall: { name: 'serviceSqlApi', input: '{}', ...(result === undefined ? {} : { result }) },
})
const final = (content: string): StreamLine => ({
  id: 'F',
  role: 'assistant',
  content,
  graphPath: ['final'],
  isDelta: false,
})
const cutoff: StreamLine = {
  id: '__cutoff__',
  role: 'assistant',
  state: { isStreaming: false, chatId: 'c-1' },
  sort: 0,
}
const echo: StreamLine = { id, role: 'user', content: 'Top cities', isDelta: false }
const usage: StreamLine = { id: '__usage__', type: 'usage', usage: {} }
const told = (...lines: readonly StreamLine[]) => lines.reduce((before, line) => withLine(before, line, id), begun)
const turnOf = ({ turns }: Conversation) => turns[0] ?? newTurn('', '')

describe('a conversation out of the lines of its stream (SPEC, Events)', () => {
  const whole = [
    cutoff,
    echo,
    delta(''),
    delta('Looking', 'Hm'),
    delta(' it up'),
    tool(),
    tool('{"data":[]}'),
    final('Oslo.'),
  ]

  test('deltas are joined, tool calls completed, the final answer closes it', () => {
    const conversation = told(...whole, usage)
    const turn = turnOf(conversation)
    expect(conversation.chatId).toBe('c-1')
    expect(turn).toMatchObject({ status: 'answered', answer: 'Oslo.' })
    expect(turn.parts).toEqual([
      { kind: 'text', id: 'A', content: 'Looking it up', thinking: 'Hm' },
      { kind: 'tool', id: 'B', name: 'serviceSqlApi', input: '{}', result: '{"data":[]}' },
    ])
  })

  test('a stream that is told again from its beginning says nothing twice', () => {
    expect(turnOf(told(...whole.slice(0, 5), ...whole))).toEqual(turnOf(told(...whole)))
  })

  test('a text as it is so far takes the place of what was told of it', () => {
    const soFar = { ...main, id: 'A', content: 'Looking it', thinking: '', isInProcess: true, isDelta: false }
    expect(turnOf(told(cutoff, delta('Look'), soFar, delta(' up'))).parts).toMatchObject([{ content: 'Looking it up' }])
  })

  test.each<[string, StreamLine, object]>([
    ['stopped', { id: '__aborted__', role: 'assistant' }, { status: 'aborted' }],
    ['suspended', { id: '__suspended__', role: 'assistant', messageId: id }, { status: 'suspended' }],
    [
      'an error line',
      { error: 'Streaming for thread is in progress' },
      { status: 'failed', error: 'Streaming for thread is in progress' },
    ],
    ['not let in', { jsonrpc: '2.0', error: { code: -32001, message: 'no' } }, { status: 'failed', error: 'no' }],
  ])('%s', (_, line, expected) => {
    expect(turnOf(told(cutoff, echo, delta('a'), line, usage))).toMatchObject(expected)
  })

  test('lines that nobody knows, and the history of other messages, change nothing', () => {
    const before = told(cutoff, echo, delta('a'))
    for (const line of [{}, { id: 7 }, { id: '__new__' }, { id: '1-message', role: 'user', content: 'x' }]) {
      expect(withLine(before, line, id)).toEqual(before)
    }
  })

  test('the answer stands once, also while it grows and where the last words are the answer', () => {
    const growing = turnOf(told(cutoff, delta('Oslo')))
    expect([answerOf(growing), stepsOf(growing)]).toMatchObject(['Oslo', [{ content: '' }]])
    const closed = turnOf(told(cutoff, delta('Oslo.'), final('Oslo.')))
    expect([answerOf(closed), stepsOf(closed)]).toMatchObject(['Oslo.', [{ content: '' }]])
    const other = turnOf(told(cutoff, delta('I look it up.'), tool('{}'), final('Oslo.')))
    expect([answerOf(other), stepsOf(other)]).toMatchObject(['Oslo.', [{ content: 'I look it up.' }, { kind: 'tool' }]])
  })
})

describe('lines of a body', () => {
  async function read(...chunks: readonly Uint8Array[]): Promise<unknown[]> {
    const found: unknown[] = []
    const body = new ReadableStream<Uint8Array>({
      start(into) {
        for (const chunk of chunks) into.enqueue(chunk)
        into.close()
      },
    })
    for await (const line of readLines(body)) {
      found.push(line)
    }
    return found
  }
  const bytes = new TextEncoder().encode('{"a":"ø€"}\n\n{"b":1}\n{"c":2}')

  test('come whole however they were cut', async () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await read(bytes.slice(0, at), bytes.slice(at))).toEqual([{ a: 'ø€' }, { b: 1 }, { c: 2 }])
    }
  })

  test('that are not JSON are an error', async () => {
    await expect(read(new TextEncoder().encode('{"a":1}\n<html>\n'))).rejects.toThrow()
  })
})
