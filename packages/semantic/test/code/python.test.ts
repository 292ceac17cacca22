import { expect, test } from 'vitest'
import { compileProject, placesOf } from '../support/code.ts'

const globals = `from cube import TemplateContext
import os

template = TemplateContext()
# template.add_variable('not_this', 1)
template.add_variable('schema', os.environ['SCHEMA'])

@template.function("load_statuses")
def load_statuses():
    """ @template.filter('nor_this') """
    return ['new']

@template.filter('wrap')
def wrap(text):
    return f'"{text}"'
`

test('what a template uses of Python is a problem where it is used, and names where it comes from', () => {
  const { problems } = compileProject({
    'model/globals.py': globals,
    'model/a.yml': 'cubes:\n  - name: a\n    sql_table: {{ schema }}.a\n',
    'model/b.yml': 'cubes:\n{% for s in load_statuses() %}\n{% endfor %}\n',
    'model/c.yml': 'cubes: []\n# {{ "x" | wrap }}\n',
    'model/d.yml': 'cubes: []\n# {{ not_this }}\n',
  })
  expect(placesOf(problems)).toEqual([
    'a.yml:3:19 python_name',
    'b.yml:2:13 python_name',
    'c.yml:2:12 python_name',
    'd.yml:2:6 jinja_undefined',
  ])
  expect(problems.slice(0, 3).map(({ message }) => /model\/globals\.py:\d+/.exec(message)?.[0])).toEqual([
    'model/globals.py:6',
    'model/globals.py:8',
    'model/globals.py:13',
  ])
})

test('each name that Python would give to templates is a warning where it is defined', () => {
  const { problems, warnings } = compileProject({ 'model/globals.py': globals })
  expect(problems).toEqual([])
  expect(warnings.map(({ line, message }) => `${line} ${/The \w+ '\w+'/.exec(message)?.[0]}`)).toEqual([
    "6 The variable 'schema'",
    "8 The function 'load_statuses'",
    "13 The filter 'wrap'",
  ])
})

test.each([
  ['nothing', ''],
  ['comments and imports', '# a comment\nimport os, sys\nfrom cube import (\n  TemplateContext,\n)\n'],
  ['a docstring', '"""Helpers.\n\ndef not_code(): pass\n"""\n\npass\n'],
  ['an empty template context', 'from cube import TemplateContext\ntemplate = TemplateContext()\n'],
])('a Python file that holds %s is fine', (_, content) => {
  const { problems, warnings } = compileProject({ 'model/globals.py': content, 'model/helpers/text.py': content })
  expect([...problems, ...warnings]).toEqual([])
})

test('a Python file that does something says so at its first statement', () => {
  const { warnings } = compileProject({ 'model/helpers.py': '# helpers\nimport os\n\n\ndef one():\n  return 1\n' })
  expect(placesOf(warnings)).toEqual(['helpers.py:5:1 python_not_run'])
})
