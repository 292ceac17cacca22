import { setTimeout as sleep } from 'node:timers/promises'
import { compileModel } from '@hedron/semantic'
import { afterEach, describe, expect, test } from 'vitest'
import { writeModel } from '../../src/builds/model-text.ts'
import { createSemanticCompiler, type SemanticCompiler } from '../../src/builds/semantic-compiler.ts'

const opened: SemanticCompiler[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(compiler => compiler.close()))
})

type Options = NonNullable<Parameters<typeof createSemanticCompiler>[1]>

function open(options: Options = {}): SemanticCompiler {
  const compiler = createSemanticCompiler('1', options)
  opened.push(compiler)
  return compiler
}
const unruly = (options: Options = {}) => open({ program: new URL('./unruly-worker.ts', import.meta.url), ...options })

const say = (content: string, path = 'a') => [{ path, content }]
const orders = [
  {
    path: 'model/orders.yml',
    content: 'cubes:\n  - name: orders\n    sql_table: orders\n    measures: [{ name: count, type: count }]\n',
  },
]
const broken = [{ path: 'model/orders.yml', content: 'cubes:\n  - name: orders\n    sql_tabel: orders\n' }]

test('gives what the semantic engine gives, as text', async () => {
  const compiler = open()
  for (const files of [orders, broken, []]) {
    const { model, problems, warnings, cubesCount } = compileModel(files)
    expect(await compiler.compile(files, 1)).toEqual({
      model: model && writeModel(model),
      problems,
      warnings,
      cubesCount,
      isFinal: true,
    })
  }
})

test('does not hold up the thread that asks', async () => {
  const compiler = unruly({ deadlineMilliseconds: 300 })
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  await compiler.compile(say('hang'), 1)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})

describe('a model that', () => {
  test.each([
    ['never ends', 'hang', 'compile_too_slow', { deadlineMilliseconds: 500 }],
    ['eats the memory', 'devour', 'compile_too_large', { memoryMebibytes: 32 }],
  ])('%s fails with a problem that may pass, and the next has a new thread', async (_, deed, code, options) => {
    const compiler = unruly(options)
    expect(await compiler.compile(say(deed), 1)).toMatchObject({ model: null, problems: [{ code }], isFinal: false })
    expect(await compiler.compile(say('count'), 1)).toMatchObject({ cubesCount: 1 })
  })

  test.each([
    ['makes the compiler throw', 'fault', 'the compiler failed', 2],
    ['crashes the thread', 'crash', 'the thread crashed', 1],
    ['ends the thread', 'exit', 'ended with 7', 1],
  ])('%s rejects, and the next compiles', async (_, deed, message, count) => {
    const compiler = unruly()
    const [failed, next] = await Promise.allSettled([compiler.compile(say(deed), 1), compiler.compile(say('count'), 1)])
    expect(failed).toMatchObject({ reason: { message: expect.stringContaining(message) } })
    expect(next).toMatchObject({ value: { cubesCount: count } })
  })
})

describe('of those that wait', () => {
  test('deployments take turns', async () => {
    const compiler = unruly()
    const ended: string[] = []
    const ask = async (deployment: number, name: string) => {
      await compiler.compile(say('count', name), deployment)
      ended.push(name)
    }
    await Promise.all([
      ask(1, 'a1'),
      ask(1, 'a2'),
      ask(1, 'a3'),
      ask(1, 'a4'),
      ask(2, 'b1'),
      ask(3, 'c1'),
      ask(2, 'b2'),
    ])
    expect(ended).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  test('one more than may is refused, of one deployment and together', async () => {
    const compiler = unruly({ waiting: { total: 3, ofOwner: 2 } })
    const ask = (deployment: number) => compiler.compile(say('count'), deployment)
    const tooMany = { code: 'rate_limited' }
    const asked = [ask(1), ask(1), ask(1)]
    await expect(ask(1)).rejects.toMatchObject(tooMany)
    asked.push(ask(2))
    await expect(ask(3)).rejects.toMatchObject(tooMany)
    expect(await Promise.all(asked)).toHaveLength(4)
  })
})

test('a thread without work ends after a while, and another begins', async () => {
  const compiler = unruly({ idleMilliseconds: 20 })
  const count = async () => (await compiler.compile(say('count'), 1)).cubesCount
  expect(await Promise.all([count(), count()])).toEqual([1, 2])
  await sleep(200)
  expect(await count()).toBe(1)
})

test('closing refuses what runs, waits or comes later', async () => {
  const compiler = unruly()
  const asked = [compiler.compile(say('hang'), 1), compiler.compile(say('count'), 1)]
  const results = Promise.allSettled(asked)
  await sleep(50)
  await compiler.close()
  await compiler.close()
  const refused = { status: 'rejected', reason: { code: 'not_ready' } }
  expect(await results).toMatchObject([refused, refused])
  await expect(compiler.compile(orders, 1)).rejects.toMatchObject({ code: 'not_ready' })
})
