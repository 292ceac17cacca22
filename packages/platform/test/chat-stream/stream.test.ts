import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Agent, AgentError } from '../../src/chat/agent.ts'
import {
  answered,
  type ChatNodeUnderTest,
  chatIdOf,
  createWorld,
  finalOf,
  linesOf,
  reader,
  spokenIn,
  untilStopped,
} from './chat-world.ts'

let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

let calls = 0
async function nodeWith(agent: Agent['answer'], options = {}): Promise<ChatNodeUnderTest> {
  const counted: Agent = {
    answer(turn) {
      calls += 1
      return agent(turn)
    },
  }
  const node = await world.startNode(counted, options)
  onTestFinished(async () => {
    for (const live of node.node.living()) live.stop('lost')
    await node.close()
    expect(node.faults).toEqual([])
  })
  return node
}

const talker: Agent['answer'] = async turn => {
  turn.think('hm')
  turn.say('There are ')
  await turn.callTool('serviceMeta', { searchQuery: 'cities' })
  turn.say('three')
  turn.say(' cities.')
  return answered('There are three cities.', { seen: turn.input })
}

const messageId = (n = 0) => `${1_790_000_000_000 + n}-message`

test('the lines of an answer: kinds in the order of the SPEC, sort strictly rising, pieces that make the whole', async () => {
  const node = await nodeWith(talker)
  const user = await world.newUser()
  const lines = await linesOf(node.open(user, { input: 'How many cities?', messageId: messageId() }))
  expect(lines[0]).toMatchObject({ id: '__cutoff__', role: 'assistant', sort: 0, state: { isStreaming: false } })
  expect(lines[1]).toEqual({ id: messageId(), role: 'user', content: 'How many cities?', isDelta: false, sort: 1 })
  expect(lines[2]).toMatchObject({
    content: '',
    thinking: '',
    isInProcess: true,
    isDelta: true,
    isStructuredResponse: false,
  })
  const sorts = lines.flatMap(({ sort }) => (sort === undefined ? [] : [sort]))
  expect(sorts.every((sort, index) => index === 0 || sort > (sorts[index - 1] ?? 0))).toBe(true)
  expect(spokenIn(lines)).toBe('There are three cities.')
  expect(finalOf(lines)).toBe('There are three cities.')
  const tools = lines.filter(({ toolCall }) => toolCall)
  expect(
    tools.map(({ isInProcess, toolCall }) => [isInProcess, toolCall?.name, toolCall?.result !== undefined]),
  ).toEqual([
    [true, 'serviceMeta', false],
    [false, 'serviceMeta', true],
  ])
  expect(tools[0]?.id).toBe(tools[1]?.id)
  expect(JSON.parse(tools[0]?.toolCall?.input ?? '')).toEqual({ searchQuery: 'cities' })
  expect(lines.at(-2)).toMatchObject({ id: '__state__', isDelta: false })
  expect(lines.at(-2)?.state?.messages).toHaveLength(4)
  expect(lines.at(-1)).toMatchObject({ id: '__usage__', type: 'usage', usage: { totalTokens: 0 } })
})

test('a follow-up has the earlier turn and what the agent left for itself', async () => {
  const seen: unknown[] = []
  const node = await nodeWith(async turn => {
    seen.push([turn.history.map(({ input, answer, toolCalls }) => [input, answer, toolCalls.length]), turn.memo])
    return talker(turn)
  })
  const user = await world.newUser()
  const chatId = chatIdOf(await linesOf(node.open(user, { input: 'first' })))
  const second = await linesOf(node.open(user, { input: 'second', chatId }))
  expect(chatIdOf(second)).toBe(chatId)
  expect(seen).toEqual([
    [[], null],
    [[['first', 'There are three cities.', 1]], { seen: 'first' }],
  ])
  const read = await linesOf(node.open(user, { chatId }))
  expect(read[0]).toMatchObject({ state: { isStreaming: false, chatId } })
  expect(read.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['first', 'second'])
  expect(read.at(-2)?.state?.messages).toHaveLength(8)
  expect(read.at(-1)?.id).toBe('__usage__')
})

test('a hundred requests with one message id, on two nodes, in a thread and without one: one answer', async () => {
  const slow: Agent['answer'] = async turn => {
    turn.say('slowly ')
    await new Promise(resolve => setTimeout(resolve, 300))
    turn.say('done')
    return answered('slowly done')
  }
  const nodes = [await nodeWith(slow), await nodeWith(slow)]
  const user = await world.newUser()
  const before = calls
  const ask = (chatId?: string) =>
    Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        linesOf(
          nodes[index % 2]?.open(user, { input: 'race', messageId: messageId(chatId ? 2 : 1), chatId }) ??
            Promise.reject(),
        ),
      ),
    )
  const first = await ask()
  expect(calls - before).toBe(1)
  expect(new Set(first.map(chatIdOf)).size).toBe(1)
  expect(first.every(lines => finalOf(lines) === 'slowly done' && lines.at(-1)?.id === '__usage__')).toBe(true)
  const second = await ask(chatIdOf(first[0] ?? []))
  expect(calls - before).toBe(2)
  expect(second.every(lines => finalOf(lines) === 'slowly done')).toBe(true)
})

