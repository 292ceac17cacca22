import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { useBench } from './support/run-hedron.ts'

const bench = useBench()
const execute = promisify(execFile)

/** What bash offers for a command line with the cursor at its end. */
async function bashOffers(script: string, line: readonly string[]): Promise<readonly string[]> {
  const program = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hedron; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await execute('bash', ['--norc', '-c', program, 'bash', ...line])
  return stdout.split('\n').filter(offer => offer !== '')
}

test.each([
  [
    ['hedron', 'dep'],
    ['deployments', 'deploy'],
  ],
  [
    ['hedron', '--context', 'deploy', 'dm', 'merge'],
    ['merge', 'merge-to-default'],
  ],
  [['hedron', 'deployment', 'ls', '--fi'], ['--first']],
  [['hedron', 'deploy', '7', '--pl'], ['--plan']],
  [['hedron', 'deploy', '7', '-m'], ['-m']],
  [['hedron', 'deploy', '--directory', ''], []],
  [['hedron', 'whoami', '--js'], ['--json']],
  [['hedron', 'nothing', 'x'], []],
])('bash offers for %j', async (line, offers) => {
  const { stdout } = await bench.run(['completion', 'bash'])
  expect(await bashOffers(stdout, line)).toEqual(offers)
})

test.each(['zsh', 'fish'])('%s gets a script that names every command', async shell => {
  const { exitCode, stdout } = await bench.run(['completion', shell])
  expect(exitCode).toBe(0)
  for (const name of ['merge-to-default', 'build-status', 'create-token', 'completion']) expect(stdout).toContain(name)
})
