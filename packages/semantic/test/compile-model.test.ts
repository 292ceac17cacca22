import { expect, test } from 'vitest'
import { compileModel, type SourceFile } from '../src/index.ts'
import type { FileTree } from '../src/shapes/tree.ts'

const orders = `cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: users, sql: "{CUBE}.user_id = {users.id}", relationship: many_to_one }]
    dimensions: [{ name: city, sql: "{users.city}", type: string }]
`
const users = `cubes:
  - name: users
    sql_table: users
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
`
const files: SourceFile[] = [
  { path: 'model/cubes/orders.yml', content: orders },
  { path: 'model/cubes/users.yaml', content: users },
  { path: 'model/README.md', content: '# {{ not a model }}' },
  { path: 'other/cubes.yml', content: 'nonsense: [' },
  { path: 'model/empty.yml', content: ' \n' },
]

test('reads the YAML below model/ and nothing else', () => {
  const { model, problems, cubesCount } = compileModel(files)
  expect(problems).toEqual([])
  expect(cubesCount).toBe(2)
  expect(model?.cubes.map(({ name }) => name)).toEqual(['orders', 'users'])
})

test('the order of the files makes no difference', () => {
  expect(compileModel(files.toReversed())).toEqual(compileModel(files))
})

test('a kept parse gives the same model, and only what changed is parsed again', () => {
  const cache = new Map<string, FileTree>()
  expect(compileModel(files, { parseCache: cache })).toEqual(compileModel(files))
  const kept = cache.size
  const changed = files.map(file =>
    file.content === users ? { ...file, content: users.replace('type: string', 'type: number') } : file,
  )
  expect(compileModel(changed, { parseCache: cache })).toEqual(compileModel(changed))
  expect(cache.size).toBe(kept + 1)
})

test('a digest stands for the content, and no content for a digest', () => {
  const cache = new Map<string, FileTree>()
  const withDigests = (digest: string) => files.map(file => ({ ...file, digest: `${digest} of ${file.path}` }))
  const [first] = compileModel(withDigests('a'), { parseCache: cache }).model?.cubes ?? []
  const kept = cache.size
  expect(compileModel(withDigests('a'), { parseCache: cache }).model?.cubes[0]).toBe(first)
  expect(cache.size).toBe(kept)
  compileModel(withDigests('b'), { parseCache: cache })
  expect(cache.size).toBe(2 * kept)
  const forged = { path: 'model/cubes/orders.yml', content: 'a of model/cubes/orders.yml' }
  expect(compileModel([forged], { parseCache: cache }).problems).toHaveLength(1)
})

test.each([
  ['is no YAML', 'cubes: ['],
  ['is a template', 'cubes:\n  - name: users\n    sql_table: {{ users }}\n'],
  ['has a cube that is not understood', users.replace('sql_table: users', 'sql_table: [users]')],
])('a file that %s is one problem, not one more for each reference to it', (_, content) => {
  const broken = files.map(file => (file.content === users ? { ...file, content } : file))
  expect(compileModel(broken).problems.map(({ file }) => file)).toEqual(['model/cubes/users.yaml'])
})

test('what is wrong in several files is reported at once, in the order of places', () => {
  const broken = files.map(file => ({ ...file, content: file.content.replaceAll('type: string', 'type: text') }))
  expect(compileModel(broken).problems.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    'model/cubes/orders.yml:5 value_not_allowed',
    'model/cubes/users.yaml:6 value_not_allowed',
  ])
})

test('merge keys and anchors of YAML', () => {
  const content = `cubes:
  - name: users
    sql_table: users
    dimensions:
      - &text { name: city, sql: city, type: string }
      - { <<: *text, name: town }
`
  const { model } = compileModel([{ path: 'model/users.yml', content }])
  expect(model?.cubes[0]?.dimensions.map(({ name, type, title }) => [name, type, title])).toEqual([
    ['city', 'string', 'City'],
    ['town', 'string', 'Town'],
  ])
})

test('a model is plain data: a window that goes back by days has no months, as JSON writes it', () => {
  const { model } = compileModel([
    {
      path: 'model/model.yml',
      content: `cubes:
  - name: orders
    sql_table: orders
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: later, type: count, rolling_window: { trailing: -1 day, leading: -2 months } }]
`,
    },
  ])
  expect(model).not.toBeNull()
  expect(JSON.parse(JSON.stringify(model))).toEqual(model)
})
