import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { compileModel, type SourceFile } from '../src/index.ts'
import type { FileTree } from '../src/shapes/tree.ts'

// A thousand compiles take seconds where other work shares the machine.
vi.setConfig({ testTimeout: 60_000 })

/** What each file of a project may hold, the first of them sound; null means that it is not there. */
const variants: Readonly<Record<string, readonly (string | null)[]>> = {
  'model/a.yml': [
    'cubes: [{ name: alone, sql_table: alone }]',
    null,
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
    null,
  ],
  'model/customers.yml': [
    ...[
      ['city', 'string', '[{ name: regions, sql: "{CUBE}.r = {regions.id}", relationship: many_to_one }]'],
      ['city', 'string', '[]'],
      ['city', 'time', '[]'],
      ['town', 'string', '[]'],
      ['city', 'string', '[]', '{orders.shown}'],
    ].map(
      ([name, type, joins, sql = 'c']) => `cubes:
- name: customers
  sql_table: customers
  joins: ${joins}
  dimensions:
  - { name: id, sql: id, type: number, primary_key: true }
  - { name: ${name}, sql: "${sql}", type: ${type} }
`,
    ),
    'cubes: [{ name: customers, sql_table: c, measures: [{ name: city, type: count }] }]',
    'cubes: [',
    null,
  ],
  'model/regions.yml': [
    `cubes:
- name: regions
  sql_table: regions
  dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: name, sql: n, type: string }]
`,
  ],
  'model/views.yml': [
    'views: [{ name: far, cubes: [{ join_path: orders.regions, includes: "*" }] }]',
    `views:
- name: sales
  cubes:
  - { join_path: orders, includes: "*" }
  - { join_path: orders.customers, prefix: true, includes: [city] }
  folders: [{ name: all, includes: [shown, customers_city] }]
`,
    'views: [{ name: far, cubes: [{ join_path: orders.customers.regions, includes: "*" }] }]',
    'cubes: [{ name: orders, sql_table: second }]',
    null,
  ],
  'model/groups.yml': [
    `views: [{ name: far_too, extends: far, view_group: all }, { name: parts, cubes: [{ join_path: orders, includes: [count], split: true }] }]
view_groups: [{ name: all, includes: [parts, parts_orders] }]
`,
    'view_groups: [{ name: all, includes: [far] }, { name: all }]',
    'views: [{ name: sales, extends: far_too }]',
    null,
  ],
}

const edit = fc
  .constantFrom(...Object.entries(variants))
  .chain(([path, contents]) =>
    fc
      .oneof({ weight: 2, arbitrary: fc.constant(contents[0] ?? null) }, fc.constantFrom(...contents))
      .map(content => ({ path, content })),
  )

test('whatever was compiled before, a model compiles to what it is compiled to alone', () => {
  let sound = 0
  fc.assert(
    fc.property(fc.array(edit, { minLength: 10, maxLength: 40 }), edits => {
      const parseCache = new Map<string, FileTree>()
      const project = new Map<string, string | null>(
        Object.entries(variants).map(([path, all]) => [path, all[0] ?? null]),
      )
      for (const { path, content } of edits) {
        project.set(path, content)
        const files = [...project].flatMap(([name, text]): SourceFile[] =>
          text === null ? [] : [{ path: name, content: text }],
        )
        const alone = compileModel(files)
        if (alone.model) sound += 1
        expect(JSON.stringify(compileModel(files, { parseCache }))).toBe(JSON.stringify(alone))
      }
    }),
    { numRuns: 40, seed: 7 },
  )
  expect(sound).toBeGreaterThan(100)
})

