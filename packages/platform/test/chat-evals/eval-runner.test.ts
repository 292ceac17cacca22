import { accounts, deployments, evalRuns, openStore, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Agent, AgentError, noUsage } from '../../src/chat/agent.ts'
import { noAgentFiles } from '../../src/chat/agents/read-agent-files.ts'
import { createEvalRunner } from '../../src/chat/evals/eval-runner.ts'
import type { ChatTools } from '../../src/chat/tools/chat-tools.ts'
import { DataError } from '../../src/queries/data-error.ts'

const database = await createTestDatabase()
let store: Store
let accountId = 0
let deploymentId = 0
let clock = Date.parse('2026-01-01T00:00:00Z')
const reported: unknown[] = []

beforeAll(async () => {
  store = await openStore({ url: database.url })
  accountId = (await accounts.ensureAccount(store.kysely, 'acme')).id
})
afterAll(async () => {
  await store.close()
  await database.close()
})
beforeEach(async () => {
  reported.length = 0
  clock += 3_600_000
  await store.kysely.deleteFrom('evalRuns').execute()
  const row = await deployments.insertDeployment(store.kysely, {
    accountId,
    name: `d${clock}`,
    region: 'local',
    cloudProvider: 'x',
    targetPlatform: 'x',
    isManaged: true,
    creationStep: 'project',
    creationMethod: null,
    deployMode: 'cli',
    cspsConfig: null,
    releaseChannelVersion: '1',
  })
  deploymentId = row?.id ?? 0
})

/** Answers of statements: what they say is their own result. */
const tools: ChatTools = {
  call: async (_user, _name, input) => ({ failed: false, result: JSON.stringify(input) }),
  visibleModel: async () => ({ cubes: [] }),
  async lookUp(_user, sql) {
    if (sql === 'broken') throw new DataError(400, 'it is broken')
    return { columns: ['x'], rows: sql.split(' ').map(word => [word]), complete: sql !== 'endless' }
  },
}

/** Says the question's own words as a statement, and does as it is told otherwise. */
const parrot: Agent = {
  async answer({ input, callTool, signal }) {
    if (input === 'refuse') throw new AgentError('no')
    if (input === 'fault') throw new Error('a fault of ours')
    if (input === 'hang')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    if (input !== 'silent') await callTool('serviceSqlApi', { sqlQuery: input })
    return { text: `I say ${input}`, memo: null, usage: noUsage }
  },
}

function runner(agent: Agent = parrot, isThere: () => boolean = () => true) {
  return createEvalRunner({
    store,
    effects: { now: () => new Date(clock), randomBytes: count => Buffer.alloc(count) },
    findBranchAgents: async () =>
      isThere()
        ? { branchName: 'main', isDeployBranch: true, config: noAgentFiles, problem: null, records: [] }
        : undefined,
    chooseAgent: () => agent,
    tools,
    askAs: (_person, _deployment, branchName) => ({
      branchName,
      dataCaller: async () => {
        throw new DataError(403, 'nobody is asked in this test')
      },
    }),
    timeZoneOf: async () => 'UTC',
    report: error => void reported.push(error),
    pollMilliseconds: 20,
  })
}

const queue = (questions: readonly (readonly [question: string, sql: string | null])[], agentName = 'auto') =>
  evalRuns.insertEvalRun(
    store.kysely,
    {
      accountId,
      deploymentId,
      branchName: 'main',
      agentName,
      questionFile: null,
      userId: null,
      credential: 'key:x',
      askerName: 'x',
      askerEmail: 'x@example.com',
      createdAt: new Date(clock),
    },
    questions.map(([question, sql], index) => ({
      name: `q${index}`,
      question,
      truth: sql === null ? { certifiedQuery: 'gone', sql: null } : { certifiedQuery: null, sql },
    })),
  )

async function until(id: number, ...statuses: readonly string[]): Promise<evalRuns.EvalRunRow> {
  for (let tries = 0; tries < 500; tries++) {
    const run = await evalRuns.findEvalRun(store.kysely, accountId, deploymentId, id)
    if (run && statuses.includes(run.status)) return run
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`the run came to none of ${statuses.join()}`)
}

const verdicts = async (id: number) =>
  (await evalRuns.listResults(store.kysely, accountId, id)).map(({ verdict, reason }) => [verdict, reason])

