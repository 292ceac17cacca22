import { describe, expect, test } from 'vitest'
import { refusal } from '../support/fixtures.ts'
import { useBench } from '../support/run-hedron.ts'

// The published edge cases of the reference client: contract/cli-admin.md section 5.1.
const bench = useBench()
const place = '/api/v1/deployments/7/evaluations'
const complete = { hasNextPage: false, endCursor: null }
const pass = { verdict: 'pass', questionTextSnapshot: 'How many?', score: 1 }

const wait = async (results: unknown, status = 'completed') => {
  bench.server.on(`POST ${place}`, { body: { id: '4', status: 'queued' } })
  bench.server.on(`GET ${place}/4`, [{ body: { id: 4, status: ' Running ' } }, { body: { id: 4, status } }])
  bench.server.on(`GET ${place}/4/results`, { body: results })
  return bench.run(['evals', 'run', '7', '--branch', 'main', '--wait', '--json'])
}

test('an id may be a number in a string; without one nothing is waited for', async () => {
  bench.server.on(`POST ${place}`, { body: { id: '4' } })
  expect((await bench.run(['evals', 'run', '7', '--branch', ' b', '--agent', ' sales '])).stdout).toContain(
    '✓ Started eval run 4',
  )
  expect(bench.server.log()).toEqual([`POST ${place} {"branchName":" b","agentName":"sales"}`])
  bench.server.on(`POST ${place}`, { body: {} })
  expect((await bench.run(['evals', 'run', '7', '--branch', 'b'])).stderr).toContain('returned no run id')
})

describe('--wait', () => {
  test('grades all results, in one document', async () => {
    const { exitCode, stdout, stderr } = await wait(
      { items: [pass, { ...pass, verdict: 'PASS' }], pageInfo: complete },
      ' COMPLETED ',
    )
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ evalRun: { id: 4 }, results: { items: [pass, {}] } })
    expect(stderr).toContain('Eval run 4 started on main\neval run: running\n')
  })

  test.each([
    [
      { items: [pass, { verdict: 'review' }], pageInfo: complete },
      'completed',
      'eval run 4 did not pass (1/2 questions passed)',
    ],
    [
      { items: [pass, { verdict: null }], pageInfo: complete },
      'completed',
      'eval run 4 did not pass (1/2 questions passed)',
    ],
    [{ items: [pass], pageInfo: complete }, 'FAILED', 'eval run 4 failed (1/1 questions passed)'],
    [{ items: [], pageInfo: complete }, 'completed', 'eval run 4 completed without any question results'],
  ])('%j of a run that %s is printed and fails: %s', async (results, status, message) => {
    const { exitCode, stdout, stderr } = await wait(results, status)
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toHaveProperty('results')
    expect(stderr).toContain(`error: ${message}`)
  })

  test.each([
    [{ data: [pass], pageInfo: complete }, 'a malformed results page; refusing to grade it'],
    [{ items: [pass], pageInfo: { hasNextPage: true } }, 'an incomplete results page; refusing to grade it'],
    [{ items: [pass] }, 'results without pageInfo.hasNextPage; refusing to grade because completeness is unknown'],
    [{ items: [pass], pageInfo: { hasNextPage: 'no' } }, 'a non-boolean pageInfo.hasNextPage; refusing to grade it'],
  ])('%j is not graded, and nothing is printed', async (results, reason) => {
    const { exitCode, stdout, stderr } = await wait(results)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('could not verify eval run 4; inspect available results with `hedron evals results 7 4`: ')
    expect(stderr).toContain(`eval run 4 returned ${reason}`)
  })

  test('a run that is not there ends it; results that cannot be read are said to be so', async () => {
    bench.server.on(`GET ${place}/5`, refusal(404, 'not_found', 'no run 5'))
    expect((await bench.run(['evals', 'status', '7', '5', '--wait'])).stderr).toContain('not found (404)')
    bench.server.on(`GET ${place}/4`, { body: { id: 4, status: 'completed' } })
    bench.server.on(`GET ${place}/4/results`, refusal(403, 'no', 'not yours'))
    expect((await bench.run(['evals', 'status', '7', '4', '--wait'])).stderr).toContain(
      'failed to fetch results for eval run 4',
    )
  })
})

test('results tell how to go on, beside the table alone', async () => {
  bench.server.on(`GET ${place}/4/results`, {
    body: { items: [pass], pageInfo: { hasNextPage: true, endCursor: "c'1" } },
  })
  const argv = ['evals', 'results', '7', '4', '--first', '1']
  expect((await bench.run(argv)).stderr).toBe("More results: `hedron evals results 7 4 --first 1 --after 'c'\\''1'`\n")
  expect((await bench.run([...argv, '--json'])).stderr).toBe('')
  bench.server.on(`GET ${place}/4/results`, { body: { items: [pass], pageInfo: { hasNextPage: true } } })
  expect((await bench.run(argv)).stderr).toBe('More results are available; use --json to read pageInfo.endCursor\n')
})
