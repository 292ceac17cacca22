import { describe, expect, test } from 'vitest'
import { catalog } from '../src/catalog.ts'
import { leavesOf } from '../src/framework/command.ts'
import { hostile, hostileAnswer } from './support/hostile-answers.ts'
import { useBench } from './support/run-hedron.ts'

const bench = useBench()

const commands = leavesOf(catalog)
  .map(({ path, entry }) => [[...path, entry].map(({ name }) => name).join(' '), entry] as const)
  .filter(([name]) => !['completion', 'man', 'update'].includes(name))

/** The words of an example, asked of the server here. */
const words = (line: string): readonly string[] =>
  Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
    .slice(1)
    .map(word => (/^https?:/.test(word) ? bench.server.url : word))

/** Runs it until it ended or asked thirty times, which is when somebody who follows a log presses Ctrl-C. */
async function run(argv: readonly string[], terminal: boolean) {
  const interrupt = new AbortController()
  const before = bench.server.requests.length
  const asked = setInterval(() => {
    if (bench.server.requests.length > before + 30) interrupt.abort()
  }, 5)
  try {
    return await bench.run(argv, {
      terminal,
      environment: { NO_COLOR: '1' },
      answers: ['yes', 'y', hostile],
      input: '{}',
      signal: interrupt.signal,
    })
  } finally {
    clearInterval(asked)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that steer a terminal
const steers = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** What the contract does not describe: data of a query, and the login of a device. */
const others = {
  error: hostile,
  data: [{ [hostile]: hostile }],
  ...{ device_code: 'd', user_code: hostile, verification_uri: hostile, interval: 1, expires_in: 5 },
}
const refusal = { statusCode: 400, message: hostile, error: hostile, code: hostile, [hostile]: hostile }

describe('nothing that a server sends steers the terminal (issue 8, Bad input)', () => {
  test.each(commands)('hedron %s', async (_, entry) => {
    const { examples } = await entry.load()
    for (const example of examples) {
      for (const answer of ['any words', 'its own words', 'a refusal'] as const) {
        bench.server.otherwise(({ method, path }) =>
          answer === 'a refusal'
            ? { status: 400, body: refusal }
            : { body: hostileAnswer(method, path, answer === 'its own words') ?? others },
        )
        for (const argv of [words(example), [...words(example), '--json']]) {
          const before = bench.server.requests.length
          const { stdout, stderr, origins } = await run(argv, answer === 'any words')
          expect(stdout, `${example}: ${answer}`).not.toMatch(steers)
          expect(stderr, `${example}: ${answer}`).not.toMatch(steers)
          // Telemetry: there is none. Nobody is told anything but the server that is worked with.
          expect([...origins].filter(origin => origin !== bench.server.url)).toEqual([])
          const wasAsked = bench.server.requests.length > before
          if (answer === 'a refusal' && wasAsked) expect(stderr, example).toContain('[2J31m')
        }
      }
    }
  })

  test('a log that is followed', async () => {
    const path = '/api/v1/deployments/7/logs'
    bench.server.otherwise(() => ({ body: hostileAnswer('GET', path, false) }))
    for (const argv of [
      ['logs', '7', '--follow'],
      ['logs', '7', '--follow', '--json'],
    ]) {
      const { stdout, stderr, exitCode } = await run(argv, true)
      expect(exitCode).toBe(130)
      expect(stdout.split('\n').length).toBeGreaterThan(20)
      expect(stdout + stderr).not.toMatch(steers)
    }
  })

  test('a file is printed exactly, but on a terminal without what steers it', async () => {
    bench.server.otherwise(() => ({ body: { items: [{ path: '/a.yml', type: 'file', content: hostile }] } }))
    expect((await bench.run(['data-model', 'get', '7', 'a.yml'])).stdout).toBe(hostile)
    expect((await bench.run(['data-model', 'get', '7', 'a.yml'], { terminal: true })).stdout).toBe('x[2J31m')
  })

  test('JSON says what was sent, in escapes', async () => {
    bench.server.otherwise(() => ({ body: { name: `${hostile}\u202e` } }))
    const { stdout } = await bench.run(['api', 'GET', '/x'])
    expect(stdout).not.toMatch(steers)
    expect(JSON.parse(stdout)).toEqual({ name: `${hostile}\u202e` })
  })
})

describe('an answer of another shape is no mistake of the program', () => {
  test.each(commands)('hedron %s', async (_, entry) => {
    const { examples } = await entry.load()
    for (const example of examples) {
      for (const body of [null, {}, [], 'text', { items: null, data: null }, { items: [null] }]) {
        bench.server.otherwise(() => ({ body }))
        const { stderr } = await run([...words(example), '--json'], true)
        expect(stderr, `${example}: ${JSON.stringify(body)}`).not.toMatch(/"code":"internal"/)
      }
    }
  })
})
