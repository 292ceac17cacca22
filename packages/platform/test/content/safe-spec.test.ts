import { describe, expect, test } from 'vitest'
import { findExpressionProblem } from '../../src/content/safe-expression.ts'
import { findSpecProblem } from '../../src/content/safe-spec.ts'

describe('a chart that is drawn by Vega-Lite alone', () => {
  test.each([
    [
      'a bar',
      { $schema: 'https://vega.github.io/schema/vega-lite/v5.json', mark: 'bar', encoding: { x: { field: 'url' } } },
    ],
    [
      'rows of its own, whatever their columns are called',
      { data: { values: [{ url: 'https://x', href: 'y', test: 'f()' }] } },
    ],
    ['named rows', { datasets: { a: [{ href: 'x', update: '=>' }] }, data: { name: 'a' } }],
    ['a picture that is written out', { mark: { type: 'image', url: 'data:image/png;base64,AAAA' } }],
    ['the same in a channel', { encoding: { url: { value: 'data:image/gif;base64,AAAA' } } }],
    [
      'expressions',
      {
        transform: [
          { calculate: "datum.a > 1 ? format(datum.b, '.1f') : 'none'", as: 'c' },
          { filter: 'datum.a != null && !isNaN(datum.b)' },
        ],
      },
    ],
    [
      'parameters',
      {
        params: [
          { name: 'p', value: 1, bind: { input: 'range' } },
          {
            name: 'q',
            select: {
              type: 'interval',
              on: '[mousedown[event.shiftKey], window:mouseup] > window:mousemove!',
              clear: 'dblclick',
            },
          },
        ],
      },
    ],
    ['words in a title', { title: 'eval(x) => javascript:alert(1); href=url' }],
    ['labels', { encoding: { y: { axis: { labelExpr: "datum.label + ' €'" } } } }],
  ])('with %s is kept', (_, spec) => {
    expect(findSpecProblem(spec)).toBeNull()
  })

  test.each([
    ['data of an address', { data: { url: 'https://evil.example/x.json' } }, 'spec.data.url'],
    ['data of this server', { data: { url: '/api/v1/users' } }, 'spec.data.url'],
    ['data of an address in a layer', { layer: [{}, { data: { url: 'x' } }] }, 'spec.layer[1].data.url'],
    [
      'a lookup in an address',
      { transform: [{ lookup: 'a', from: { data: { url: 'x' } } }] },
      'spec.transform[0].from.data.url',
    ],
    ['a picture of an address', { mark: { type: 'image', url: 'https://x/y.png' } }, 'spec.mark.url'],
    [
      'a picture that is a document',
      { mark: { type: 'image', url: 'data:image/svg+xml;base64,AAAA' } },
      'spec.mark.url',
    ],
    ['pictures that rows name', { mark: 'image', encoding: { url: { field: 'a' } } }, 'spec.encoding.url'],
    ['a link', { mark: { type: 'bar', href: 'https://x' } }, 'spec.mark.href'],
    ['links of rows', { encoding: { href: { field: 'a' } } }, 'spec.encoding.href'],
    ['a javascript link', { encoding: { href: { value: 'javascript:alert(1)' } } }, 'spec.encoding.href'],
    ['options of the page', { usermeta: { embedOptions: { sourceHeader: '<script>' } } }, 'spec.usermeta.embedOptions'],
    ['a loader', { config: { loader: { baseURL: '//x' } } }, 'spec.config.loader'],
    ['an ear at the page', { params: [{ name: 'p', bind: { element: '#password' } }] }, 'spec.params[0].bind.element'],
    ['code in a signal', { title: { text: { signal: "eval('x')" } } }, 'spec.title.text.signal'],
    ['code in an expression', { params: [{ name: 'p', expr: '(() => 1)()' }] }, 'spec.params[0].expr'],
    [
      'code in a condition of events',
      { params: [{ name: 'p', select: { type: 'point', on: 'click[fetch(1)]' } }] },
      'spec.params[0].select.on',
    ],
    [
      'code in lists',
      { signals: [{ name: 's', on: [{ events: ['click[alert(1)]'], update: '1' }] }] },
      'spec.signals[0].on[0].events[0]',
    ],
    ['a constructor', JSON.parse('{"config":{"constructor":{"prototype":1}}}'), 'spec.config.constructor'],
  ])('with %s is refused, with its place', (_, spec, path) => {
    expect(findSpecProblem(spec)?.path).toBe(path)
  })

  test('is bounded in depth, parts and text', () => {
    let deep: unknown = 1
    for (let level = 0; level < 60; level++) deep = { layer: [deep] }
    expect(findSpecProblem(deep)?.reason).toMatch(/nests deeper/)
    expect(findSpecProblem({ data: { values: Array.from({ length: 60_000 }, () => 1) } })?.reason).toMatch(/parts/)
    expect(findSpecProblem({ title: 'x'.repeat(1_000_001) })?.reason).toMatch(/longer/)
  })
})

describe('an expression', () => {
  test.each([
    '',
    'datum.a',
    "datum['a b'] + 1.5e3",
    'if(datum.a > 0, datum.b, null)',
    "indexof(['a', 'b'], datum.c) >= 0",
    'timeFormat(datum.date, "%Y")',
    'width - 2 * (height + 1)',
    "{a: 1, 'b': [2]}",
    '!isDefined(datum.total) || datum.total === 0',
    'datum.new',
    'event.shiftKey',
  ])('of the language is one: %s', text => {
    expect(findExpressionProblem(text)).toBeNull()
  })

  test.each([
    'alert(1)',
    'fetch("https://evil.example")',
    'datum.a.constructor("alert(1)")()',
    "datum['constructor']",
    "datum['const\\u0072uctor']",
    "datum['const\\x72uctor']",
    'datum.a.toString()',
    '[].map(datum.a)',
    '(datum.a)(1)',
    "'a'('b')",
    'event.view',
    "event['view'].alert",
    'event.dataflow',
    'x = 1',
    'x => 1',
    'a; b',
    'new Date()',
    'this',
    'function(){}',
    'import("x")',
    '`a`',
    'a++',
    'datum.__proto__',
    '/a/.test(b)',
    '\\u0061lert(1)',
    'x'.repeat(10_001),
  ])('of more than the language is none: %s', text => {
    expect(findExpressionProblem(text)).toBeTypeOf('string')
  })
})
