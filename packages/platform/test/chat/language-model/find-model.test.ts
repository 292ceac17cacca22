import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeModel, say, startFakeModel } from '../../../../../acceptance/support/fake-model.ts'
import { type Agent, type AgentSettings, autoAgent, noUsage } from '../../../src/chat/agent.ts'
import { createChooseAgent } from '../../../src/chat/choose-agent.ts'
import { findModel } from '../../../src/chat/language-model/find-model.ts'
import { type LanguageModelSettings, noLanguageModel } from '../../../src/chat/language-model/settings.ts'
import { testTurn } from './test-turn.ts'

const operators: LanguageModelSettings = {
  ...noLanguageModel,
  main: { provider: 'openai-compatible', model: 'ours', baseUrl: 'http://localhost:1/v1', apiKey: 'sk-operator' },
  keys: { openai: 'sk-openai', anthropic: null },
}
const find = (
  llm: AgentSettings['llm'],
  settings = operators,
  variables: Readonly<Record<string, string>> = {},
  runtime: AgentSettings['runtime'] = 'plain',
) => findModel({ name: 'helper', llm, runtime }, settings, async () => variables)

describe('which language model answers', () => {
  test('is the operator’s, unless the agent names one', async () => {
    expect(await find('auto')).toMatchObject({ model: 'ours', apiKey: 'sk-operator', isOperators: true, thinks: false })
    expect(await find('auto', operators, {}, 'reasoning')).toMatchObject({ thinks: true })
    expect(await find('auto', { ...operators, main: null })).toMatchObject({ provider: 'openai', apiKey: 'sk-openai' })
  })

  test('is the published one that the agent names, with the provider’s key and address', async () => {
    expect(await find('gpt_5_mini')).toEqual({
      provider: 'openai',
      model: 'gpt-5-mini',
      baseUrl: null,
      apiKey: 'sk-openai',
      thinks: false,
      isOperators: true,
    })
    await expect(find('claude_4_5_sonnet')).rejects.toThrow(/no key. Set ANTHROPIC_API_KEY/)
    await expect(find('gpt_99')).rejects.toThrow(/"gpt_99", which is not known/)
  })

  test('is the deployment’s own, by its variables alone', async () => {
    const variables = { HEDRON_BYOM_MY_LLM_MODEL: 'theirs', HEDRON_BYOM_MY_LLM_BASE_URL: 'https://llm.example/v1/' }
    expect(await find({ byom: 'my-llm' }, operators, variables)).toEqual({
      provider: 'openai-compatible',
      model: 'theirs',
      baseUrl: 'https://llm.example/v1',
      apiKey: null,
      thinks: false,
      isOperators: false,
    })
  })

  test.for<[what: string, variables: Readonly<Record<string, string>>, message: RegExp]>([
    ['no model', {}, /HEDRON_BYOM_X_MODEL is not set/],
    ['no address', { MODEL: 'm' }, /HEDRON_BYOM_X_BASE_URL is not set/],
    ['an address of a file', { MODEL: 'm', BASE_URL: 'file:///etc/passwd' }, /must begin with https/],
    ['a password in its address', { MODEL: 'm', BASE_URL: 'https://a:b@llm.example' }, /must begin with https/],
    ['a provider that there is not', { MODEL: 'm', PROVIDER: 'abacus' }, /must be one of openai, anthropic/],
    ['a provider with a format of its own', { MODEL: 'm', PROVIDER: 'aws-bedrock' }, /amazonaws\.com\/openai\/v1/],
    ['a provider whose keys end', { MODEL: 'm', PROVIDER: 'vertex' }, /a gateway that renews its access tokens/],
    ['no key for a provider', { MODEL: 'm', PROVIDER: 'openai' }, /HEDRON_BYOM_X_API_KEY is not set/],
  ])('with %s is an error that names the variable', async ([, variables, message]) => {
    const named = Object.fromEntries(Object.entries(variables).map(([name, value]) => [`HEDRON_BYOM_X_${name}`, value]))
    await expect(find({ byom: 'x' }, operators, named)).rejects.toThrow(message)
  })
})

describe('who answers', () => {
  const builtIn: Agent = { answer: async () => ({ text: 'I am the analyst.', memo: null, usage: noUsage }) }
  let model: FakeModel
  beforeAll(async () => {
    model = await startFakeModel()
  })
  afterAll(() => model.close())

  const choose = (languageModels: LanguageModelSettings, variables: Readonly<Record<string, string>> = {}) =>
    createChooseAgent({
      builtIn,
      languageModels,
      readVariables: async () => variables,
      now: () => new Date(0),
      report: () => {},
    })
  const answer = async (agent: Agent, settings: AgentSettings) => (await agent.answer(testTurn({ settings }).turn)).text
  const home = { accountId: 1, deploymentId: 1 }

  test('is the built-in analyst where no language model is, whatever the agent’s file names', async () => {
    for (const llm of ['auto', 'claude_4_5_sonnet']) {
      const settings = { ...autoAgent, llm }
      expect(await answer(choose(noLanguageModel)(settings, home), settings)).toBe('I am the analyst.')
    }
  })

  test('is the deployment’s own model, which gets its own key and none of the operator’s', async () => {
    model.play(say('I am theirs.'))
    const settings = { ...autoAgent, llm: { byom: 'local' } }
    const variables = {
      HEDRON_BYOM_LOCAL_MODEL: 'theirs',
      HEDRON_BYOM_LOCAL_BASE_URL: model.url,
      HEDRON_BYOM_LOCAL_API_KEY: 'sk-theirs',
    }
    const allowed = { ...operators, allowsLoopback: true }
    expect(await answer(choose(allowed, variables)(settings, home), settings)).toBe('I am theirs.')
    expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-theirs')
    const { HEDRON_BYOM_LOCAL_API_KEY: _, ...keyless } = variables
    for (const provider of ['openai-compatible', 'openai', 'anthropic']) {
      process.env.OPENAI_API_KEY = 'sk-openai'
      process.env.ANTHROPIC_API_KEY = 'sk-anthropic'
      model.play(say('I am theirs.'))
      const asked = choose(allowed, { ...keyless, HEDRON_BYOM_LOCAL_PROVIDER: provider })(settings, home)
      expect(await answer(asked, settings)).toBe('I am theirs.')
      expect(JSON.stringify(model.requests[0]?.headers)).not.toMatch(/sk-operator|sk-openai|sk-anthropic/)
    }
    delete process.env.OPENAI_API_KEY
    delete process.env.ANTHROPIC_API_KEY
    await expect(answer(choose(operators, variables)(settings, home), settings)).rejects.toThrow(/does not connect to/)
  })
})
