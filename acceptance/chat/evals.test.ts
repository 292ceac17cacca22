import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHedron, type Hedron } from '../cli/hedron.ts'
import { findDemo } from '../demo/find-demo.ts'
import { buildOf, createKey, eventually, sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Modeler, numbers, numbersPath } from '../support/project.ts'

const admin = sharedApi()

/** Questions whose verdicts need no agent: what is right can't be told. */
const questions = `eval_questions:
  - name: lost
    question: How many numbers are there?
    certifiedQuery: no_such_query
  - name: broken
    question: What is the sum?
    sql: SELECT MEASURE(nothing) FROM numbers
`

let modeler: Modeler
let branchName: string
let hedron: Hedron

beforeAll(async () => {
  modeler = await createModeler(admin)
  await modeler.enter('main')
  await modeler.write({
    [numbersPath]: numbers(),
    'agents/config.yml':
      'spaces: [{ name: sales }, { name: empty }]\nagents: [{ name: seller, space: sales }, { name: mute, space: empty }]\n',
    'agents/eval_questions.yml': questions,
    'agents/eval_questions/sales.yml':
      'space: sales\neval_questions: [{ name: one, question: What?, certifiedQuery: nothing }]\n',
  })
  await modeler.commit()
  await buildOf(modeler.api, modeler.deploymentId, 'main')
  branchName = await modeler.enter('main')
  hedron = await createHedron(modeler.api)
})

afterAll(() => hedron.dispose())

const start = (body: { branchName: string; agentName?: string; questionFile?: string }) =>
  modeler.client.startEvaluation({ params: modeler.params, body })
const runOf = (evaluationId: number) => modeler.client.getEvaluation({ params: { ...modeler.params, evaluationId } })
const resultsOf = async (evaluationId: number, query: { first?: number; after?: string } = {}) =>
  modeler.client.getEvaluationResults({ params: { ...modeler.params, evaluationId }, query })
const untilDone = (id: number) =>
  eventually(
    () => runOf(id),
    ({ status }) => status === 'completed' || status === 'failed',
  )

describe('evaluations (contract/cli-admin.md 5.1)', () => {
  test('a run answers at once and goes on in the background; its end shows with all results', async () => {
    const started = await start({ branchName: 'main' })
    expect(started).toMatchObject({
      deploymentId: modeler.deploymentId,
      branchName: 'main',
      agentName: 'auto',
      questionFile: null,
      environment: 'prod',
      total: 2,
      asked: 0,
      accuracy: '0% (0/2)',
    })
    const ended = await untilDone(started.id)
    expect(ended).toMatchObject({ status: 'completed', error: null, total: 2, asked: 2, passed: 0 })
    const { items, pageInfo } = await resultsOf(started.id)
    expect(pageInfo.hasNextPage).toBe(false)
    expect(items).toMatchObject([
      {
        questionName: 'lost',
        questionTextSnapshot: 'How many numbers are there?',
        verdict: 'error',
        score: null,
        scoreReason: 'Ground truth not found',
        certifiedQuery: 'no_such_query',
      },
      { questionName: 'broken', verdict: 'error', scoreReason: 'Ground truth query failed' },
    ])
    expect(items[1]?.detail).toContain('nothing')
  })

  test('results come in pages, or whole', async () => {
    const { id } = await start({ branchName: 'main' })
    await untilDone(id)
    const first = await resultsOf(id, { first: 1 })
    expect(first.pageInfo.hasNextPage).toBe(true)
    const second = await resultsOf(id, { first: 1, after: first.pageInfo.endCursor ?? '' })
    expect([first.items[0]?.questionName, second.items[0]?.questionName]).toEqual(['lost', 'broken'])
    expect(second.pageInfo.hasNextPage).toBe(false)
  })

  test('questions are those of the agent’s space, or of one file; a dev branch has its own', async () => {
    expect((await start({ branchName: 'main', agentName: 'seller' })).total).toBe(1)
    expect((await start({ branchName: 'main', questionFile: 'eval_questions.yml' })).total).toBe(2)
    expect((await start({ branchName: 'main', questionFile: 'agents/eval_questions.yml' })).total).toBe(2)
    await modeler.write({ 'agents/eval_questions.yml': questions.split('  - name: broken')[0] ?? '' })
    const dev = await start({ branchName })
    expect(dev).toMatchObject({ total: 1, environment: 'dev' })
    expect(await untilDone(dev.id)).toMatchObject({ status: 'completed', asked: 1 })
  })

  test('what cannot begin is refused', async () => {
    await expectRefusal(start({ branchName: 'nowhere' }), 'branch_not_found')
    await expectRefusal(start({ branchName: 'main', agentName: 'nobody' }), 'agent_not_configured')
    await expectRefusal(start({ branchName: 'main', agentName: 'mute' }), 'eval_questions_missing')
    await expectRefusal(start({ branchName: 'main', questionFile: 'other.yml' }), 'eval_questions_missing')
    await expectRefusal(runOf(999_999_999), 'evaluation_not_found')
    const other = await createModeler(admin)
    const { id } = await start({ branchName: 'main' })
    await expectRefusal(
      other.client.getEvaluation({ params: { ...other.params, evaluationId: id } }),
      'evaluation_not_found',
    )
    const stranger = await createModeler(admin, modeler.deploymentId)
    const scoped = connect(admin.with(await createKey(admin, { deploymentIds: [other.deploymentId] })))
    await expectRefusal(
      scoped.getEvaluation({ params: { ...modeler.params, evaluationId: id } }),
      'deployment_out_of_scope',
    )
    expect((await stranger.client.getEvaluation({ params: { ...modeler.params, evaluationId: id } })).id).toBe(id)
  })
})

