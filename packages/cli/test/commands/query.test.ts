import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { filterKind } from '../../src/query/build-query.ts'
import { deployment } from '../support/fixtures.ts'
import { useBench } from '../support/run-hedron.ts'

const bench = useBench()
const load = 'POST /data/7/cubejs-api/v1/load'
const answer = {
  query: {
    measures: ['flights.count', 'flights.delay'],
    dimensions: ['origin.city'],
    timeDimensions: [{ dimension: 'flights.date', granularity: 'month' }],
  },
  data: [
    {
      'origin.city': 'Austin',
      'flights.date.month': '2001-01-01T00:00:00.000',
      'flights.date': '2001-01-01T00:00:00.000',
      'flights.count': '12',
      'flights.delay': null,
    },
    {
      'origin.city': 'San\nJose',
      'flights.date.month': '2001-02-01T00:00:00.000',
      'flights.date': '2001-02-01T00:00:00.000',
      'flights.count': '1234',
      'flights.delay': '7.5',
    },
  ],
  annotation: {
    measures: { 'flights.count': { type: 'number' }, 'flights.delay': { type: 'number' } },
    dimensions: { 'origin.city': { type: 'string' } },
    timeDimensions: { 'flights.date.month': { type: 'time' } },
    segments: {},
  },
}

beforeEach(() => {
  bench.server.on('GET /api/v1/deployments/7', { body: deployment(7, 'Flights', bench.server.url) })
  bench.server.on('POST /api/v1/deployments/7/token', { body: { cubeApiToken: 'jwt' } })
})
const asked = () => bench.server.requests.filter(({ path }) => path.endsWith('/load'))

