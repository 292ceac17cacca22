import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { compileProject } from '../support/code.ts'

vi.setConfig({ testTimeout: 120_000 })

const numRuns = Number(process.env.HEDRON_FUZZ_RUNS ?? 300)
const seed = Number(process.env.HEDRON_FUZZ_SEED ?? 11)

const javascriptWords =
  "cube ( ) ( ) { } { } [ ] , ; : => = == === ? . ... ` CUBE } 'a' \"b\" 1 sql sqlTable measures dimensions type import export default from './b' const let x function return if for while class extends new this async await yield typeof undefined null FILTER_PARAMS COMPILE_CONTEXT \n"
    .split(' ')
    .concat('${')
const templateWords =
  '{{ }} {% %} {# #} for in endfor if else endif set macro endmacro call import from include "b.jinja" extends block raw endraw x range(3) namespace() | safe ~ + - %} {%- -%} cubes: name: a \n   - sql_table: [ ] , loop.index \uE000 \uE001'.split(
    ' ',
  )

const text = (words: readonly string[]) =>
  fc
    .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...words) }, fc.string({ unit: 'binary', maxLength: 5 })), {
      maxLength: 40,
    })
    .map(parts => parts.join(' '))

test.each([
  ['JavaScript', 'model/a.js', text(javascriptWords)],
  [
    'JavaScript in a cube',
    'model/a.js',
    text(javascriptWords).map(inner => `cube('a', { sqlTable: 't', measures: { x: { type: 'sum', sql: ${inner} } } })`),
  ],
  ['templates', 'model/a.yml', text(templateWords)],
  ['macro files', 'model/a.jinja', text(templateWords)],
  [
    'Python',
    'model/globals.py',
    text(['template.add_variable(', '"x"', "'", '"""', '#', '@template.filter("y")', 'import', '(', ')', '\n', '\\']),
  ],
])('whatever is written as %s, there is a model or a problem with a place', (_, path, contents) => {
  fc.assert(
    fc.property(contents, content => {
      const { model, problems } = compileProject({
        [path]: content,
        'model/b.jinja': '{% macro x() %}1{% endmacro %}',
        'model/b.js': 'export const x = 1',
      })
      expect((model === null) === problems.length > 0).toBe(true)
      for (const { file, line, column, message } of problems) {
        expect(file).toMatch(/^model\//)
        expect(Number.isInteger(line) && line > 0 && Number.isInteger(column) && column > 0).toBe(true)
        expect(message).not.toBe('')
      }
    }),
    { numRuns, seed },
  )
})
