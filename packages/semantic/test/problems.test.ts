import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileModel, loadCodeEngines, type ModelProblem } from '../src/index.ts'
import { agentMessages } from '../src/messages/agent-messages.ts'
import { problemCodes } from '../src/messages/model-messages.ts'
import { javascriptProblems } from './support/javascript-problems.ts'

/** test/problems/<code>/ holds a broken model (.txt, so that formatters leave it alone) and expected.txt: every problem of it, with place and words. */
const folder = join(import.meta.dirname, 'problems')
const codes = readdirSync(folder)

const engines = await loadCodeEngines()
const compile = (content: string, path = 'model/model.yml') => compileModel([{ path, content }], { engines })
const written = ({ file, line, column, code, message }: ModelProblem) =>
  `${file}:${line}:${column} ${code}\n  ${message}\n`

test.each(codes)('%s', async code => {
  const { model, problems } = compile(readFileSync(join(folder, code, 'model.yml.txt'), 'utf8'))
  expect(model).toBeNull()
  expect(problems.map(problem => problem.code)).toContain(code)
  await expect(problems.map(written).join('')).toMatchFileSnapshot(join(folder, code, 'expected.txt'))
})

test('a line that is no YAML is one mistake, however much comes after it', () => {
  const members = Array.from({ length: 20 }, (_, at) => `      - { name: m${at}, type: count }`).join('\n')
  const { problems } = compile(
    `Copied from a terminal\ncubes:\n  - name: orders\n    sql_table: t\n    measures:\n${members}\n`,
  )
  expect(problems.map(({ code, line }) => [code, line])).toEqual([['yaml_syntax', 1]])
})

describe('models too large for a file of their own', () => {
  test('TypeScript is refused', () => {
    const [problem] = compile('cube("orders", {})', 'model/orders.ts').problems
    expect(problem).toMatchObject({ code: 'file_unsupported', file: 'model/orders.ts', line: 1, column: 1 })
  })

  test('aliases that stand for more than any model', () => {
    const lines = Array.from({ length: 10_001 }, () => '    - *x').join('\n')
    const { problems } = compile(`cubes:\n- name: orders\n  sql_table: orders\n  meta:\n    - &x 1\n${lines}\n`)
    expect(problems.map(({ code }) => code)).toEqual(['yaml_too_many_aliases'])
  })

  test('an alias that contains itself, and deep nesting', () => {
    expect(compile('cubes:\n- name: orders\n  sql_table: t\n  meta: &m\n    again: *m\n').problems[0]?.code).toBe(
      'yaml_syntax',
    )
    expect(compile(`cubes: ${'['.repeat(50_000)}`).problems[0]?.code).toBe('yaml_syntax')
  })

  test('cubes that extend one another without end', () => {
    const cubes = Array.from(
      { length: 70 },
      (_, index) => `- name: c${index}\n  extends: c${index + 1}\n  sql_table: t`,
    )
    const { problems } = compile(`cubes:\n${cubes.join('\n')}\n- name: c70\n  sql_table: t\n`)
    expect(problems.map(({ code }) => code)).toEqual(['extends_too_deep'])
  })

  test('members that double each other', () => {
    const dimensions = Array.from(
      { length: 20 },
      (_, index) => `  - { name: d${index}, type: number, sql: "{d${index + 1}} + {d${index + 1}}" }`,
    )
    const { problems } = compile(
      `cubes:\n- name: orders\n  sql_table: t\n  dimensions:\n${dimensions.join('\n')}\n  - { name: d20, type: number, sql: id }\n`,
    )
    expect(problems.map(({ code }) => code)).toEqual(['reference_too_deep'])
  })
})

test.each([
  ['cubes:\n  - name: a: b\n', 2, 11],
  ['cubes:\n\t- name: a', 2, 1],
  ['cubes:\n  - name: a\n   sql: b\n', 3, 1],
  ['cubes: [', 1, 9],
  ['cubes: []\ncubes: []\n', 2, 1],
  ['cubes: []\n---\nviews: []\n', 2, 1],
])('the place of a YAML error is in its fields and not in its words: %j', (content, line, column) => {
  const [problem] = compile(content).problems
  expect(problem).toMatchObject({ code: 'yaml_syntax', line, column })
  expect(problem?.message).not.toMatch(/\d|parseAllDocuments/)
})

test('every problem that a model can have is proved here', () => {
  const elsewhere = [
    ...Object.keys(javascriptProblems),
    // In test/agents/.
    ...Object.keys(agentMessages),
    'check_auth_export',
    'js_engine_restarts',
    'js_import_circle',
    'engine_missing',
    'python_name',
    'file_unsupported',
    'yaml_too_many_aliases',
    'extends_too_deep',
    'reference_too_deep',
  ]
  expect(problemCodes.filter(code => !codes.includes(code) && !elsewhere.includes(code))).toEqual([])
})

test('of cubes that extend each other nothing is said but the circle', () => {
  const circle = 'cubes:\n- name: a\n  extends: b\n- name: b\n  extends: c\n- name: c\n  extends: a\n'
  expect(compile(circle).problems.map(({ code, line }) => [code, line])).toEqual([['extends_circle', 7]])
})

test('of a cube whose parent extends what is not there nothing is said but that', () => {
  const missing = 'cubes:\n- name: a\n  extends: b\n- name: b\n  extends: nobody\n'
  expect(compile(missing).problems.map(({ code, line }) => [code, line])).toEqual([['extends_missing', 5]])
})

test('what extends something that is not there may have inherited anything, and is looked at all the same', () => {
  const { problems } = compile(`cubes:
- name: orders
  extends: nobody
  joins: [{ name: nowhere, sql: a = b, relationship: many_to_one }]
  measures: [{ name: total, type: sum, sql: "{inherited}" }]
- name: customers
  sql_table: t
  dimensions: [{ name: first, sql: "{orders.inherited}", type: string, format: "%d" }]
`)
  expect(problems.map(({ line, code }) => [line, code])).toEqual([
    [3, 'extends_missing'],
    [4, 'join_target_missing'],
    [8, 'format_plain'],
  ])
})

test('each problem knows the cube or view in which it is', () => {
  const { problems } = compile(`cubes:
  - sql_tabel: before_the_name
    name: orders
    measures:
      - { name: total, type: sum, sql: "{nothing}" }
  - name: customers
    sql_table: customers
    joins:
      - { name: nobody, sql: a = b, relationship: many_to_one }
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: [missing] }
view_groups:
  - { name: all, includes: [missing] }
other: 1
`)
  expect(problems.map(({ line, code, definition }) => [line, code, definition])).toEqual([
    [2, 'unknown_key', 'orders'],
    [3, 'source_missing', 'orders'],
    [5, 'unresolved', 'orders'],
    [9, 'join_target_missing', 'customers'],
    [13, 'include_missing', 'sales'],
    [15, 'view_group_view', undefined],
    [16, 'unexpected_root_key', undefined],
  ])
})
