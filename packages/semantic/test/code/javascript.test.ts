import { describe, expect, test } from 'vitest'
import { compileModel } from '../../src/index.ts'
import type { FileTree } from '../../src/shapes/tree.ts'
import { compileProject, engines, filesOf, placesOf } from '../support/code.ts'
import { besides, javascriptProblems } from '../support/javascript-problems.ts'

const yaml = `cubes:
  - name: orders
    sql: "SELECT * FROM {users.sql()} AS u"
    joins:
      - name: users
        sql: "{CUBE}.user_id = {users.id}"
        relationship: many_to_one
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: "{CUBE}.status", type: string, description: "new \\\\{or\\\\} paid", meta: { shape: "{}" } }
      - { name: city, sql: "UPPER({users.city})", type: string }
      - { name: tags, sql: "{CUBE}.tags->>'\\\\{a\\\\}'", type: string }
      - name: size
        type: string
        case:
          when: [{ sql: "{CUBE}.amount > 10", label: large }]
          else: { label: small }
      - name: created_at
        sql: created_at
        type: time
        granularities: [{ name: half_year, interval: 6 months }]
    measures:
      - { name: count, type: count, drill_members: [id, orders.status, users.city] }
      - { name: total, type: sum, sql: "{CUBE}.amount", format: currency }
      - { name: average, type: number, sql: "1.0 * {total} / NULLIF({CUBE.count}, 0)" }
      - { name: new_count, type: count, filters: [{ sql: "{CUBE.status} = 'new'" }] }
      - { name: paid_count, type: count, filters: [{ sql: "{CUBE.status} = 'paid'" }] }
    segments:
      - { name: large, sql: "{CUBE}.amount > 10" }
    hierarchies:
      - { name: places, levels: [users.city, status] }
  - name: users
    sql_table: users
    refresh_key: { every: 1 hour }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
  - name: people
    extends: users
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: "*", excludes: [tags] }
      - { join_path: orders.users, includes: [city], prefix: true }
    folders: [{ name: All, includes: [status, users_city] }]
`

const javascript = {
  'model/orders.js': `import { statuses, countOf as countWith } from './shared'
import defaults from './cubes/defaults.js'

const levels = () => [users.city, status]

cube(\`orders\`, {
  sql: () => \`SELECT * FROM \${users.sql()} AS u\`,
  joins: {
    users: { sql: \`\${CUBE}.user_id = \${users.id}\`, relationship: \`belongsTo\` },
  },
  dimensions: {
    id: { sql: \`id\`, type: \`number\`, primaryKey: true },
    status: { sql: CUBE => \`\${CUBE}.status\`, type: \`string\`, description: 'new {or} paid', meta: { shape: '{}' } },
    city: { sql: function (users) { return \`UPPER(\${users.city})\` }, type: \`string\` },
    tags: { sql: \`\${CUBE}.tags->>'{a}'\`, type: \`string\` },
    size: {
      type: \`string\`,
      case: { when: [{ sql: \`\${CUBE}.amount > 10\`, label: \`large\` }], else: { label: \`small\` } },
    },
    createdAt: undefined,
    created_at: { sql: \`created_at\`, type: \`time\`, granularities: { half_year: { interval: '6 months' } } },
  },
  measures: {
    count: { type: \`count\`, drillMembers: [id, orders.status, users.city] },
    total: { type: \`sum\`, sql: () => CUBE + '.amount', ...defaults.money },
    average: { type: \`number\`, sql: \`1.0 * \${total} / NULLIF(\${CUBE.count}, 0)\` },
    ...statuses.reduce((all, status) => ({ ...all, [\`\${status}_count\`]: countWith(status) }), {}),
  },
  segments: { large: { sql: \`\${CUBE}.amount > 10\` } },
  hierarchies: { places: { levels: levels() } },
})
`,
  'model/shared.js': `export const statuses = ['new', 'paid']
export function countOf(status) {
  return { type: \`count\`, filters: [{ sql: (CUBE) => \`\${CUBE.status} = '\${status}'\` }] }
}
`,
  'model/cubes/defaults.js': `export default { money: { format: 'currency' } }\n`,
  'model/users.js': `const users = cube(\`users\`, {
  sql_table: \`users\`,
  refreshKey: { every: \`1 hour\` },
  dimensions: [
    { name: \`id\`, sql: \`id\`, type: \`number\`, primary_key: true },
    { name: \`city\`, sql: \`city\`, type: \`string\` },
  ],
})
asyncModule(async () => {
  const bases = await Promise.resolve([users])
  for (const base of bases) cube('people', { extends: base })
})
view('sales', {
  cubes: [
    { joinPath: orders, includes: '*', excludes: [\`tags\`] },
    { joinPath: orders.users, includes: [city], prefix: true },
  ],
  folders: [{ name: 'All', includes: ['status', 'users_city'] }],
})
`,
}