/** Files of sound cubes and views; some contents leave names and joins as they are in others, some do not. */
const chained: Readonly<Record<string, readonly string[]>> = {
  'model/first.yml': [
    ['{second.id}', 'one_to_many', 'fourth', '[]'],
    ['{second.id} + 1', 'one_to_many', 'fourth', '[]'],
    ['{second.id}', 'many_to_one', 'fourth', '[{ name: all, label: All, url: "{CUBE}.address" }]'],
    ['{second.id}', 'one_to_many', 'second_too', '[]'],
  ].map(
    ([condition, relationship, target, links]) => `cubes:
- name: first
  sql_table: first
  joins:
  - { name: second, sql: "{CUBE}.s = ${condition}", relationship: many_to_one }
  - { name: ${target}, sql: "{CUBE}.f = {${target}.id}", relationship: many_to_one }
  - { name: keyless, sql: "{CUBE}.k = {keyless}.id", relationship: ${relationship} }
  dimensions:
  - { name: id, sql: id, type: number, primary_key: true }
  - { name: name, sql: n, type: string, links: ${links} }
  measures: [{ name: count, type: count }]
`,
  ),
  'model/rest.yml': ['{ name: kind, sql: k, type: string }', '{ name: kind, sql: "{id}", type: number }', ''].flatMap(
    dimension =>
      [
        'sql_table: third',
        'sql_table: third\n  extends: first',
        'sql_table: third\n  joins: [{ name: first, sql: "{CUBE}.f = {first.id}", relationship: many_to_one }]',
        'public: false',
      ].map(
        third => `cubes:
- name: second
  sql_table: second
  dimensions:
  - { name: id, sql: id, type: number, primary_key: true }
${dimension && `  - ${dimension}`}
- name: third
  ${third}
- { name: fourth, sql_table: fourth, dimensions: [{ name: id, sql: id, type: number, primary_key: true }] }
- { name: second_too, sql_table: second, dimensions: [{ name: id, sql: id, type: number, primary_key: true }] }
- { name: keyless, sql_table: keyless, measures: [{ name: count, type: count }] }
`,
      ),
  ),
  'model/views.yml': ['id', 'kind', '"*"'].flatMap(included =>
    ['', ', split: true'].map(
      split => `views:
- { name: shown, cubes: [{ join_path: first, includes: [count, name] }, { join_path: first.second, prefix: true, includes: ${included === '"*"' ? included : `[${included}]`} }] }
- { name: other, cubes: [{ join_path: first, includes: [count]${split} }] }
- { name: far, cubes: [{ join_path: first.fourth, includes: [id] }] }
`,
    ),
  ),
  'model/more.yml': ['a', 'b'].flatMap(name =>
    ['x', 'y'].map(
      sql =>
        `cubes: [{ name: more_${name}, sql_table: ${sql}, measures: [{ name: total, sql: "{CUBE}.${sql}", type: sum }] }]`,
    ),
  ),
}

test('what a change leaves as it is stays, and what it changes takes its place', () => {
  const digestOf = (content: string) => `digest of ${content}`
  const change = fc
    .constantFrom(...Object.entries(chained))
    .chain(([path, contents]) => fc.record({ path: fc.constant(path), content: fc.constantFrom(...contents) }))
  let sound = 0
  fc.assert(
    fc.property(
      fc.array(fc.array(change, { maxLength: 2 }), { minLength: 10, maxLength: 40 }),
      fc.boolean(),
      (steps, hasDigests) => {
        const parseCache = new Map<string, FileTree>()
        const project = new Map(Object.entries(chained).map(([path, [content = '']]) => [path, content]))
        for (const step of steps) {
          for (const { path, content } of step) project.set(path, content)
          const files = [...project].map(
            ([path, content]): SourceFile => ({ path, content, ...(hasDigests && { digest: digestOf(content) }) }),
          )
          const alone = compileModel(files)
          if (alone.model) sound += 1
          expect(JSON.stringify(compileModel(files, { parseCache }))).toBe(JSON.stringify(alone))
        }
      },
    ),
    { numRuns: 60, seed: 11 },
  )
  expect(sound).toBeGreaterThan(200)
})

test('two projects compiled in turns with one cache do not mix', () => {
  const parseCache = new Map<string, FileTree>()
  const project = (table: string) =>
    ['a', 'b'].map(name => ({
      path: `model/${name}.yml`,
      content: `cubes: [{ name: ${name}, sql_table: ${name === 'a' ? 'same' : table} }]`,
    }))
  for (const table of ['one', 'two', 'one', 'three', 'two']) {
    expect(compileModel(project(table), { parseCache })).toEqual(compileModel(project(table)))
  }
})

test('a problem that an unreadable file held back is found when the file can be read', () => {
  const parseCache = new Map<string, FileTree>()
  const codes = (other: string) => {
    const content = 'cubes: [{ name: a, sql_table: a, segments: [{ name: s, sql: "{missing}" }] }]'
    const files = [
      { path: 'model/a.yml', content },
      { path: 'model/b.yml', content: other },
    ]
    return compileModel(files, { parseCache }).problems.map(({ code }) => code)
  }
  expect(codes('cubes: [')).toEqual(['yaml_syntax'])
  expect(codes('cubes: []')).toEqual(['unresolved'])
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
