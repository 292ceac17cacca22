import { describe, expect, test } from 'vitest'
import { setVariables } from '../data-api/project.ts'
import { buildOf, createKey, eventually, load, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { openSession } from '../support/embedding.ts'
import { createModeler, type Files, type Modeler, numbers, numbersPath } from '../support/project.ts'
import { chatIdOf, chatOf } from './chat-client.ts'

const admin = sharedApi()

const rule = (type: string, prompt: string) => `---\ntype: ${type}\n---\n${prompt}\n`
const skill = (title: string) => `---\ntitle: ${title}\ndescription: ${title} of last week\n---\nSecret steps.\n`
const sales = `spaces:
  - name: sales
    title: Sales team
agents:
  - name: seller
    space: sales
    title: Ask sales
    description: Knows orders
`

/** Puts files on the deploy branch and waits for the build. */
async function deploy(modeler: Modeler, files: Files, removed: readonly string[] = []): Promise<void> {
  await modeler.enter('main')
  await modeler.write(files)
  if (removed.length > 0) await modeler.remove(...removed)
  await modeler.commit()
  await buildOf(modeler.api, modeler.deploymentId, 'main')
}

const agentsOf = async ({ client, params }: Modeler) => (await client.listAgents({ params })).items

/** Agents once there are as many as wanted: their records are made right after the build. */
const untilNames = (modeler: Modeler, names: readonly string[]) =>
  eventually(
    async () => (await agentsOf(modeler)).map(({ agentConfigName }) => agentConfigName),
    found => found.join() === names.join(),
  )

describe('agents of a deployment (contract/cli-admin.md 4.13)', () => {
  test('a deployment has its Auto agent from its creation, with the address of its chat', async () => {
    const modeler = await createModeler(admin)
    const [auto, ...more] = await agentsOf(modeler)
    expect(more).toEqual([])
    expect(auto).toMatchObject({
      deploymentId: modeler.deploymentId,
      name: 'Auto',
      agentConfigName: 'auto',
      agentSpace: { name: 'auto', title: null },
      isDefault: true,
      isMisconfigured: false,
      configError: null,
    })
    expect(auto?.chatUrl).toBe(`${admin.baseUrl}/api/v1/public/hedron/agents/${auto?.id}/chat/stream-chat-state`)
    expect(auto?.mcpUrl).toBe(`${admin.baseUrl}/mcp`)
  })

  test('agents of the files come with the build that has them, and keep their number when they are renamed away', async () => {
    const modeler = await createModeler(admin)
    await deploy(modeler, { [numbersPath]: numbers(), 'agents/config.yml': sales })
    await untilNames(modeler, ['auto', 'seller'])
    const [, seller] = await agentsOf(modeler)
    expect(seller).toMatchObject({
      name: 'Ask sales',
      description: 'Knows orders',
      agentSpace: { name: 'sales', title: 'Sales team' },
      isDefault: false,
      isMisconfigured: false,
    })
    await deploy(modeler, { 'agents/config.yml': sales.replace('seller', 'trader') })
    await untilNames(modeler, ['auto', 'seller', 'trader'])
    expect((await agentsOf(modeler)).map(({ isMisconfigured }) => isMisconfigured)).toEqual([false, true, false])
    await deploy(modeler, { 'agents/config.yml': sales })
    await eventually(
      () => agentsOf(modeler),
      ([, again, trader]) => again?.id === seller?.id && !again?.isMisconfigured && trader?.isMisconfigured === true,
    )
  })

  test('a mistake in agents is told by validate and ends neither queries nor agents: the last good files count', async () => {
    const modeler = await createModeler(admin)
    await deploy(modeler, { [numbersPath]: numbers(), 'agents/config.yml': sales })
    await untilNames(modeler, ['auto', 'seller'])
    await modeler.enter('main')
    await modeler.write({ 'agents/rules/brief.md': rule('allways', 'Be brief.'), [numbersPath]: numbers('sum') })
    const { client, params, deploymentId } = modeler
    const validated = await client.validateDataModel({ params, query: { devMode: true } })
    expect(validated).toMatchObject({ valid: false, cubesCount: 2 })
    expect(validated.errors).toEqual([
      {
        fileName: 'agents/rules/brief.md',
        line: 2,
        column: 7,
        code: 'value_not_allowed',
        message: expect.stringContaining("Did you mean 'always'?"),
      },
    ])
    await modeler.commit()
    const { body } = await buildOf(modeler.api, deploymentId, 'main')
    expect(body).toMatchObject({ status: 'built' })
    // The new model answers, with the agents of before.
    const answer = await load(modeler.api, deploymentId, { measures: ['numbers.sum'] })
    expect(answer.body).toMatchObject({ data: [{ 'numbers.sum': '12' }] })
    const [, seller] = await eventually(
      () => agentsOf(modeler),
      list => list[0]?.configError !== null,
    )
    expect(seller).toMatchObject({ agentConfigName: 'seller', name: 'Ask sales', isMisconfigured: false })
    expect(seller?.configError).toContain('agents/rules/brief.md:2:7')
    await deploy(modeler, { 'agents/rules/brief.md': rule('always', 'Be brief.') })
    await eventually(
      () => agentsOf(modeler),
      list => list[0]?.configError === null,
    )
  })

  test('what agents name and is not there is a warning', async () => {
    const modeler = await createModeler(admin)
    await modeler.enter('main')
    await modeler.write({ [numbersPath]: numbers(), 'agents/config.yml': 'accessible_views: [nombres]\n' })
    const { valid, warnings } = await modeler.client.validateDataModel({
      params: modeler.params,
      query: { devMode: true },
    })
    expect(valid).toBe(true)
    expect(warnings).toMatchObject([{ fileName: 'agents/config.yml', code: 'agents_view' }])
  })

  test('allowEmbedding filters; pages hold', async () => {
    const modeler = await createModeler(admin)
    await deploy(modeler, { [numbersPath]: numbers(), 'agents/config.yml': sales })
    await untilNames(modeler, ['auto', 'seller'])
    const { client, params } = modeler
    expect((await client.listAgents({ params, query: { allowEmbedding: true } })).items).toHaveLength(2)
    expect((await client.listAgents({ params, query: { allowEmbedding: false } })).items).toEqual([])
    const first = await client.listAgents({ params, query: { first: 1 } })
    const { endCursor } = first.pageInfo
    const second = await client.listAgents({ params, query: { first: 1, after: endCursor ?? '' } })
    expect([first.items[0]?.agentConfigName, second.items[0]?.agentConfigName]).toEqual(['auto', 'seller'])
    expect(second.pageInfo.hasNextPage).toBe(false)
  })

  test('allowEmbedding is a setting: embed sessions are shown and may ask only the agents that have it', async () => {
    const modeler = await createModeler(admin)
    const { client, params, deploymentId } = modeler
    const [auto] = await agentsOf(modeler)
    const agentId = auto?.id ?? 0
    const session = await openSession(admin, { deploymentId, externalId: unique('viewer') })
    const place = `agents/${agentId}`
    const chat = chatOf(admin, { place, headers: { authorization: `Embed-Token ${session.token}` } })
    const chatId = chatIdOf(await chat.lines({ input: 'How many?' }))
    const set = (allowEmbedding: boolean) =>
      client.updateAgent({ params: { ...params, agentId }, body: { allowEmbedding } })
    expect(await set(false)).toMatchObject({ id: agentId, allowEmbedding: false })
    const listed = async (allowEmbedding: boolean) =>
      (await client.listAgents({ params, query: { allowEmbedding } })).items.map(({ id }) => id)
    expect([await listed(true), await listed(false)]).toEqual([[], [agentId]])
    expect((await session.get(`/api/v1/deployments/${deploymentId}/agents`)).body.items).toEqual([])
    for (const body of [{ input: 'How many?' }, { input: 'How many?', chatId }]) {
      expect(await chat.refusal(body)).toMatchObject({ status: 403, body: { code: 'chat_agent_not_embedded' } })
    }
    // What was said stays readable, and who asks from the product's server is no page.
    expect((await chat.lines({ chatId })).at(-1)?.id).toBe('__usage__')
    const server = chatOf(admin, { place })
    const lines = await server.lines({ input: 'How many?', sessionSettings: { externalId: unique('user') } })
    expect(lines.at(-1)?.id).toBe('__usage__')
    expect(
      (
        await session.request('PATCH', `/api/v1/deployments/${deploymentId}/agents/${agentId}`, {
          allowEmbedding: true,
        })
      ).status,
    ).toBe(403)
    expect(await set(true)).toMatchObject({ allowEmbedding: true })
    expect((await chat.lines({ input: 'How many?', chatId })).at(-1)?.id).toBe('__usage__')
    await expectRefusal(
      client.updateAgent({ params: { ...params, agentId: 999_999_999 }, body: { allowEmbedding: true } }),
      'agent_not_found',
    )
  })

  test('the folder has the name that the deployment says, or none at all', async () => {
    const modeler = await createModeler(admin)
    await setVariables(admin, modeler.deploymentId, { CUBE_CLOUD_AGENTS_CONFIG_PATH: 'ai/helpers/' })
    await deploy(modeler, {
      [numbersPath]: numbers(),
      'ai/helpers/config.yml': sales,
      'agents/config.yml': 'nonsense: 1\n',
    })
    await untilNames(modeler, ['auto', 'seller'])
    expect((await modeler.client.validateDataModel({ params: modeler.params })).valid).toBe(true)
    await setVariables(admin, modeler.deploymentId, { CUBE_CLOUD_AGENTS_CONFIG_ENABLED: 'false' })
    await eventually(
      () => agentsOf(modeler),
      ([, seller]) => seller?.isMisconfigured === true,
    )
  })
})

describe('skills (contract/cli-admin.md 4.13)', () => {
  test('of the deploy branch or another, of all spaces or one, without their instructions', async () => {
    const modeler = await createModeler(admin)
    await deploy(modeler, {
      [numbersPath]: numbers(),
      'agents/config.yml': sales,
      'agents/skills/weekly.md': skill('Weekly'),
      'agents/skills/sales/pipeline.md': skill('Pipeline'),
    })
    const { client, params } = modeler
    const branchName = await modeler.enter('main')
    await modeler.write({ 'agents/skills/daily.md': skill('Daily') })
    const names = async (query: { space?: string; branchName?: string }) =>
      (await client.listAgentSkills({ params, query })).items.map(({ name }) => name)
    await eventually(
      () => names({}),
      found => found.join() === 'pipeline,weekly',
    )
    expect(await names({ branchName: '' })).toEqual(['pipeline', 'weekly'])
    expect(await names({ space: 'sales' })).toEqual(['pipeline'])
    expect(await names({ branchName })).toEqual(['daily', 'pipeline', 'weekly'])
    const answer = await client.listAgentSkills({ params, query: { space: 'sales' } })
    expect(answer.items).toEqual([
      { name: 'pipeline', title: 'Pipeline', description: 'Pipeline of last week', space: 'sales' },
    ])
    expect(JSON.stringify(answer)).not.toContain('Secret')
    await expectRefusal(client.listAgentSkills({ params, query: { space: 'market' } }), 'agent_space_not_found')
    await expectRefusal(client.listAgentSkills({ params, query: { branchName: 'nowhere' } }), 'branch_not_found')
    await modeler.write({ 'agents/skills/daily.md': 'no front matter' })
    await expectRefusal(client.listAgentSkills({ params, query: { branchName } }), 'agents_invalid')
  })
})

test('a key for another deployment reads no agents', async () => {
  const mine = await createModeler(admin)
  const other = await createModeler(admin)
  const scoped = connect(admin.with(await createKey(admin, { deploymentIds: [other.deploymentId] })))
  await expectRefusal(scoped.listAgents({ params: mine.params }), 'deployment_out_of_scope')
  expect((await scoped.listAgents({ params: other.params })).items).toHaveLength(1)
})
