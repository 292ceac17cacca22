import { expect, test, vi } from 'vitest'
import { compileProject } from '../support/code.ts'

// What runs until it is stopped takes a second or two where other work shares the machine.
vi.setConfig({ testTimeout: 60_000 })

const healthy = "cube('healthy', { sql_table: 't' })"

/** The problem of a hostile file; a sound file beside it and a compile after it must not be touched. */
function codeOf(path: string, content: string): string {
  const { problems } = compileProject({
    [path]: content,
    'model/zz.js': healthy,
    'model/zz.yml': 'cubes: []\n# {{ 1 }}',
  })
  expect(problems.every(({ file }) => file === path)).toBe(true)
  expect(compileProject({ 'model/zz.js': healthy }).problems).toEqual([])
  return problems[0]?.code ?? 'nothing'
}

test.each([
  ['a loop that never ends', 'for (;;);', 'js_endless'],
  ['one that catches', 'for (;;) { try { for (;;); } catch {} }', 'js_endless'],
  ['one in a promise', 'asyncModule(async () => { for (;;) await 0 })', 'js_endless'],
  [
    'a generator without end',
    'const g = (function* () { for (;;) yield 1 })(); [...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }]',
    'js_endless',
  ],
  ['a regular expression', "/^(a+)+$/.test('a'.repeat(40) + 'b')", 'js_endless'],
  ['objects', 'const all = []; for (;;) all.push({})', 'js_too_large'],
  ['a map', 'const m = new Map(); let i = 0; for (;;) m.set(i++, {})', 'js_too_large'],
  ['text that doubles', "let s = 'aaaaaaaaaa'; for (;;) s += s", 'js_too_large'],
  ['text that is repeated', "const s = []; for (;;) s.push('a'.repeat(1e6))", 'js_endless'],
  ['a search in long text', "const s = 'a'.repeat(5e6); s.indexOf('a'.repeat(2e6) + 'b')", 'js_endless'],
  ['lists of any length', 'Array.prototype.indexOf.call({ length: 2 ** 53 }, 1)', 'js_endless'],
  ['a sort', 'const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) a.sort()', 'js_endless'],
  ['calls without end', 'const f = () => f(); f()', 'js_too_deep'],
  ['calls by way of the engine', 'const f = () => [1].map(f); f()', 'js_too_deep'],
  ['text of itself', 'const o = { toString: () => String(o) }; String(o)', 'js_too_deep'],
  ['deep JSON', "JSON.parse('['.repeat(1e6))", 'js_too_deep'],
  ['deep lists', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)', 'js_too_deep'],
  ['deep brackets', `const a = ${'('.repeat(3_000)}1${')'.repeat(3_000)}`, 'js_too_deep'],
  ['deeper brackets', `const a = ${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'js_too_deep'],
  ['code from text', "(() => {}).constructor('return 1')()", 'js_unavailable'],
  ['code from text, by another way', "(async function* () {}).constructor('return 1')()", 'js_unavailable'],
  ['eval', "eval('1')", 'js_unavailable'],
  ['the global object', 'globalThis.cube = null', 'js_unavailable'],
  ['a chain of prototypes', 'let p = {}; for (;;) p = Object.setPrototypeOf({}, p)', 'js_endless'],
  ['another chain', 'let p = {}; for (;;) p = Object.create(p)', 'js_endless'],
  ['a chain of classes', 'let C = class {}; for (;;) C = class extends C {}', 'js_endless'],
  ['a proxy that never answers', "cube('a', new Proxy({}, { ownKeys() { for (;;); } }))", 'js_endless'],
  ['a getter that throws', "cube('a', { get sqlTable() { throw new Error('no') } })", 'js_threw'],
  ['a getter that throws nothing', "cube('a', { get sqlTable() { throw undefined } })", 'js_threw'],
  ['an error that can not be read', 'throw { get message() { for (;;); } }', 'js_threw'],
  ['an error that is a proxy', 'throw new Proxy({}, { get() { throw 1 } })', 'js_threw'],
  ['a definition that contains itself', "const a = { sqlTable: 't' }; a.meta = a; cube('a', a)", 'js_too_large'],
  [
    'a definition without end',
    "cube('a', { sqlTable: 't', get meta() { return { more: Array(1e5).fill(Array(1e5).fill(1)) } } })",
    'js_endless',
  ],
  ['very many cubes', "for (let i = 0; ; i++) cube('c' + i, { sqlTable: 't' })", 'js_endless'],
  [
    'a polluted prototype',
    "Object.prototype.sqlTable = 'x'; Array.prototype.toJSON = () => []; cube('a', {})",
    'source_missing',
  ],
  ['names of the sandbox', "__model.at = null; cube('a', {})", 'js_threw'],
  ['marks of references', "cube('a', { sqlTable: '\\uE000\\uE000x' + '\\uE001}' })", 'python_expression'],
  [
    'a constructor that is a member',
    "cube('constructor', { sqlTable: 't', dimensions: { __proto__: { sql: '1', type: 'x' } } })",
    'js_value',
  ],
])('JavaScript: %s ends in a problem', (_, content, code) => {
  const found = codeOf('model/hostile.js', content)
  expect(found).toBe(code)
})

test.each([
  ['loops in loops', '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}', 'jinja_endless'],
  ['a macro that calls itself', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'jinja_endless'],
  ['an include of itself', '{% include "hostile.yml" %}', 'jinja_failed'],
  [
    'text that doubles',
    '{% set ns = namespace(s="aaaaaaaaaa") %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}',
    'jinja_too_large',
  ],
  ['text that is repeated', '{{ "a" * 1000000000 }}', 'jinja_too_large'],
  ['much text', '{% set s = "a" * 1000000 %}{% for i in range(1000) %}{{ s }}{% endfor %}', 'jinja_too_large'],
  ['deep brackets', `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`, 'jinja_syntax'],
  ['deep blocks', '{% if 1 %}'.repeat(50_000), 'jinja_syntax'],
  ['attributes of JavaScript', '{{ "".constructor.constructor("return process")() }}', 'jinja_failed'],
  ['marks of lines', '\uE0000:1\uE001{{ nope }}', 'jinja_undefined'],
])('Jinja: %s ends in a problem', (_, content, code) => {
  expect(codeOf('model/hostile.yml', content)).toBe(code)
})

test('after many hostile files in a row the engines still answer', async () => {
  for (let round = 0; round < 5; round += 1) {
    codeOf('model/hostile.yml', '{{ "a" * 1000000000 }}')
    codeOf('model/hostile.js', "JSON.parse('['.repeat(1e6))")
    await new Promise(setImmediate)
  }
  expect(compileProject({ 'model/zz.js': healthy }).model?.cubes).toHaveLength(1)
})