/** What two models have to have in common: not the names of their files. */
const comparable = (files: Readonly<Record<string, string>>) => {
  const { model, problems } = compileProject(files)
  expect(problems).toEqual([])
  return JSON.parse(JSON.stringify(model ?? null), (key, value: unknown) => (key === 'file' ? undefined : value))
}

test('the same model in JavaScript and in YAML is the same model', () => {
  expect(comparable(javascript)).toEqual(comparable({ 'model/all.yml': yaml }))
})

test('the same model as a template is the same model', () => {
  const template = yaml
    .replace(
      '- { name: new_count, type: count, filters: [{ sql: "{CUBE.status} = \'new\'" }] }\n',
      '{% for status in ["new", "paid"] %}\n      - { name: {{ status }}_count, type: count, filters: [ { sql: "{CUBE.status} = \'{{ status }}\'" } ] }\n{% endfor %}',
    )
    .replace('      - { name: paid_count, type: count, filters: [{ sql: "{CUBE.status} = \'paid\'" }] }\n', '')
  expect(template).not.toContain('paid_count')
  expect(comparable({ 'model/all.yml': template })).toEqual(comparable({ 'model/all.yml': yaml }))
})

test('braces in text of JavaScript are braces', () => {
  const { model, warnings } = compileProject({ 'model/a.js': "cube('a', { sqlTable: 'a', title: 'all {of} it' })" })
  expect(warnings).toEqual([])
  expect(model?.cubes[0]?.title).toBe('all {of} it')
})

