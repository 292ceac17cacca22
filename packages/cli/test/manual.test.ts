import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useBench } from './support/run-hedron.ts'

const bench = useBench()

test('a page has the usual sections, with what help says', async () => {
  const { stdout, exitCode } = await bench.run(['man', 'data-model', 'put'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^\.TH HEDRON-DATA-MODEL-PUT 1 /)
  for (const section of ['NAME', 'SYNOPSIS', 'ARGUMENTS', 'OPTIONS', 'EXAMPLES'])
    expect(stdout).toContain(`.SH ${section}\n`)
  expect(stdout).toContain('\\fB\\-\\-content\\fR')
  expect((await bench.run(['man'])).stdout).toContain('\\fBdeploy\\fR')
  expect((await bench.run(['man', 'nothing'])).exitCode).toBe(2)
})

test('every page is written, and none has a line that man takes for an unknown request', async () => {
  const folder = join(bench.folder, 'man')
  expect((await bench.run(['man', '--directory', folder])).exitCode).toBe(0)
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['hedron.1', 'hedron-groups-members-add.1']))
  const groff = spawnSync('groff', ['-man', '-Tutf8', '-ww', join(folder, 'hedron-deploy.1')], { encoding: 'utf8' })
  if (groff.error === undefined) expect(groff.stderr).toBe('')
})

test('PowerShell is offered the commands of each place', async () => {
  const { stdout } = await bench.run(['completion', 'powershell'])
  expect(stdout).toContain("'groups members' = @(@('list', 'List the users of a group')")
  expect(stdout).toContain("'dm get' = @(")
  expect(stdout.split('{').length).toBe(stdout.split('}').length)
})
