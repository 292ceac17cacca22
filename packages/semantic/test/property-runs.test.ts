import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { casesOfBuild, propertyNames } from './support/property-runs.ts'

const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.test.ts') && path !== 'property-runs.test.ts')
  .map(path => readFileSync(join(import.meta.dirname, path), 'utf8'))

test('a build tries its properties on ten thousand cases', () => {
  process.stdout.write(`Properties of answers: ${casesOfBuild} cases in this build\n`)
  expect(casesOfBuild).toBeGreaterThanOrEqual(10_000)
})

test('each number that is added up is that of one test', () => {
  const used = tests.flatMap(text => [...text.matchAll(/runsOf\('([^']+)'\)/g)].map(([, name]) => name))
  expect(used.toSorted()).toEqual(propertyNames.toSorted())
})