test('every verdict, with the words of the field', async () => {
  const { id } = await queue([
    ['a b', 'b a'],
    ['a b', 'a c'],
    ['a', 'a b'],
    ['a b c', 'a b'],
    ['refuse', 'a'],
    ['fault', 'a'],
    ['silent', 'a'],
    ['broken', 'a'],
    ['a', 'broken'],
    ['a', null],
    ['endless', 'endless'],
  ])
  const working = runner()
  working.start()
  expect(await until(id, 'completed')).toMatchObject({ errorText: null })
  await working.close()
  expect(await verdicts(id)).toEqual([
    ['pass', null],
    ['fail', 'Value mismatch'],
    ['fail', 'Row count mismatch'],
    ['fail', 'Unexpected rows'],
    ['error', 'Agent error'],
    ['error', 'Agent error'],
    ['review', null],
    ['error', 'Query error'],
    ['error', 'Ground truth query failed'],
    ['error', 'Ground truth not found'],
    ['review', null],
  ])
  expect(reported).toEqual([new Error('a fault of ours')])
  expect(await evalRuns.countResults(store.kysely, accountId, id)).toEqual({ total: 11, asked: 11, passed: 1 })
})

test('a run whose branch is gone fails and says why', async () => {
  const { id } = await queue([['a', 'a']])
  const working = runner(parrot, () => false)
  working.start()
  expect((await until(id, 'failed')).errorText).toContain('There is no branch "main"')
  await working.close()
})

test('a server that stops puts its run back, and another goes on where it was', async () => {
  const { id } = await queue([
    ['a', 'a'],
    ['hang', 'a'],
  ])
  const first = runner()
  first.start()
  await until(id, 'running')
  while ((await verdicts(id))[0]?.[0] === null) await new Promise(resolve => setTimeout(resolve, 10))
  await first.close()
  expect(await until(id, 'queued')).toMatchObject({ attempts: 0, leasedUntil: null })
  const asked: string[] = []
  const second = runner({
    answer: async turn => {
      asked.push(turn.input)
      return parrot.answer({ ...turn, input: 'a' })
    },
  })
  second.start()
  await until(id, 'completed')
  await second.close()
  expect(asked).toEqual(['hang'])
  expect(await verdicts(id)).toEqual([
    ['pass', null],
    ['pass', null],
  ])
})

test('a run of a node that died is taken up when its lease has ended, and given up after five nodes', async () => {
  const { id } = await queue([['a', 'a']])
  const claim = () =>
    evalRuns.claimEvalRun(store.kysely, { now: new Date(clock), leasedUntil: new Date(clock + 60_000) })
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect((await claim())?.attempts).toBe(attempt)
    expect(await claim()).toBeUndefined()
    clock += 61_000
  }
  const working = runner()
  working.start()
  expect((await until(id, 'failed')).errorText).toContain('given up')
  await working.close()
})

test('who lost his lease has no say any more', async () => {
  const { id } = await queue([['a', 'a']])
  const lost = await evalRuns.claimEvalRun(store.kysely, { now: new Date(clock), leasedUntil: new Date(clock) })
  clock += 1
  const taken = await evalRuns.claimEvalRun(store.kysely, {
    now: new Date(clock),
    leasedUntil: new Date(clock + 60_000),
  })
  if (!lost || !taken) throw new Error('both had it')
  const end = { status: 'completed', errorText: null, finishedAt: new Date(clock) } as const
  expect(await evalRuns.renewLease(store.kysely, lost, new Date(clock + 60_000))).toBe(false)
  expect(await evalRuns.finishEvalRun(store.kysely, lost, end)).toBe(false)
  await evalRuns.releaseEvalRun(store.kysely, lost)
  expect(await until(id, 'running')).toMatchObject({ attempts: 2 })
  expect(await evalRuns.finishEvalRun(store.kysely, taken, end)).toBe(true)
})

test('one agent on one branch is asked once at a time, others beside it', async () => {
  const first = await queue([['hang', 'a']])
  const waiting = await queue([['a', 'a']])
  const other = await queue([['a', 'a']], 'other')
  const claim = () =>
    evalRuns.claimEvalRun(store.kysely, { now: new Date(clock), leasedUntil: new Date(clock + 60_000) })
  const claimed = await Promise.all([claim(), claim(), claim(), claim()])
  const ids = claimed.flatMap(run => (run ? [run.id] : []))
  const later = (await claim())?.id
  expect([...ids, ...(later === undefined ? [] : [later])].sort()).toEqual([first.id, other.id].sort())
  expect((await evalRuns.findEvalRun(store.kysely, accountId, deploymentId, waiting.id))?.status).toBe('queued')
})
