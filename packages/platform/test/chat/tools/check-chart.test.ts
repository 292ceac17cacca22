import { compile } from 'vega-lite'
import { describe, expect, test } from 'vitest'
import { checkChart } from '../../../src/chat/tools/check-chart.ts'

const columns = ['city', 'count', 'orders.total']
const bars = {
  mark: 'bar',
  encoding: { x: { field: 'city', type: 'nominal' }, y: { field: 'count', type: 'quantitative' } },
}
const check = (spec: unknown) => checkChart(JSON.stringify(spec), columns)

describe('the chart of an answer', () => {
  test('gets the schema of Vega-Lite v5 and the config of the house', () => {
    const { $schema, config, ...rest } = JSON.parse(check(bars))
    expect($schema).toBe('https://vega.github.io/schema/vega-lite/v5.json')
    expect(config).toMatchObject({ padding: 16, view: { stroke: null }, range: { category: expect.any(Array) } })
    expect(rest).toEqual(bars)
  })

  test('keeps what its own config says', () => {
    const { config } = JSON.parse(check({ ...bars, config: { padding: 3, bar: { color: 'red' } } }))
    expect(config).toMatchObject({ padding: 3, bar: { color: 'red' }, view: { stroke: null } })
  })

  test.for<[what: string, spec: unknown]>([
    ['layers', { layer: [bars, { mark: { type: 'rule' }, encoding: { y: { aggregate: 'mean', field: 'count' } } }] }],
    ['facets', { facet: { field: 'city' }, spec: { mark: 'bar' } }],
    [
      'columns with a dot, escaped',
      { mark: 'bar', encoding: { x: { field: 'orders\\.total', type: 'quantitative' } } },
    ],
    [
      'columns that a transform makes',
      {
        ...bars,
        transform: [{ calculate: 'datum.count * 2', as: 'twice' }],
        encoding: { x: { field: 'twice', type: 'quantitative' } },
      },
    ],
    [
      'folded columns',
      {
        mark: 'line',
        transform: [{ fold: ['count', 'orders.total'] }],
        encoding: { color: { field: 'key' }, y: { field: 'value', type: 'quantitative' } },
      },
    ],
  ])('may have %s', ([, spec]) => {
    expect(() => compile(JSON.parse(check(spec)))).not.toThrow()
  })

  test.for<[what: string, text: string, reason: RegExp]>([
    ['text that is no JSON', 'bars of cities', /not the JSON text of an object/],
    ['a list', '[]', /not the JSON text of an object/],
    ['another version', JSON.stringify({ ...bars, $schema: 'https://vega.github.io/schema/vega/v5.json' }), /\$schema/],
    ['Vega in place of Vega-Lite', JSON.stringify({ marks: [], scales: [] }), /vegaSpec\.marks is no part/],
    [
      'rows',
      JSON.stringify({ ...bars, data: { values: [{ city: 'Atlantis', count: 1 }] } }),
      /vegaSpec\.data: leave data out/,
    ],
    ['named rows', JSON.stringify({ layer: [{ ...bars, data: { name: 'x' } }] }), /layer\[0\]\.data/],
    [
      'rows in a lookup',
      JSON.stringify({ ...bars, transform: [{ lookup: 'city', from: { data: { values: [] }, key: 'a' } }] }),
      /transform\[0\]\.from\.data/,
    ],
    ['an address', JSON.stringify({ ...bars, data: { url: 'https://evil.example/steal' } }), /load nothing/],
    [
      'a picture from an address',
      JSON.stringify({ mark: 'image', encoding: { url: { value: 'https://evil.example/x.png' } } }),
      /load nothing/,
    ],
    [
      'a link',
      JSON.stringify({ ...bars, encoding: { ...bars.encoding, href: { value: 'javascript:alert(1)' } } }),
      /no links/,
    ],
    [
      'an expression beyond the language',
      JSON.stringify({ ...bars, transform: [{ calculate: 'datum.constructor.constructor("x")()', as: 'y' }] }),
      /expression of Vega/,
    ],
    [
      'a column that the rows have not',
      JSON.stringify({ mark: 'bar', encoding: { x: { field: 'country' } } }),
      /no column "country". They have "city", "count"/,
    ],
    ['a mark that there is not', JSON.stringify({ ...bars, mark: 'pie' }), /mark must be one of/],
    [
      'a channel that there is not',
      JSON.stringify({ ...bars, encoding: { z: { field: 'city' } } }),
      /encoding\.z is no channel/,
    ],
    [
      'a type that there is not',
      JSON.stringify({ mark: 'bar', encoding: { x: { field: 'city', type: 'category' } } }),
      /x\.type must be one of/,
    ],
    ['no mark', JSON.stringify({ encoding: {} }), /has no mark/],
    ['a config that is none', JSON.stringify({ ...bars, config: 3 }), /"config" must be an object/],
    ['too much', JSON.stringify({ ...bars, description: 'x'.repeat(100_001) }), /more than 100000 characters/],
  ])('is refused with %s, saying why', ([, text, reason]) => {
    expect(() => checkChart(text, columns)).toThrow(reason)
  })
})
