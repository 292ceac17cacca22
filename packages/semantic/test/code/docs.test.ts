import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileProject } from '../support/code.ts'

/** docs/model-code.md: the blocks of a section are the files of one model, each with its path in a comment of its first line. */
const page = readFileSync(join(import.meta.dirname, '../../../../docs/model-code.md'), 'utf8')
const sections = page
  .split(/^## /m)
  .map(
    section =>
      [section.split('\n')[0] ?? '', [...section.matchAll(/^```\w+\n\W*(model\/\S+)[^\n]*\n(.*?)^```$/gms)]] as const,
  )
  .filter(([, blocks]) => blocks.length > 0)

test('the page has a model in Jinja and one in JavaScript', () => {
  expect(sections.map(([title]) => title)).toEqual(['Jinja', 'JavaScript'])
})

test.each(sections)('the model of the section %s compiles', (_, blocks) => {
  const files = Object.fromEntries(blocks.map(([, path = '', content = '']): [string, string] => [path, content]))
  const { problems, warnings, model } = compileProject(files)
  expect(problems).toEqual([])
  expect(warnings).toEqual([])
  expect(model?.cubes.some(({ name }) => name === 'orders')).toBe(true)
})
