import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

const has = (shell: string) => spawnSync(shell, ['--version']).error === undefined

/** What a shell offers by itself, word by word; the files that it adds where there is nothing to offer are left out. */
const asked: [line: string, offers: readonly string[]][] = [
  ['hedron dep', ['deploy', 'deployments']],
  ['hedron --context deploy dm merge', ['merge', 'merge-to-default']],
  ['hedron deployment ls --fi', ['--first']],
  ['hedron groups members ', ['add', 'list', 'remove']],
]

test.runIf(has('fish')).each(asked)('fish offers for %j', async (line, offers) => {
  const script = join(bench.folder, 'hedron.fish')
  await writeFile(script, (await bench.run(['completion', 'fish'])).stdout)
  const { stdout } = await execute('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`])
  const offered = stdout.split('\n').flatMap(offer => offer.split('\t')[0] || [])
  expect(offered.sort()).toEqual(offers)
})

test.runIf(has('zsh')).each(asked)('zsh offers for %j', async (line, offers) => {
  const script = join(bench.folder, 'hedron.zsh')
  await writeFile(script, (await bench.run(['completion', 'zsh'])).stdout)
  // What zsh would take from the completion system: here it only prints, and what begins otherwise is left out below.
  const program = `compdef() { }; _files() { }; _describe() { local -a all; all=("\${(@P)2}"); print -rl -- "\${all[@]%%:*}" }
    source ${script}; words=("$@"); CURRENT=$#; _hedron`
  const { stdout } = await execute('zsh', ['-f', '-c', program, 'zsh', ...line.split(' ')])
  const current = line.split(' ').at(-1) ?? ''
  const fits = (offer: string) => offer.startsWith(current) && (current.startsWith('-') || !offer.startsWith('-'))
  const offered = stdout.split('\n').filter(offer => offer !== '' && fits(offer))
  expect(offered.sort()).toEqual(offers)
})

test.each(['zsh', 'fish'])('%s gets a script that names every command', async shell => {
  const { exitCode, stdout } = await bench.run(['completion', shell])
  expect(exitCode).toBe(0)
  for (const name of ['merge-to-default', 'build-status', 'create-token', 'completion']) expect(stdout).toContain(name)
})
