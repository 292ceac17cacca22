import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileModel, type SourceFile } from '../src/index.ts'
import type { FileTree } from '../src/shapes/tree.ts'

/** What each file of a project may hold; null means that it is not there. */
const variants: Readonly<Record<string, readonly (string | null)[]>> = {
  'model/a.yml': [
    null,
    'cubes: [{ name: alone, sql_table: alone }]',
    'cubes: [{ name: city, sql_table: cities, dimensions: [{ name: status, sql: x, type: string }] }]',
  ],
  'model/orders.yml': [
    'status',
    '{customers.city}',
    '{customers.regions.name}',
    '{city}',
    '{base}',
    '{created.month}',
    '{missing}',
    '{CUBE',
  ].map(
    sql => `cubes:
- name: orders
  extends: base
  sql: SELECT * FROM {base.sql()} AS b
  joins: [{ name: customers, sql: "{CUBE.id} = {customers.id}", relationship: many_to_one }]
  dimensions: [{ name: shown, type: string, sql: "${sql}" }]
  measures: [{ name: count, type: count, drill_members: [customers.city, shown] }]
  hierarchies: [{ name: places, levels: [customers.city, shown] }]
`,
  ),
  'model/base.yml': [
    null,
    ...['{ name: status, sql: state, type: string }', '{ name: city, sql: "{status}", type: string }', ''].map(
      dimension => `cubes:
- name: base
  sql_table: base
  dimensions:
  - { name: id, sql: id, type: number, primary_key: true }
  - { name: created, sql: created, type: time }
  - { name: broken, sql: "{status}", type: string }
${dimension && `  - ${dimension}`}
`,
    ),
    'cubes: [{ name: base, sql_table: base, dimensions: [{ name: id, sql: id, type: number, primary_key: true }] }]',
    'cubes: [{ name: base, sql_table: base, access_policy: [] }]',
  ],
  'model/customers.yml': [
    null,
    'cubes: [',
    ...[
      ['city', 'string', '[{ name: regions, sql: "{CUBE}.r = {regions.id}", relationship: many_to_one }]'],
      ['city', 'string', '[]'],
      ['city', 'time', '[]'],
      ['town', 'string', '[]'],
    ].map(
      ([name, type, joins]) => `cubes:
- name: customers
  sql_table: customers
  joins: ${joins}
  dimensions:
  - { name: id, sql: id, type: number, primary_key: true }
  - { name: ${name}, sql: c, type: ${type} }
- name: regions
  sql_table: regions
  dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: name, sql: n, type: string }]
`,
    ),
    'cubes: [{ name: customers, sql_table: c, measures: [{ name: city, type: count }] }]',
  ],
  'model/views.yml': [
    null,
    `views:
- name: sales
  cubes:
  - { join_path: orders, includes: "*" }
  - { join_path: orders.customers, prefix: true, includes: [city] }
  folders: [{ name: all, includes: [shown, customers_city] }]
`,
    'views: [{ name: far, cubes: [{ join_path: orders.customers.regions, includes: "*" }] }]',
    'cubes: [{ name: orders, sql_table: second }]',
  ],
}

const project = fc.tuple(
  ...Object.entries(variants).map(([path, contents]) =>
    fc.constantFrom(...contents).map((content): SourceFile[] => (content === null ? [] : [{ path, content }])),
  ),
)

test('whatever was compiled before, a model compiles to what it is compiled to alone', () => {
  let sound = 0
  fc.assert(
    fc.property(fc.array(project, { minLength: 2, maxLength: 8 }), states => {
      const parseCache = new Map<string, FileTree>()
      for (const files of states.map(state => state.flat())) {
        const alone = compileModel(files)
        if (alone.model) sound += 1
        expect(compileModel(files, { parseCache })).toEqual(alone)
      }
    }),
    { numRuns: 150, seed: 7 },
  )
  expect(sound).toBeGreaterThan(20)
})

test('what a change does not reach is not made again', () => {
  const files = ['a', 'b', 'c'].map(name => ({
    path: `model/${name}.yml`,
    content: `cubes:\n- name: ${name}\n  sql_table: t\n  dimensions: [{ name: d, sql: "{${name === 'a' ? 'b' : name}.e}", type: string }, { name: e, sql: e, type: string }]\n`,
  }))
  const parseCache = new Map<string, FileTree>()
  const before = compileModel(files, { parseCache }).model
  const changed = files.map(file =>
    file.path === 'model/b.yml' ? { ...file, content: `${file.content}# later\n` } : file,
  )
  const after = compileModel(changed, { parseCache }).model
  expect(after?.cubes.map((cube, index) => cube === before?.cubes[index])).toEqual([false, false, true])
})
