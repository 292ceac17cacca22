import { expect, test } from 'vitest'
import { compileModel } from '../../src/index.ts'
import type { FileTree } from '../../src/shapes/tree.ts'
import { compileProject, engines, filesOf, placesOf } from '../support/code.ts'

const plain = `cubes:
  - name: orders
    sql_table: public.orders
    dimensions:
      - name: id
        sql: "{CUBE}.id"
        type: number
        primary_key: true
      - name: status
        sql: status
        type: string
    measures:
      - name: new_count
        type: count
        filters:
          - sql: "{status} = 'new'"
      - name: paid_count
        type: count
        filters:
          - sql: "{status} = 'paid'"
`

const macros = `{% macro dimension(name, sql, type="string", primary_key=false) -%}
      - name: {{ name }}
        sql: "{{ sql }}"
        type: {{ type }}
        {% if primary_key -%}
        primary_key: true
        {% endif %}
{%- endmacro %}
{% set schema = "public" %}
`

const template = `{% from "shared/macros.jinja" import dimension, schema -%}
{% set statuses = ["new", "paid"] %}
{# Written once for each status. #}
cubes:
  - name: orders
    sql_table: {{ schema | safe }}.orders
    dimensions:
      {{ dimension("id", "{CUBE}.id", type="number", primary_key=true) }}
      {{ dimension("status", "status") }}
    measures:
      {%- for status in statuses %}
      - name: {{ status | lower }}_count
        type: count
        filters:
          - sql: "{status} = '{{ status }}'"
      {%- endfor %}
`

test('a template with loops, macros, imports and filters is the model that it renders to', () => {
  const { model, problems } = compileProject({
    'model/cubes/orders.yml': template,
    'model/shared/macros.jinja': macros,
  })
  expect(problems).toEqual([])
  expect(model).toEqual(compileProject({ 'model/cubes/orders.yml': plain }).model)
})

const cube = '{% macro cube(name) %}cubes:\n  - name: {{ name }}\n    sql_table: t\n{% endmacro %}'
const cubeA = 'cubes:\n  - name: a\n    sql_table: t\n'

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['a whole import', '{% import "m.jinja" as m %}{{ m.cube("a") }}', { 'model/m.jinja': cube }],
  ['an import from a YAML file', '{% from "m.yml" import cube %}{{ cube("a") }}', { 'model/m.yml': `${cube}` }],
  ['an include', '{% include "m.jinja" %}cubes: [{ name: a, sql_table: t }]', { 'model/m.jinja': '# text\n' }],
  [
    'an include by a name that is made',
    '{% set n = "n" %}{% include n ~ ".jinja" %}cubes: [{ name: a, sql_table: t }]',
    { 'model/n.jinja': '# text\n' },
  ],
  [
    'namespace, set blocks, raw',
    '{% set ns = namespace(n="a") %}{% set t %}t{% endset %}cubes:\n  - name: {{ ns.n }}\n    sql_table: {{ t }}\n    description: {% raw %}"{{ x }}"{% endraw %}',
    {},
  ],
  ['what prints as JSON', 'cubes: {{ [{"name": "a", "sql_table": "t"}] | tojson }}', {}],
  ['a macro file that makes a cube itself', '{# nothing #}{{ "" }}', { 'model/m.jinja': `${cube}{{ cube("a") }}` }],
  [
    'a default for what may be absent',
    `${cubeA}    description: {{ absent | default("none") }}{% if absent is defined %}!{% endif %}`,
    {},
  ],
])('%s', (_, content, others) => {
  const { model, problems } = compileProject({ 'model/a.yml': content, ...others })
  expect(problems).toEqual([])
  expect(model?.cubes.map(({ name }) => name)).toEqual(['a'])
})