test('JavaScript, templates and YAML refer to one another', () => {
  const { problems, model } = compileProject({
    'model/a.js': `cube('a', { sql_table: 'a', joins: { b: { sql: \`\${CUBE}.b = \${b}.id\`, relationship: 'hasOne' } } })`,
    'model/b.yml':
      'cubes: [{ name: {{ "b" }}, sql: "SELECT * FROM {a.sql()} AS a", dimensions: [{ name: id, sql: id, type: string }] }]',
    'model/c.yml': 'cubes: [{ name: c, extends: a }]',
  })
  expect(problems).toEqual([])
  expect(model?.cubes.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

describe('every problem of JavaScript files', () => {
  test.each(Object.entries(javascriptProblems))('%s', async (code, [content, place]) => {
    const { problems, model } = compileProject({ ...besides, 'model/cubes/file.js': content })
    expect(model).toBeNull()
    expect(placesOf(problems)).toEqual([`cubes/file.js:${place} ${code}`])
    await expect(`${problems.map(({ message }) => message).join('\n')}\n`).toMatchFileSnapshot(`expected/${code}.txt`)
  })
})

test('access policies of JavaScript are those of YAML', () => {
  const files = (policy: string, yamlPolicy: string) => [
    comparable({
      'model/a.js': `const allowed = ['EU']\ncube('a', { sqlTable: 'a', dimensions: { region: { sql: 'region', type: 'string' } }, accessPolicy: [${policy}] })`,
    }),
    comparable({
      'model/a.yml': `cubes:\n  - name: a\n    sql_table: a\n    dimensions: [{ name: region, sql: region, type: string }]\n    access_policy:\n      - ${yamlPolicy}\n`,
    }),
  ]
  const [fromJavaScript, fromYaml] = files(
    "{ group: 'sales', conditions: [{ if: securityContext.level > 3 && !userAttributes.isGuest }], rowLevel: { filters: [{ member: region, operator: 'equals', values: [securityContext.region, ...allowed] }] } }",
    '{ group: sales, conditions: [{ if: "{ securityContext.level > 3 and not userAttributes.isGuest }" }], row_level: { filters: [{ member: "{CUBE}.region", operator: equals, values: ["{securityContext.region}", EU] }] } }',
  )
  expect(fromJavaScript).toEqual(fromYaml)
})

test('places of what is wrong with definitions are those of the file, also of one that is imported', () => {
  const { problems } = compileProject({
    'model/orders.js': `import { measure } from './shared'

cube('orders', {
  sqlTable: 'orders',
  dimensions: {
    one: { sql: \`\${CUBE}.a + \${nothing}\`, type: 'string' },
    two: { sql: \`a\`, typo: 1, type: 'string' },
    ...Object.fromEntries(['three'].map(name => [name, { sql: () => \`\${name} \${ missing }\`, type: 'text' }])),
  },
  measures: { sum: measure() },
})
`,
    'model/shared.js': `export const measure = () => ({\n  sql: \`\${gone}\`,\n  type: 'sum',\n})\n`,
  })
  expect(placesOf(problems)).toEqual([
    'orders.js:6:31 unresolved',
    'orders.js:7:22 unknown_key',
    'orders.js:8:63 unresolved',
    'orders.js:8:99 value_not_allowed',
    'shared.js:2:10 unresolved',
  ])
})

test('a file that is imported defines its cubes once, and a change of it compiles its users again', () => {
  const cache = new Map<string, FileTree>()
  const parsed = new Set<string>()
  const parseCache = {
    get: (key: string) => cache.get(key),
    set(key: string, tree: FileTree) {
      parsed.add(tree.path)
      cache.set(key, tree)
    },
  }
  const compile = (name: string, other = 'a') => {
    parsed.clear()
    return compileModel(
      filesOf({
        'model/a.js': "import { name } from './b'\ncube(name + '_a', { sql_table: 't' })",
        'model/b.js': `import { other } from './c'\nexport const name = ${JSON.stringify(name)} + other\ncube('b', { sql_table: 't' })`,
        'model/c.js': `export const other = '_${other}'`,
        'model/d.js': "cube('d', { sql_table: 't' })",
      }),
      { engines, parseCache },
    )
  }
  expect(compile('one').model?.cubes.map(cube => cube.name)).toEqual(['one_a_a', 'b', 'd'])
  compile('one')
  expect([...parsed]).toEqual([])
  expect(compile('two').model?.cubes.map(cube => cube.name)).toEqual(['two_a_a', 'b', 'd'])
  expect([...parsed]).toEqual(['model/a.js', 'model/b.js'])
  expect(compile('two', 'x').model?.cubes.map(cube => cube.name)).toEqual(['two_x_a', 'b', 'd'])
  expect([...parsed]).toEqual(['model/a.js', 'model/b.js', 'model/c.js'])
})

test('files that import each other have the functions of each other', () => {
  const { problems, model } = compileProject({
    'model/a.js': "import { b } from './b'\nexport function a() { return 'a' + b() }",
    'model/b.js': "import { a } from './a'\nexport function b() { return '_b' }\nexport const both = () => a()",
    'model/c.js': "import { both } from './b'\ncube(both(), { sql_table: 't' })",
  })
  expect(problems).toEqual([])
  expect(model?.cubes.map(({ name }) => name)).toEqual(['a_b'])
})

test('a constant that is not there yet, since files import each other, is a problem and not undefined', () => {
  const { problems } = compileProject({
    'model/a.js': "import { b } from './b'\nexport const a = 1",
    'model/b.js': "import { a } from './a'\nexport const b = 1",
  })
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['js_import_circle']))
})

test('what is wrong with a file that is imported is said once', () => {
  const { problems } = compileProject({
    'model/a.js': "import { x } from './shared'\ncube('a', { sql_table: x })",
    'model/b.js': "import { x } from './shared'\ncube('b', { sql_table: x })",
    'model/shared.js': 'export const x = ;',
  })
  expect(placesOf(problems)).toEqual(['shared.js:1:18 js_syntax'])
})

test('without engines a JavaScript file is a problem', () => {
  const { problems } = compileModel(filesOf({ 'model/a.js': '' }))
  expect(placesOf(problems)).toEqual(['a.js:1:1 engine_missing'])
})

test('fifty files compile in well under a second', () => {
  const members = Array.from({ length: 40 }, (_, index) => `m${index}: { sql: \`\${CUBE}.m${index}\`, type: 'sum' }`)
  const files = Array.from({ length: 50 }, (_, index): [string, string] => [
    `model/c${index}.js`,
    `cube('c${index}', { sqlTable: 't', measures: { ${members.join(',\n')} } })`,
  ])
  compileProject(Object.fromEntries(files.slice(0, 5)))
  const start = performance.now()
  expect(compileProject(Object.fromEntries(files)).problems).toEqual([])
  // Far above what it takes, since tests run on busy machines.
  expect(performance.now() - start).toBeLessThan(5_000)
})
