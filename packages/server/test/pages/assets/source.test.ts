import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { assetsFolder } from '../support/browser-modules.ts'

const run = promisify(execFile)
const names = readdirSync(assetsFolder)

test('the browser modules pass the type checker', async () => {
  const compiler = fileURLToPath(new URL('../../../../../node_modules/.bin/tsc', import.meta.url))
  const project = fileURLToPath(new URL('tsconfig.json', assetsFolder))
  const { stdout } = await run(compiler, ['--project', project], { timeout: 60_000 }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
}, 60_000)

test.each(names.filter(name => name.endsWith('.js')))('%s makes no markup or code from text', name => {
  const text = readFileSync(new URL(name, assetsFolder), 'utf8')
  expect(
    text.match(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b|new Function/,
    ),
  ).toBeNull()
  expect(text.match(/https?:\/\/(?!example\.com|localhost)/)).toBeNull()
})
