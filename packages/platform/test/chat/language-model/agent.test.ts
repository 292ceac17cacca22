import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type FakeModel, query, say, startFakeModel } from '../../../../../acceptance/support/fake-model.ts'
import { autoAgent } from '../../../src/chat/agent.ts'
import { testAgent, testTurn } from './test-turn.ts'

let model: FakeModel
beforeAll(async () => {
  model = await startFakeModel()
})
afterAll(() => model.close())

const rows = {
  failed: false,
  result: JSON.stringify({ schema: [{ name: 'n', column_type: 'Int64' }], data: [['42']], totalRows: 1 }),
}
const textOf = (value: unknown) => JSON.stringify(value)

describe('the agent on a language model', () => {
  test('searches, queries and answers; text comes in the parts in which the model says it', async () => {
    model.play(
      call('serviceMeta', { searchQuery: 'orders' }),
      query('SELECT MEASURE(count) AS n FROM sales'),
      say('There are ', '42 orders.'),
    )
    const { turn, said, called, spent } = testTurn({}, [{ failed: false, result: '{"cubes":[]}' }, rows])
    const answer = await testAgent(model.url).agent.answer(turn)
    expect(said).toEqual(['There are ', '42 orders.'])
    expect(answer).toMatchObject({
      text: 'There are 42 orders.',
      usage: { models: ['scripted'], llmCalls: 3, inputTokens: 300, outputTokens: 30 },
    })
    expect(called.map(([name]) => name)).toEqual(['serviceMeta', 'serviceSqlApi'])
    expect(called[1]?.[1]).toMatchObject({ sqlQuery: 'SELECT MEASURE(count) AS n FROM sales' })
    expect(spent).toHaveLength(3)
    const [first, , last] = model.requests
    expect(first?.path).toBe('/v1/chat/completions')
    expect(first?.headers.authorization).toBe('Bearer sk-canary-0123456789')
    expect(first?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      'serviceMeta',
      'serviceSqlApi',
    ])
    expect(last?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('"rows":[["42"]]'),
    })
  })

  test('says to the model what it needs to know: rules, skills, certified queries, views, time', async () => {
    model.play(say('Fine.'))
    const settings = {
      ...autoAgent,
      title: 'Shop assistant',
      accessibleViews: ['sales'],
      rules: [
        { name: 'r1', type: 'always' as const, description: null, prompt: 'Revenue is net of tax.' },
        {
          name: 'r2',
          type: 'agent_requested' as const,
          description: 'Questions on churn',
          prompt: 'Churn is counted monthly.',
        },
      ],
      certifiedQueries: [
        {
          name: 'c1',
          userRequest: 'Number of orders',
          sqlQuery: 'SELECT MEASURE(count) FROM sales',
          description: null,
        },
        { name: 'c2', userRequest: 'Weather in Oslo', sqlQuery: 'SELECT rain FROM weather', description: null },
      ],
      skills: [
        {
          name: 'weekly',
          title: 'Weekly report',
          description: 'Numbers of a week',
          instructions: 'Compare with the week before.',
        },
      ],
    }
    const { turn } = testTurn({ settings, input: '/weekly orders please' })
    await testAgent(model.url).agent.answer(turn)
    const [system, question] = model.requests[0]?.body.messages ?? []
    expect(system?.role).toBe('system')
    for (const part of [
      'Shop assistant',
      'Revenue is net of tax.',
      'When: Questions on churn',
      'Compare with the week before.',
      'SELECT MEASURE(count) FROM sales',
      '- sales (view, 0 members, preferred): Sales. What was sold.',
      'Sunday 2026-03-01 13:00 in Europe/Berlin',
    ]) {
      expect(system?.content).toContain(part)
    }
    expect(system?.content).not.toContain('weather')
    expect(question).toMatchObject({ role: 'user', content: 'orders please' })
  })

  test('a number that no result has is asked about once, and a query that has it is enough', async () => {
    model.play(
      query('SELECT MEASURE(count) AS n FROM sales'),
      say('There are 42 orders, 17 % more.'),
      query('SELECT 0.17 AS growth FROM sales'),
      say('The growth is in the last query.'),
    )
    const growth = { ...rows, result: rows.result.replace('42', '0.1702') }
    const { turn } = testTurn({}, [rows, growth])
    const { text } = await testAgent(model.url).agent.answer(turn)
    expect(text).toBe('There are 42 orders, 17 % more.\n\nThe growth is in the last query.')
    expect(model.requests[2]?.body.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('No result has these numbers of your answer: 17 %.'),
    })
  })

  test('a number that no result has is marked where the model insists on it, and asked about once only', async () => {
    model.play(query('SELECT MEASURE(count) AS n FROM sales'), say('There are 43 orders.'), say('It is 43.'))
    const { turn, said } = testTurn({}, [rows])
    const { text } = await testAgent(model.url).agent.answer(turn)
    expect(text).toMatch(/No result of a query has these numbers, so do not rely on them: 43\.\*$/)
    expect(said.join('')).toBe(text)
    expect(model.requests).toHaveLength(3)
  })

  test('numbers of earlier turns, of the question and of the files have a source', async () => {
    model.play(say('It was 42, and 95 % is the goal; you asked for 7.'))
    const toolCalls = [{ name: 'serviceSqlApi', input: '{}', result: rows.result }]
    const rules = [{ name: 'goal', type: 'always' as const, description: null, prompt: 'The goal is 95 %.' }]
    const { turn } = testTurn({
      input: 'Which 7 were they?',
      history: [{ input: 'How many?', answer: '42.', toolCalls }],
      settings: { ...autoAgent, rules },
    })
    const { text } = await testAgent(model.url).agent.answer(turn)
    expect(text).toBe('It was 42, and 95 % is the goal; you asked for 7.')
  })

  test('a question and its instructions stay small', async () => {
    model.play(say('Fine.'))
    const cubes = Array.from({ length: 900 }, (_, index) => ({
      name: `view_${index}`,
      type: 'view' as const,
      title: `View ${index}`,
      description: 'A description that goes on for a while. '.repeat(20),
      aiContext: null,
      joins: [],
      members: [],
    }))
    const history = Array.from({ length: 50 }, (_, index) => ({
      input: `Question ${index}`,
      answer: 'A long answer. '.repeat(200),
      toolCalls: [
        {
          name: 'serviceSqlApi',
          input: '{"sqlQuery":"SELECT 1"}',
          result: JSON.stringify({ data: Array(100).fill(['x'.repeat(200)]), totalRows: 100 }),
        },
      ],
    }))
    const { turn } = testTurn({ visibleModel: async () => ({ cubes }), history })
    await testAgent(model.url).agent.answer(turn)
    // About 20,000 tokens.
    expect(textOf(model.requests[0]?.body).length).toBeLessThan(70_000)
    expect(textOf(model.requests[0]?.body)).toContain('Question 49')
    expect(textOf(model.requests[0]?.body)).not.toContain('Question 3"')
  })

  test('earlier turns are told with their queries, shortened', async () => {
    model.play(say('By state, then.'))
    const result = JSON.stringify({
      schema: [{ name: 'city', column_type: 'String' }],
      data: Array(100).fill(['Oslo']),
      totalRows: 2_000,
    })
    const history = [
      {
        input: 'Orders by city',
        answer: 'Oslo leads.',
        toolCalls: [{ name: 'serviceSqlApi', input: '{"sqlQuery":"SELECT city FROM sales","vegaSpec":"{}"}', result }],
      },
    ]
    await testAgent(model.url).agent.answer(testTurn({ history, input: 'and by state?' }).turn)
    const roles = model.requests[0]?.body.messages.map(({ role }: { role: string }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
    const told = textOf(model.requests[0]?.body.messages.slice(1))
    expect(told).toContain('SELECT city FROM sales')
    expect(told).not.toContain('vegaSpec')
    expect(told).toContain('of 2000 rows')
  })

  test('part of a result is told as part', async () => {
    model.play(query('SELECT id FROM sales'), say('Many.'))
    const part = {
      failed: false,
      result: JSON.stringify({ schema: [], data: Array(100).fill(['1']), totalRows: 250, vegaSpec: '{"mark":"bar"}' }),
    }
    await testAgent(model.url).agent.answer(testTurn({}, [part]).turn)
    const told = model.requests[1]?.body.messages.at(-1)?.content
    expect(told).toContain('PART of the result: the first 100 of 250 rows')
    expect(told).toContain('"chart":"shown to the user"')
  })

  test('an error of a tool goes back to the model, which corrects itself', async () => {
    model.play(query('SELECT wrong FROM sales'), query('SELECT MEASURE(count) FROM sales'), say('42.'))
    const { turn, called } = testTurn({}, [{ failed: true, result: '{"error":"Error: no column wrong"}' }, rows])
    expect(await testAgent(model.url).agent.answer(turn)).toMatchObject({ text: '42.' })
    expect(called).toHaveLength(2)
    expect(model.requests[1]?.body.messages.at(-1)?.content).toContain('no column wrong')
  })

  test('unknown tools and bad arguments become errors of tools', async () => {
    model.play(
      call('deleteEverything', { now: true }),
      call('serviceSqlApi', '{"sqlQuery": "SELECT'),
      call('serviceSqlApi', '[1,2]'),
      say('Sorry.'),
    )
    const { turn, called } = testTurn({}, [{ failed: true, result: '{"error":"Error: no"}' }])
    expect(await testAgent(model.url).agent.answer(turn)).toMatchObject({ text: 'Sorry.', usage: { llmCalls: 4 } })
    expect(called.map(([name]) => name)).toEqual(['deleteEverything', 'serviceSqlApi', 'serviceSqlApi'])
    expect(model.requests).toHaveLength(4)
  })

  test('the published names of the tools reach the same tools', async () => {
    model.play(call('cubeSqlApi', { sqlQuery: 'SELECT 1' }), say('Done.'))
    const { turn, called } = testTurn({}, [rows])
    await testAgent(model.url).agent.answer(turn)
    expect(called[0]?.[0]).toBe('serviceSqlApi')
  })

  test('several calls of one reply are made in turn', async () => {
    const calls = Array.from({ length: 12 }, (_, index) => ({
      name: 'serviceMeta',
      input: { searchQuery: `${index}` },
    }))
    model.play({ kind: 'answer', calls }, say('Done.'))
    const { turn, called } = testTurn()
    await testAgent(model.url).agent.answer(turn)
    expect(called.map(([, input]) => input)).toEqual(calls.slice(0, 8).map(({ input }) => input))
    expect(model.requests[1]?.body.messages.filter(({ role }: { role: string }) => role === 'tool')).toHaveLength(8)
  })

  test('endless calls of tools end with an answer at the twelfth step', async () => {
    model.play(request => (request.body.tool_choice === 'none' ? say('This is what I found.') : query('SELECT 1')))
    const { turn, called } = testTurn({}, [rows])
    expect(await testAgent(model.url).agent.answer(turn)).toMatchObject({
      text: 'This is what I found.',
      usage: { llmCalls: 12 },
    })
    expect(called).toHaveLength(11)
  })

  test('a turn that takes too many tokens ends', async () => {
    model.play({ kind: 'answer', calls: [{ name: 'serviceMeta', input: {} }], usage: { input: 900, output: 200 } })
    await expect(testAgent(model.url, { turnTokens: 1_000 }).agent.answer(testTurn().turn)).rejects.toThrow(
      /more than the 1000 tokens/,
    )
    expect(model.requests).toHaveLength(1)
  })

  test('what a model said before it called tools stands apart from its answer', async () => {
    model.play(
      { kind: 'answer', text: ['Let me see.'], calls: [{ name: 'serviceMeta', input: {} }] },
      say('There ', 'it is.'),
    )
    const { turn, said } = testTurn()
    const { text } = await testAgent(model.url).agent.answer(turn)
    expect(text).toBe('Let me see.\n\nThere it is.')
    expect(said.join('')).toBe(text)
  })

  test('thoughts are thoughts, and never part of the answer', async () => {
    model.play({ kind: 'answer', thinking: ['Hm, ', 'orders.'], text: ['42.'] })
    const { turn, thought } = testTurn({ input: 'Is it 42, or 2, 3, 4?' })
    expect(await testAgent(model.url).agent.answer(turn)).toMatchObject({ text: '42.' })
    expect(thought.join('')).toBe('Hm, orders.')
  })

  test('what was read from the provider’s cache is counted apart', async () => {
    model.play({ kind: 'answer', text: ['42.'], usage: { input: 1_000, output: 5, cached: 900 } })
    const { usage } = await testAgent(model.url).agent.answer(testTurn({ input: 'Is it 42, or 2, 3, 4?' }).turn)
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 5, cacheReadTokens: 900, cacheWriteTokens: 0 })
  })

  test('a provider that does not count is counted by its texts', async () => {
    model.play({ kind: 'answer', text: ['42.'], usage: null })
    const { usage } = await testAgent(model.url).agent.answer(testTurn({ input: 'Is it 42, or 2, 3, 4?' }).turn)
    expect(usage.inputTokens).toBeGreaterThan(500)
    expect(usage.llmCalls).toBe(1)
  })

  test('what it says loads nothing where it is shown, however it is cut into parts', async () => {
    const text = [
      'See !',
      '[x](https://evil.example/?n=42) and <',
      'img src=https://evil.example/> now',
      '! 3 < 4, 2<3 ',
      '![a][b]!',
    ]
    model.play(say(...text))
    const { turn, said } = testTurn({ input: 'Is it 42, or 2, 3, 4?' })
    const answer = await testAgent(model.url).agent.answer(turn)
    expect(answer.text).toBe(
      'See [x](https://evil.example/?n=42) and &lt;img src=https://evil.example/> now! 3 < 4, 2<3 [a][b]!',
    )
    expect(said.join('')).toBe(answer.text)
  })

  test('a question that is too long is no question for a provider', async () => {
    model.play(say('Should not be asked.'))
    const { turn } = testTurn({ input: 'why '.repeat(20_000) })
    await expect(testAgent(model.url).agent.answer(turn)).rejects.toThrow(/at most 50000 characters/)
    expect(model.requests).toHaveLength(0)
  })

  test('pictures are sent with the question', async () => {
    model.play(say('A cat.'))
    const images = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=', name: 'cat.png' }]
    await testAgent(model.url).agent.answer(testTurn({ images }).turn)
    expect(textOf(model.requests[0]?.body.messages.at(-1))).toContain('data:image/png;base64,iVBORw0KGgo=')
  })

  test('a turn that is resumed asks the provider nothing twice', async () => {
    model.play(call('serviceMeta', { searchQuery: 'a' }), query('SELECT 1'), say('Done.'))
    const suspended = new Error('suspended')
    let checkpoints = 0
    const first = testTurn({}, [rows])
    const stopped = {
      ...first.turn,
      async checkpoint(state: unknown) {
        await first.turn.checkpoint(state)
        checkpoints += 1
        // After the reply that asks for the second tool, before it is called.
        if (checkpoints === 3) throw suspended
      },
    }
    const { agent } = testAgent(model.url)
    await expect(agent.answer(stopped)).rejects.toThrow(suspended)
    expect(first.called).toHaveLength(1)
    const second = testTurn({ resumed: JSON.parse(JSON.stringify(first.saved.at(-1))) }, [rows])
    expect(await agent.answer(second.turn)).toMatchObject({ text: 'Done.', usage: { llmCalls: 1 } })
    expect(second.called.map(([name]) => name)).toEqual(['serviceSqlApi'])
    expect(model.requests).toHaveLength(3)
    expect(model.requests[2]?.body.messages.filter(({ role }: { role: string }) => role === 'tool')).toHaveLength(2)
  })

  test('an abort ends the call at the provider', async () => {
    model.play({ kind: 'hang', text: ['So'] })
    const controller = new AbortController()
    const { turn } = testTurn({
      signal: controller.signal,
      say: () => controller.abort(new Error('aborted by the asker')),
    })
    await expect(testAgent(model.url).agent.answer(turn)).rejects.toThrow('aborted by the asker')
    await expect.poll(() => model.open()).toBe(0)
  })
})