test('an agent is held against rows that are right (contract/behaviour/chat.md section 7, "Evals")', {
  timeout: 300_000,
}, async () => {
  const tester = await createModeler(admin, await findDemo(admin))
  const branch = await tester.enter('main')
  await tester.write({
    'agents/certified_queries/by_city.md':
      '---\nuser_request: Flights by city\n---\nSELECT origin_city, MEASURE(count) FROM flight_facts GROUP BY 1\n',
    'agents/eval_questions.yml': `eval_questions:
  - { name: count, question: How many flights are there?, sql: SELECT MEASURE(count) AS other_name FROM flight_facts }
  - { name: cities, question: How many flights by origin city?, certifiedQuery: by_city }
  - { name: other, question: How many flights by origin city?, sql: SELECT MEASURE(count) FROM flight_facts }
  - { name: mars, question: What is the weather on Mars?, sql: SELECT MEASURE(count) FROM flight_facts }
`,
  })
  const { client, params } = tester
  const { id } = await client.startEvaluation({ params, body: { branchName: branch } })
  const at = { params: { ...params, evaluationId: id } }
  const ended = await eventually(
    () => client.getEvaluation(at),
    ({ status }) => status === 'completed',
    // Four questions to three million rows, beside whatever else the machine does.
    240_000,
  )
  expect(ended).toMatchObject({ total: 4, passed: 2, accuracy: '50% (2/4)', environment: 'dev' })
  const { items } = await client.getEvaluationResults(at)
  expect(items.map(({ verdict, score, scoreReason }) => [verdict, score, scoreReason])).toEqual([
    ['pass', 1, null],
    ['pass', 1, null],
    ['fail', 0, 'Row count mismatch'],
    ['review', null, null],
  ])
  expect(items[0]?.agentSql).toContain('flight_facts')
  await client.stopDevMode({ params })
})

describe('the command line (contract/cli-admin.md 4.13, 5.1)', () => {
  test('evals run, status and results', async () => {
    const deployment = String(modeler.deploymentId)
    const started = await hedron.succeed('evals', 'run', deployment, '--branch', 'main')
    const [, id = ''] =
      /^✓ Started eval run (\d+) on main\nWatch it with `hedron evals status \d+ \d+ --wait`, or re-run with --wait\.\n$/.exec(
        started,
      ) ?? []
    expect(id).not.toBe('')
    await untilDone(Number(id))
    expect(await hedron.succeed('evals', 'status', deployment, id)).toMatch(
      /^ID +STATUS +BRANCH +AGENT.*\n.*completed +main +auto/,
    )
    expect(await hedron.succeed('evals', 'results', deployment, id)).toContain('Ground truth not found')
    const page = await hedron.run('evals', 'results', deployment, id, '--first', '1')
    expect(page.stderr).toMatch(/^More results: `hedron evals results \d+ \d+ --first 1 --after '.+'`\n$/)
  })

  test('--wait fails unless every question passed, with one document under --json', async () => {
    const deployment = String(modeler.deploymentId)
    const waited = await hedron.run('evals', 'run', deployment, '--branch', 'main', '--wait', '--poll', '1s')
    expect(waited.exitCode).toBe(1)
    expect(waited.stdout).toMatch(/^Eval run \d+: 0\/2 passed\nVERDICT/)
    expect(waited.stderr).toMatch(
      /^Eval run \d+ started on main\n[\s\S]*error: eval run \d+ did not pass \(0\/2 questions passed\)\n$/,
    )
    const json = await hedron.run('evals', 'run', deployment, '--branch', 'main', '--wait', '--json')
    expect(json.exitCode).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      evalRun: { status: 'completed' },
      results: { items: [{ verdict: 'error' }, { verdict: 'error' }] },
    })
    const needsWait = await hedron.run('evals', 'run', deployment, '--branch', 'main', '--poll', '1s')
    expect([needsWait.exitCode, needsWait.stderr]).toEqual([2, expect.stringContaining('--wait')])
    const noBranch = await hedron.run('evals', 'run', deployment, '--branch', ' ')
    expect(noBranch.exitCode).toBe(2)
  })

  test('agents list and skills', async () => {
    const deployment = String(modeler.deploymentId)
    const list = await hedron.succeed('agents', 'list', deployment)
    expect(list).toMatch(/^ID +NAME +CONFIG +SPACE\n/)
    expect(list).toMatch(/seller +seller +sales/)
    expect((await hedron.run('agents', 'list', deployment, '--allow-embedding', 'false')).stderr).toContain(
      'No results',
    )
    expect((await hedron.run('agents', 'skills', deployment, '--branch', '')).exitCode).toBe(0)
  })
})
