import { describe, expect, test } from 'vitest'
import { type CheckAuthOutcome, loadCheckAuthEngine } from '../../src/index.ts'
import { compileProject } from '../support/code.ts'

const engine = await loadCheckAuthEngine()
const env = { REGION: 'eu' }

function run(content: string, verify: (question: string) => string = () => '{"value":null}'): CheckAuthOutcome {
  const { model, problems } = compileProject({ 'cube.js': content })
  expect(problems).toEqual([])
  if (!model?.checkAuth) throw new Error('no checkAuth was found')
  const { checkAuth } = model
  return engine.run({ checkAuth, header: 'Bearer abc', token: 'abc', env, now: 1_000_000, verify })
}
const contextOf = (content: string) => {
  const outcome = run(content)
  return outcome.kind === 'context' ? JSON.parse(outcome.json) : outcome
}
const body = (text: string) => `module.exports = { checkAuth: async (req, auth) => { ${text} } }`

test.each([
  ['sets it', 'req.securityContext = { auth }', { auth: 'abc' }],
  ['returns it as the field does', 'return { security_context: { auth } }', { auth: 'abc' }],
  ['returns it in camelCase', 'return { securityContext: { region: process.env.REGION } }', { region: 'eu' }],
  ['does neither', '', {}],
  ['reads the header', 'req.securityContext = { header: req.headers.authorization }', { header: 'Bearer abc' }],
  ['reads the clock', 'return { securityContext: { a: Date.now(), b: new Date().getTime() } }', { a: 1e6, b: 1e6 }],
  ['waits', 'await Promise.resolve(); return { securityContext: { waited: true } }', { waited: true }],
])('the security context of a function that %s', (_, text, context) => {
  expect(contextOf(body(text))).toEqual(context)
})

test.each([
  ['a property', 'module.exports.checkAuth = (req, auth) => ({ securityContext: { auth } })'],
  ['a default export', 'export default { checkAuth(req, auth) { return { securityContext: { auth } } } }'],
  [
    'what is named elsewhere',
    'const checkAuth = (req, auth) => ({ securityContext: { auth } })\nmodule.exports = { checkAuth }',
  ],
  [
    'what a function made',
    'const make = () => ({ checkAuth: (req, auth) => ({ securityContext: { auth } }) })\nmodule.exports = make()',
  ],
  [
    'more than it',
    "const x = require('fs')\nmodule.exports = { http: {}, checkAuth: (req, auth) => ({ securityContext: { auth } }) }",
  ],
])('a function that is exported as %s', (_, content) => {
  expect(contextOf(content)).toEqual({ auth: 'abc' })
})

test('jsonwebtoken asks the host, and throws what it says', () => {
  const content = (text: string) =>
    `import jwt, { verify } from 'jsonwebtoken'\n${body(text).replace('module.exports =', 'export default')}`
  const questions: unknown[] = []
  const answer = (text: string) => (question: string) => {
    questions.push(JSON.parse(question))
    return text
  }
  expect(
    run(
      content("req.securityContext = verify(auth, 'key', { algorithms: ['HS256'] })"),
      answer('{"value":{"sub":"a"}}'),
    ),
  ).toEqual({
    kind: 'context',
    json: '{"sub":"a"}',
  })
  expect(questions).toEqual([{ kind: 'verify', token: 'abc', key: 'key', options: { algorithms: ['HS256'] } }])
  const expired = answer('{"error":"jwt expired","name":"TokenExpiredError"}')
  expect(run(content("req.securityContext = jwt.verify(auth, 'key')"), expired)).toEqual({
    kind: 'refused',
    message: 'jwt expired',
  })
  const told =
    'jwt.verify(auth, "key", error => { req.securityContext = { is: error instanceof jwt.TokenExpiredError } })'
  expect(run(content(told), expired)).toEqual({ kind: 'context', json: '{"is":true}' })
})

test.each([
  ['an error', "throw new Error('no seat')", 'no seat'],
  ['a text', "throw 'no seat'", 'no seat'],
  ['nothing', 'throw undefined', ''],
  ['an object', 'throw { message: "no" }', ''],
  ['a rejection', "return Promise.reject(new Error('no seat'))", 'no seat'],
  ['a very long error', "throw new Error('x'.repeat(5000))", 'x'.repeat(200)],
  ['what cannot be read', 'throw new Proxy({}, { getPrototypeOf() { throw 1 } })', ''],
])('a function that throws %s refuses', (_, text, message) => {
  expect(run(body(text))).toEqual({ kind: 'refused', message })
})

describe('a function cannot be used that', () => {
  test.each([
    ['never ends', 'for (;;) {}', 'come to an end'],
    ['never ends in continuations', 'for (;;) await 1', 'come to an end'],
    ['never settles', 'return new Promise(() => {})', 'never happens'],
    ['takes all memory', "const all = []; for (;;) all.push('x'.repeat(100000))", ''],
    ['calls itself without end', 'const f = () => f(); f()', 'RangeError|InternalError|deeply'],
    ['returns a circle', 'const a = {}; a.a = a; return { securityContext: a }', 'written as JSON'],
    ['returns too much', "return { securityContext: { a: 'x'.repeat(100000) } }", '65536 characters'],
    ['returns a list', 'return { securityContext: [1] }', 'not an object'],
    ['returns a text', "return { securityContext: 'admin' }", 'not an object'],
    ['returns what writes itself as a text', "return { securityContext: { toJSON: () => 'admin' } }", 'not an object'],
    ['is wrong', 'return auth.a.b.c', 'TypeError'],
    ['reaches for what is not there', "await fetch('http://127.0.0.1')", 'ReferenceError'],
    ['uses a package', "return require('fs').readFileSync('/etc/passwd')", "package 'fs' is not there"],
  ])('%s', (_, text, reason) => {
    const outcome = run(body(text))
    expect(outcome).toMatchObject({ kind: 'fault', reason: expect.stringMatching(reason) })
  })

  test('throws while it is loaded', () => {
    expect(run("throw new TypeError('no')\nmodule.exports = { checkAuth() {} }")).toMatchObject({ kind: 'fault' })
  })

  test('is no function', () => {
    expect(run('module.exports = { checkAuth: true }')).toMatchObject({ kind: 'fault' })
  })
})

test('nothing of one call is there in the next, whatever it changed', () => {
  const pollute =
    'Object.prototype.admin = true; Array.prototype.includes = () => true; globalThis.seen = (globalThis.seen || 0) + 1; return { securityContext: { seen } }'
  expect(contextOf(body(pollute))).toEqual({ seen: 1 })
  expect(contextOf(body(pollute))).toEqual({ seen: 1 })
  expect(contextOf(body('return { securityContext: { admin: ({}).admin ?? null } }'))).toEqual({ admin: null })
})

test('nothing leads out of the sandbox', () => {
  const names = ['WebAssembly', 'Buffer', 'fetch', 'setTimeout', 'XMLHttpRequest', 'Worker', 'SharedArrayBuffer']
  const text = `return { securityContext: { found: ${JSON.stringify(names)}.filter(name => name in globalThis), process: Object.keys(process) } }`
  expect(contextOf(body(text))).toEqual({ found: [], process: ['env'] })
  expect(contextOf(body("return { securityContext: { env: Object.keys(Function('return process')().env) } }"))).toEqual(
    { env: ['REGION'] },
  )
})
