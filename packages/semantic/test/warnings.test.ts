import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileModel, type ModelProblem } from '../src/index.ts'
import { agentWarnings } from '../src/messages/agent-messages.ts'
import { warningCodes } from '../src/messages/model-warnings.ts'
import type { FileTree } from '../src/shapes/tree.ts'

/** test/warnings/<code>/ holds a sound model and expected.txt: all that is said about it, with place and words. */
const folder = join(import.meta.dirname, 'warnings')
const codes = readdirSync(folder)
const modelOf = (code: string) => readFileSync(join(folder, code, 'model.yml.txt'), 'utf8')

const written = ({ file, line, column, code, message }: ModelProblem) =>
  `${file}:${line}:${column} ${code}\n  ${message}\n`

test.each(codes)('%s', async code => {
  const { model, problems, warnings } = compileModel([{ path: 'model/model.yml', content: modelOf(code) }])
  expect(problems).toEqual([])
  expect(model).not.toBeNull()
  expect(warnings.map(warning => warning.code)).toContain(code)
  await expect(warnings.map(written).join('')).toMatchFileSnapshot(join(folder, code, 'expected.txt'))
})

test.each(codes)('%s is said again when nothing changed and everything is remembered', code => {
  const files = [{ path: 'model/model.yml', content: modelOf(code) }]
  const parseCache = new Map<string, FileTree>()
  const first = compileModel(files, { parseCache })
  expect(compileModel(files, { parseCache })).toEqual(first)
})

/** In test/code/ and test/agents/, since they are not about the model's YAML. */
const elsewhere = ['check_auth_package', 'config_option', 'python_not_run', ...Object.keys(agentWarnings)]

test('every warning that a model can have is proved here', () => {
  expect(warningCodes.filter(code => !codes.includes(code) && !elsewhere.includes(code))).toEqual([])
})