describe('in the format of Anthropic', () => {
  const address = { provider: 'anthropic', thinks: true } as const

  test('it thinks, calls tools with its signature kept, and answers', async () => {
    model.play(
      {
        kind: 'answer',
        thinking: ['I should look.'],
        calls: [{ name: 'serviceMeta', input: { searchQuery: 'orders' } }],
        usage: { input: 50, output: 20, cached: 500 },
      },
      say('42 orders.'),
    )
    const { turn, thought } = testTurn({ input: 'Is it 42, or 2, 3, 4?' })
    const answer = await testAgent(model.url, { address }).agent.answer(turn)
    expect(answer).toMatchObject({
      text: '42 orders.',
      usage: { llmCalls: 2, cacheReadTokens: 500, inputTokens: 150, outputTokens: 30 },
    })
    expect(thought.join('')).toBe('I should look.')
    const [first, second] = model.requests
    expect(first?.headers['x-api-key']).toBe('sk-canary-0123456789')
    expect(first?.body.system?.[0]).toMatchObject({ cache_control: { type: 'ephemeral' } })
    expect(first?.body.thinking).toMatchObject({ type: 'enabled' })
    expect(textOf(second?.body.messages)).toContain('signed-by-the-provider')
    expect(textOf(second?.body.messages)).toContain('tool_result')
  })
})