test('while one message is answered another is refused, and the same one is followed from where it is, also on another node', async () => {
  const go = Promise.withResolvers<void>()
  const agent: Agent['answer'] = async turn => {
    turn.say('one ')
    await go.promise
    turn.say('two')
    return answered('one two')
  }
  const [here, there] = [await nodeWith(agent), await nodeWith(agent)]
  const user = await world.newUser()
  const before = calls
  const mine = reader(await here.open(user, { input: 'count', messageId: messageId() }))
  const begin = await mine.until(({ content }) => content === 'one ')
  const chatId = chatIdOf(begin)
  await new Promise(resolve => setTimeout(resolve, 300))
  for (const node of [here, there]) {
    const other = await linesOf(node.open(user, { input: 'another', messageId: messageId(1), chatId }))
    expect(other.map(({ id, error }) => id ?? error)).toEqual([
      '__cutoff__',
      'Streaming for thread is in progress',
      '__usage__',
    ])
    expect(other[0]).toMatchObject({ state: { isStreaming: true } })
  }
  const again = reader(await here.open(user, { input: 'count', messageId: messageId(), chatId }))
  const far = reader(await there.open(user, { input: 'count', messageId: messageId(), chatId }))
  const [nearBegin, farBegin] = [
    await again.until(({ content }) => content === 'one '),
    await far.until(({ content }) => content === 'one '),
  ]
  expect([nearBegin[0]?.state?.isStreaming, farBegin[0]?.state?.isStreaming]).toEqual([true, true])
  const read = await linesOf(there.open(user, { chatId }))
  expect(read[0]).toMatchObject({ state: { isStreaming: true } })
  go.resolve()
  const streams = [
    [...begin, ...(await mine.rest())],
    [...nearBegin, ...(await again.rest())],
    [...farBegin, ...(await far.rest())],
  ]
  for (const lines of streams) {
    expect(spokenIn(lines)).toBe('one two')
    expect(finalOf(lines)).toBe('one two')
    expect(lines.at(-2)?.id).toBe('__state__')
    expect(lines.at(-1)?.id).toBe('__usage__')
    const sorts = lines.flatMap(({ sort }) => (sort === undefined ? [] : [sort]))
    expect(sorts.every((sort, index) => index === 0 || sort > (sorts[index - 1] ?? 0))).toBe(true)
  }
  expect(calls - before).toBe(1)
})

test('a message that was answered is answered the same again, by nobody', async () => {
  const node = await nodeWith(talker)
  const user = await world.newUser()
  const first = await linesOf(node.open(user, { input: 'again', messageId: messageId() }))
  const before = calls
  const second = await linesOf(node.open(user, { input: 'again', messageId: messageId(), chatId: chatIdOf(first) }))
  const unnamed = await linesOf(node.open(user, { input: 'again', messageId: messageId() }))
  expect([finalOf(second), finalOf(unnamed), calls - before]).toEqual([finalOf(first), finalOf(first), 0])
  expect(chatIdOf(unnamed)).toBe(chatIdOf(first))
})

test('a client that leaves does not end the answer', async () => {
  const go = Promise.withResolvers<void>()
  const node = await nodeWith(async turn => {
    turn.say('going ')
    await go.promise
    turn.say('on')
    return answered('going on')
  })
  const user = await world.newUser()
  const left = reader(await node.open(user, { input: 'go', messageId: messageId() }))
  const chatId = chatIdOf(await left.until(({ content }) => content === 'going '))
  void left.leave()
  go.resolve()
  const found = await linesOf(node.open(user, { input: 'go', messageId: messageId(), chatId }))
  expect(finalOf(found)).toBe('going on')
})

test('abort, from another node too: the agent is stopped, the stream says so, the thread is free, and others may not', async () => {
  const agent: Agent['answer'] = async turn => {
    turn.say('I think')
    if (turn.input === 'stop me') return untilStopped(turn)
    return answered('I think')
  }
  const [here, there] = [await nodeWith(agent), await nodeWith(agent)]
  const [user, stranger] = [await world.newUser(), await world.newUser()]
  for (const node of [here, there]) {
    const stream = reader(await here.open(user, { input: 'stop me' }))
    const chatId = chatIdOf(await stream.until(({ content }) => content === 'I think'))
    await expect(node.abort(stranger, chatId)).rejects.toMatchObject({ code: 'chat_thread_not_yours', status: 403 })
    await expect(node.abort(user, 'no-such-thread')).rejects.toMatchObject({
      code: 'chat_thread_not_found',
      status: 404,
    })
    await node.abort(user, chatId)
    const next = await linesOf(there.open(user, { input: 'go on', chatId }))
    expect(finalOf(next)).toBe('I think')
    const rest = await stream.rest()
    expect(rest.map(({ id, type }) => [id, type])).toEqual([
      ['__aborted__', 'abort'],
      ['__usage__', 'usage'],
    ])
    await node.abort(user, chatId)
    await expect(here.open(stranger, { chatId })).rejects.toMatchObject({ status: 404 })
  }
})