test('places are those of the template, and of the macro where its text is at fault', () => {
  const broken = template.replace('type: count', 'typo: count').replace("{status} = '", "{state} = '")
  const files = {
    'model/orders.yml': broken,
    'model/shared/macros.jinja': macros.replace('type: {{', 'typ: {{'),
  }
  const lineOf = (content: string, text: string) => content.split('\n').findIndex(line => line.includes(text)) + 1
  const { problems } = compileProject(files)
  expect(new Set(placesOf(problems))).toEqual(
    new Set([
      `orders.yml:${lineOf(broken, 'name: {{ status')}:9 required`,
      `orders.yml:${lineOf(broken, 'typo')}:9 unknown_key`,
      `shared/macros.jinja:${lineOf(macros, 'name: {{')}:9 required`,
      `shared/macros.jinja:${lineOf(macros, 'type: {{')}:9 unknown_key`,
    ]),
  )
  const unresolved = compileProject({
    ...files,
    'model/orders.yml': template.replace("{status} = '", "{state} = '"),
    'model/shared/macros.jinja': macros,
  })
  expect(placesOf(unresolved.problems)).toEqual([`orders.yml:${lineOf(template, '{status} =')}:19 unresolved`])
})

test('a place that cannot be told says which line it is after rendering', () => {
  const { problems } = compileProject({
    'model/a.yml':
      '{{ "cubes:\\n- name: a\\n  typo: 1\\n" | upper | lower | replace("a", "a") }}{% set x %}\n1{% endset %}{{ x | length }}',
  })
  expect(problems[0]).toMatchObject({ file: 'model/a.yml', line: 1 })
  const unmapped = compileProject({ 'model/a.yml': '{% set x %}\ncubes:\n- name: a\n{% endset %}{{ x | length }}' })
  expect(unmapped.problems[0]?.message).toContain('(In line 1 after rendering.)')
})

test('a problem in a macro file is said once, however many files load it', () => {
  const { problems } = compileProject({
    'model/a.yml': template,
    'model/b.yml': template,
    'model/shared/macros.jinja': '{% macro dimension() %}',
  })
  expect(placesOf(problems)).toEqual(['shared/macros.jinja:1:22 jinja_syntax'])
})

test('a changed macro file compiles its users again, and nothing else', () => {
  const parsed: string[] = []
  const cache = new Map<string, FileTree>()
  const parseCache = {
    get: (key: string) => cache.get(key),
    set(key: string, tree: FileTree) {
      if (!cache.has(key) || cache.get(key) !== tree) parsed.push(tree.path)
      cache.set(key, tree)
    },
  }
  const before = {
    'model/orders.yml': template,
    'model/other.yml': 'cubes: [{ name: other, sql_table: t }]',
    'model/templated.yml': 'cubes: [{ name: {{ "templated" }}, sql_table: t }]',
    'model/shared/macros.jinja': macros,
  }
  const compile = (files: Readonly<Record<string, string>>) => {
    parsed.length = 0
    return compileModel(filesOf(files), { engines, parseCache })
  }
  expect(compile(before)).toEqual(compileProject(before))
  expect(compile(before)).toEqual(compileProject(before))
  expect(parsed).toEqual([])
  const after = { ...before, 'model/shared/macros.jinja': macros.replace('"public"', '"private"') }
  expect(compile(after)).toEqual(compileProject(after))
  expect(compile(after).model?.cubes.find(({ name }) => name === 'orders')).toMatchObject({ name: 'orders' })
  compile(before)
  expect(parsed).not.toContain('model/other.yml')
  const again = { ...before, 'model/shared/macros.jinja': macros.replace('"public"', '"third"') }
  compile(again)
  expect(new Set(parsed)).toEqual(new Set(['model/orders.yml', 'model/shared/macros.jinja']))
  const { 'model/shared/macros.jinja': _, ...without } = before
  expect(placesOf(compile(without).problems)).toEqual(['orders.yml:1:4 jinja_template_missing'])
})

test('without engines a template is a problem, and is compiled once they are there', () => {
  const files = filesOf({ 'model/a.yml': 'cubes: []\n# {{ 1 }}' })
  const parseCache = new Map<string, FileTree>()
  expect(placesOf(compileModel(files, { parseCache }).problems)).toEqual(['a.yml:2:3 engine_missing'])
  expect(compileModel(files, { parseCache, engines }).problems).toEqual([])
})