describe('query', () => {
  test('says when rows are missing, and how to get them, outside the result', async () => {
    const part = { ...answer, query: { ...answer.query, limit: 2 }, complete: false, nextOffset: 12 }
    bench.server.on(load, { body: part })
    const command = ['query', '7', '--measures', 'flights.count', '--limit', '2']
    const shown = await bench.run(command)
    expect([shown.exitCode, shown.stderr]).toEqual([
      0,
      'not all rows: there are more than the limit of 2. To see them, go on with --offset 12, or raise --limit.\n',
    ])
    const document = await bench.run([...command, '--json'])
    expect(document.stderr).toBe(shown.stderr)
    expect(JSON.parse(document.stdout)).toMatchObject({ complete: false, nextOffset: 12 })

    bench.server.on(load, { body: { ...part, complete: true, nextOffset: undefined } })
    expect((await bench.run(command)).stderr).toBe('')

    const none = { ...part, query: { limit: 0 }, nextOffset: undefined }
    bench.server.on(load, { body: { results: [{ ...part, complete: true }, none] } })
    expect((await bench.run(command)).stderr).toBe(
      'result 2 of 2: not all rows: there are more than the limit of 0. To see them, raise --limit.\n',
    )
  })

  test('explained: the sentences of each query, or all as JSON', async () => {
    const body = {
      queryType: 'regularQuery',
      explanations: [{ text: ['Reads flights.', 'One row.'] }, { text: ['Reads origin.'] }],
    }
    bench.server.on('POST /data/7/cubejs-api/v1/explain', { body })
    const command = ['query', '7', '--measures', 'flights.count', '--explain']
    expect((await bench.run(command)).stdout).toBe('Reads flights.\nOne row.\n\nReads origin.\n')
    expect(JSON.parse((await bench.run([...command, '--json'])).stdout)).toEqual(body)
    expect(asked()).toEqual([])
  })

  test('made from options, printed as a table with numbers to the right', async () => {
    bench.server.on(load, { body: answer })
    const result = await bench.run([
      ...['query', '7', '--measures', 'flights.count,flights.delay', '--dimensions', 'origin.city'],
      ...['--time-dimension', 'flights.date', '--granularity', 'month', '--date-range', '2001-01-01, 2001-06-30'],
      ...['--filter', 'origin.state equals CA,NV', '--filter', 'flights.delay set', '--segments', 'flights.long'],
      ...['--order', 'flights.count:desc,origin.city', '--limit', '10', '--offset', '0', '--timezone', 'Europe/Berlin'],
    ])
    expect(asked()[0]?.body).toEqual({
      query: {
        measures: ['flights.count', 'flights.delay'],
        dimensions: ['origin.city'],
        segments: ['flights.long'],
        timeDimensions: [{ dimension: 'flights.date', granularity: 'month', dateRange: ['2001-01-01', '2001-06-30'] }],
        filters: [
          { member: 'origin.state', operator: 'equals', values: ['CA', 'NV'] },
          { member: 'flights.delay', operator: 'set' },
        ],
        order: [
          ['flights.count', 'desc'],
          ['origin.city', 'asc'],
        ],
        limit: 10,
        offset: 0,
        timezone: 'Europe/Berlin',
      },
    })
    expect(asked()[0]?.headers).toMatchObject({
      authorization: 'jwt',
      'x-request-id': expect.stringMatching(/-span-1$/),
    })
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(result.stdout).toBe(
      [
        'origin.city  flights.date.month       flights.count  flights.delay',
        'Austin       2001-01-01T00:00:00.000             12',
        'San Jose     2001-02-01T00:00:00.000           1234            7.5',
        '',
      ].join('\n'),
    )
  })

  test('given as JSON: inline, from a file, from the standard input', async () => {
    bench.server.on(load, { body: answer })
    const path = join(bench.folder, 'query.json')
    await writeFile(path, '{"limit":2}')
    const asJson = await bench.run(['query', '7', '{"limit":1}', '--json'])
    await bench.run(['query', '7', `@${path}`])
    await bench.run(['query', '7', '-'], { input: '{"limit":3}' })
    expect(asked().map(({ body }) => body)).toEqual([1, 2, 3].map(limit => ({ query: { limit } })))
    expect(JSON.parse(asJson.stdout)).toEqual(answer)
  })

  test('asks again while it is still computing', async () => {
    bench.server.on(load, [
      { body: { error: 'Continue wait' } },
      { body: { error: 'Continue wait' } },
      { body: answer },
    ])
    const result = await bench.run(['query', '7', '{}'])
    expect(result).toMatchObject({ exitCode: 0, stderr: 'query: still computing\n' })
    expect(asked()).toHaveLength(3)
    const ids = asked().map(({ headers }) => String(headers['x-request-id']).split('-span-'))
    expect(new Set(ids.map(([span]) => span)).size).toBe(1)
    expect(ids.map(([, number]) => number)).toEqual(['1', '2', '3'])
  })

  test('but not for ever', async () => {
    bench.server.on(load, { body: { error: 'Continue wait' } })
    const result = await bench.run(['query', '7', '{}', '--timeout', '1s'])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('error: timed out after 1s waiting for the query.')
    expect(result.sleeps).toEqual([250, 250, 250, 250])
    expect(asked()).toHaveLength(4)
  })

  test('an answer that does not come at all is not waited for longer either', async () => {
    bench.server.on(load, { hang: true })
    const result = await bench.run(['query', '7', '{}', '--timeout', '1s'])
    expect(result.stderr).toContain('error: timed out after 1s waiting for the query.')
  })

  test('of a branch, or of the open dev-mode branch', async () => {
    bench.server.on('POST /data/7/dev-mode/a%2Fb/cubejs-api/v1/load', { body: answer })
    expect((await bench.run(['query', '7', '{}', '--branch', 'a/b'])).exitCode).toBe(0)

    const status = 'GET /api/v1/deployments/7/build-status'
    bench.server.on(status, { body: { mode: 'dev_mode', branchName: 'a/b' } })
    expect((await bench.run(['query', '7', '{}', '--dev-mode'])).exitCode).toBe(0)
    bench.server.on(status, { body: { mode: 'production', branchName: 'main' } })
    const closed = await bench.run(['query', '7', '{}', '--dev-mode'])
    expect(closed.exitCode).toBe(1)
    expect(closed.stderr).toContain('error: no dev-mode session is open on deployment 7')
  })

  test('what the data API refuses is said', async () => {
    bench.server.on(load, {
      status: 400,
      body: { type: 'UserError', error: "Cube 'nope' not found for path 'nope.count'" },
    })
    expect((await bench.run(['query', '7', '{}'])).stderr).toBe(
      "error: POST /cubejs-api/v1/load failed with 400 Bad Request: Cube 'nope' not found for path 'nope.count'\n",
    )
    bench.server.on(load, { body: { error: 'Something else' } })
    expect((await bench.run(['query', '7', '{}'])).stderr).toBe('error: Something else\n')
  })

  test('that compares has a table for each part', async () => {
    const part = (range: string) => ({ ...answer, data: [{ compareDateRange: range, 'flights.count': '1' }] })
    bench.server.on(load, { body: { queryType: 'compareDateRangeQuery', results: [part('a - b'), part('c - d')] } })
    const compared = '{"timeDimensions":[{"dimension":"flights.date","compareDateRange":["this week","last week"]}]}'
    const result = await bench.run(['query', '7', compared])
    expect(asked()[0]?.body).toEqual({ query: JSON.parse(compared), queryType: 'multi' })
    expect(result.stdout).toBe(
      'compareDateRange  flights.count\na - b                         1\n\ncompareDateRange  flights.count\nc - d                         1\n',
    )
  })

  test.each([
    [
      {
        members: ['a', 'b'],
        dataset: [
          ['x', 1],
          ['y', 22],
        ],
      },
    ],
    [
      {
        members: ['a', 'b'],
        columns: [
          ['x', 'y'],
          [1, 22],
        ],
      },
    ],
  ])('packed rows are unpacked: %j', async data => {
    bench.server.on(load, { body: { data } })
    expect((await bench.run(['query', '7', '{"responseFormat":"compact"}'])).stdout).toBe('a   b\nx   1\ny  22\n')
  })

  test.each([
    [[], 'give a query as JSON, or with --measures or --dimensions'],
    [['{}', '--limit', '1'], 'not both'],
    [['--measures', 'a.b', '--granularity', 'day'], 'need --time-dimension'],
    [['--measures', 'a.b', '--order', 'a.b:down'], "--order: 'a.b:down' is not a member with :asc or :desc"],
    [['--measures', 'a.b', '--filter', 'a.b'], "--filter: 'a.b' is not 'member operator values'"],
    [['{}', '--branch', ' '], 'an empty value names no branch'],
    [['{}', '--branch', 'a', '--dev-mode'], '--branch and --dev-mode cannot be used together'],
  ])('%j is a mistake in the arguments', async (argv, message) => {
    const result = await bench.run(['query', '7', ...argv])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain(message)
    expect(bench.server.requests).toHaveLength(0)
  })

  test.each(['{', '7', 'null'])('the query %s is no query', async text => {
    expect(await bench.run(['query', '7', text])).toMatchObject({ exitCode: 1, stdout: '' })
    expect(bench.server.requests).toHaveLength(0)
  })
})

test.each([
  ['a.b equals x', ['x']],
  ['a.b equals  New York , Boston', ['New York', 'Boston']],
  ['a.b equals "New York, NY",Boston', ['New York, NY', 'Boston']],
  ['a.b equals "say ""hi""",""', ['say "hi"', '']],
  ['a.b equals x,', ['x', '']],
  ['a.b equals x,,y', ['x', '', 'y']],
  ['a.b gt -1.5', ['-1.5']],
])('the filter %s has the values %j', (text, values) => {
  const [member, operator] = text.split(/\s+/)
  expect(filterKind.parse(text, '--filter')).toEqual({ member, operator, values })
})

test.each(['a.b equals "x', 'a.b equals x"y"', 'a.b equals "x"y'])('the filter %s is refused', text => {
  expect(() => filterKind.parse(text, '--filter')).toThrow('--filter: the quotes in')
})