test('suspended at the end of a step, a message goes on from there: nothing is told, called or counted twice', async () => {
  const steps: string[] = []
  const spent = { models: ['m'], llmCalls: 1, inputTokens: 5, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 }
  const agent: Agent['answer'] = async turn => {
    if (turn.resumed === null) {
      steps.push('first')
      turn.say('one ')
      turn.spent(spent)
      await turn.callTool('serviceMeta', { searchQuery: 'x' })
      await new Promise(resolve => setTimeout(resolve, 200))
      await turn.checkpoint({ step: 1 })
      return untilStopped(turn)
    }
    steps.push(`resumed ${JSON.stringify(turn.resumed)}`)
    turn.say('two')
    return { text: 'one two', memo: null, usage: spent }
  }
  const node = await nodeWith(agent)
  const other = await nodeWith(agent)
  const user = await world.newUser()
  const stream = reader(await node.open(user, { input: 'count', messageId: messageId() }))
  const begin = await stream.until(({ toolCall }) => toolCall?.result !== undefined)
  const chatId = chatIdOf(begin)
  await node.suspend()
  const rest = await stream.rest()
  expect(rest).toMatchObject([
    { id: '__suspended__', type: 'suspend', messageId: messageId() },
    { id: '__usage__', usage: { llmCalls: 1 } },
  ])
  const read = await linesOf(other.open(user, { chatId }))
  expect(read[0]?.state).toEqual({ isStreaming: false, chatId, suspended: { messageId: messageId() } })
  const resumed = await linesOf(other.open(user, { chatId, messageId: messageId() }))
  expect(steps).toEqual(['first', 'resumed {"step":1}'])
  expect(spokenIn(resumed)).toBe('one two')
  expect(finalOf(resumed)).toBe('one two')
  expect(resumed.filter(({ toolCall }) => toolCall?.result)).toHaveLength(1)
  expect(resumed.at(-1)?.usage).toMatchObject({ llmCalls: 2, totalTokens: 20 })
})

test('a node that died leaves no thread stuck: the same message begins again, another one goes on', async () => {
  const agent: Agent['answer'] = async turn => {
    turn.say('half')
    if (turn.input.startsWith('die') && first) return untilStopped(turn)
    return answered('half')
  }
  let first = true
  const dying = await world.startNode({ answer: agent }, { name: 'mortal' })
  const user = await world.newUser()
  const one = reader(await dying.open(user, { input: 'die', messageId: messageId() }))
  const chatId = chatIdOf(await one.until(({ content }) => content === 'half'))
  const two = reader(await dying.open(user, { input: 'die too', messageId: messageId(1) }))
  const otherChat = chatIdOf(await two.until(({ content }) => content === 'half'))
  await new Promise(resolve => setTimeout(resolve, 300))
  first = false
  // The same node starts again: what it was answering before is dead.
  const again = await world.startNode({ answer: agent }, { name: 'mortal' })
  onTestFinished(async () => {
    await again.close()
    await dying.close()
  })
  const same = await linesOf(again.open(user, { input: 'die', messageId: messageId(), chatId }))
  expect(spokenIn(same)).toBe('half')
  expect(finalOf(same)).toBe('half')
  const next = await linesOf(again.open(user, { input: 'live', chatId: otherChat }))
  expect(finalOf(next)).toBe('half')
  for (const live of dying.node.living()) live.stop('lost')
  // Whoever was listening to the dead is told to ask again.
  expect((await one.rest()).map(({ id }) => id)).toEqual(['__suspended__', '__usage__'])
})

test('an agent that ignores its signal, one that is too slow, one that refuses, one that fails: each ends with a line that says so', async () => {
  const user = await world.newUser()
  const overdue = await nodeWith(async () => new Promise(() => {}), { turnMs: 300 })
  const late = await linesOf(overdue.open(user, { input: 'x' }))
  expect(late.at(-2)?.error).toContain('took longer')
  expect(late.at(-1)?.id).toBe('__usage__')

  const refusing = await nodeWith(async turn => {
    turn.say('Well, ')
    throw new AgentError('No model answers.')
  })
  const refused = await linesOf(refusing.open(user, { input: 'x', messageId: messageId() }))
  expect(refused.at(-2)).toEqual({ error: 'No model answers.' })
  const again = await linesOf(refusing.open(user, { input: 'x', messageId: messageId(), chatId: chatIdOf(refused) }))
  expect(again.at(-2)).toEqual({ error: 'No model answers.' })

  const failing = await world.startNode({ answer: async () => Promise.reject(new Error('secret detail')) })
  const failed = await linesOf(failing.open(user, { input: 'x' }))
  await failing.close()
  expect(JSON.stringify(failed)).not.toContain('secret detail')
  expect(failed.at(-2)?.error).toContain('Something failed')
  expect(failing.faults).toHaveLength(1)
})
