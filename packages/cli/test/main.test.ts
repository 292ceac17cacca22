import { describe, expect, test } from 'vitest'
import { administrator, deployment, page, refusal } from './support/fixtures.ts'
import { useBench } from './support/run-hedron.ts'

const bench = useBench()

describe('without a request', () => {
  test('alone it shows version and help', async () => {
    const result = await bench.run([])
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(result.stdout).toMatch(/^Hedron CLI \d+\.\d+\.\d+\n\nUsage: hedron \[options\] \[command\]\n/)
  })

  test.each([[['--version']], [['-V']], [['--json', '--version']]])('%j shows the version', async argv => {
    expect(await bench.run(argv)).toMatchObject({ exitCode: 0, stdout: 'Hedron CLI 0.1.0\n', stderr: '' })
  })

  test.each([
    [['--help'], 'Commands:'],
    [['deployments', '-h'], 'build-status'],
    [['help', 'deployments', 'create'], '--region <region>'],
    [['deployments', 'create', '--help'], 'Examples:\n  hedron deployments create --name Flights'],
  ])('%j is help, on the standard output', async (argv, text) => {
    const result = await bench.run(argv)
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(result.stdout).toContain(text)
  })

  test.each([
    [['deploymnts'], "unknown command 'deploymnts' (Did you mean deployments?)"],
    [['deployments'], 'a command is missing'],
    [['deployments', 'lst'], "unknown command 'lst'"],
    [['deployments', 'list', '--fist', '1'], "unknown option '--fist'"],
    [['deployments', 'list', '--first'], "option '--first <n>' argument missing"],
    [['deployments', 'list', '--first', 'x'], "--first: 'x' is not a whole number"],
    [['deployments', 'list', '--first', '1', '--first', '2'], '--first is given 2 times'],
    [['deployments', 'list', '--all', '--after', 'x'], '--all and --after cannot be used together'],
    [['deployments', 'get'], "missing required argument 'deployment'"],
    [['deployments', 'get', '0'], "<deployment>: '0' is not a whole number from 1"],
    [['deployments', 'get', '-5'], "<deployment>: '-5' is not a whole number"],
    [['deployments', 'get', '1', '2'], 'too many arguments'],
    [['deployments', 'get', '1', '--version'], "unknown option '--version'"],
    [['--context', 'a', 'whoami', '--context', 'b'], '--context is given 2 times'],
    [['completion', 'tcsh'], "<shell>: 'tcsh' is not one of bash, zsh, fish, powershell"],
  ])('%j is a mistake in the arguments', async (argv, message) => {
    const result = await bench.run(argv)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(`error: ${message}`)
    expect(result.stderr).toContain('Usage: hedron')
    expect(bench.server.requests).toHaveLength(0)
  })
})

describe('output', () => {
  const me = 'GET /api/v1/users/me'

  test.each([[['--json', 'whoami']], [['whoami', '--json']]])('%j prints the document with sorted keys', async argv => {
    bench.server.on(me, { text: '{"id":1,"email":"ä@x","b":{"z":1,"a":[]},"extra":true}' })
    expect((await bench.run(argv)).stdout).toBe(
      '{\n  "b": {\n    "a": [],\n    "z": 1\n  },\n  "email": "ä@x",\n  "extra": true,\n  "id": 1\n}\n',
    )
  })

  test('a failure is one line, and with --json a document after it', async () => {
    bench.server.on(me, refusal(409, 'name_taken', 'There is a deployment\nnamed "x" already.', { near: ['y'] }))
    const line = 'error: GET /api/v1/users/me failed with 409 Conflict: There is a deployment named "x" already.'
    expect(await bench.run(['whoami'])).toMatchObject({ exitCode: 1, stdout: '', stderr: `${line}\n` })
    const [first, second, end] = (await bench.run(['whoami', '--json'])).stderr.split('\n')
    expect(first).toBe(line)
    expect(JSON.parse(second ?? '')).toEqual({
      error: {
        code: 'name_taken',
        message: 'There is a deployment named "x" already.',
        method: 'GET',
        near: ['y'],
        path: '/api/v1/users/me',
        status: 409,
      },
    })
    expect(end).toBe('')
  })

  test('a mistake in the arguments has a document too', async () => {
    const result = await bench.run(['deployments', 'get', 'x', '--json'])
    const document = JSON.parse(result.stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(document).toEqual({ error: { code: 'usage', message: "<deployment>: 'x' is not a whole number from 1" } })
  })

  test('colour is for terminals that want it', async () => {
    bench.server.on('GET /api/v1/deployments', { body: page([deployment(1, 'Flights')]) })
    const argv = ['deployments', 'list']
    expect((await bench.run(argv, { terminal: true })).stdout).toContain('\u001b[1mID')
    expect((await bench.run(argv)).stdout).not.toContain('\u001b')
    expect((await bench.run(argv, { terminal: true, environment: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b')
    expect((await bench.run(argv, { terminal: true, environment: { TERM: 'dumb' } })).stdout).not.toContain('\u001b')
  })

  test('an empty list says so beside the result', async () => {
    bench.server.on('GET /api/v1/deployments', { body: page([]) })
    expect(await bench.run(['deployments', 'list'])).toMatchObject({ exitCode: 0, stdout: '', stderr: 'No results\n' })
  })

  test('names of a server cannot steer the terminal', async () => {
    bench.server.on('GET /api/v1/deployments', { body: page([deployment(1, 'a\u001b[2J\nb')]) })
    expect((await bench.run(['deployments', 'list'])).stdout).toContain('1   a[2J b')
  })
})

describe('when the answer is not what was asked for', () => {
  const me = 'GET /api/v1/users/me'

  test('a web page', async () => {
    bench.server.on(me, { text: '<!doctype html><title>Console</title>' })
    const { exitCode, stderr } = await bench.run(['whoami'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: GET \/api\/v1\/users\/me returned a web page instead of JSON — .*\n$/)
  })

  test('an answer of another form is named, with what was asked', async () => {
    bench.server.on('GET /api/v1/deployments/7/logs', { body: { lines: [] } })
    const { exitCode, stderr } = await bench.run(['logs', '7', '--json'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /^error: the answer to GET \/api\/v1\/deployments\/7\/logs does not have the form that this version reads;/,
    )
    expect(stderr).toContain('"code":"answer_unreadable"')
  })

  test('an answer that breaks off is no answer', async () => {
    bench.server.on(me, { body: administrator, truncated: true })
    const { exitCode, stderr } = await bench.run(['whoami', '--json'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`error: request to ${bench.server.url}/api/v1/users/me failed: `)
    expect(stderr).toContain('"code":"transport_failed"')
  })

  test('nobody listens', async () => {
    const { exitCode, stderr } = await bench.run(['whoami', '--api-url', '127.0.0.1:1'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: request to http:\/\/127\.0\.0\.1:1\/api\/v1\/users\/me failed: /)
  })

  test('Ctrl-C ends the wait for it with 130', async () => {
    bench.server.on(me, { hang: true })
    const interrupt = new AbortController()
    const running = bench.run(['whoami'], { signal: interrupt.signal })
    await expect.poll(() => bench.server.requests.length).toBe(1)
    interrupt.abort()
    expect(await running).toMatchObject({ exitCode: 130, stdout: '', stderr: 'error: interrupted\n' })
  })
})
