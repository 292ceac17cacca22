import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const source = new URL('../src/standard-output.ts', import.meta.url).href
const program = (statements: string) => [
  '--input-type=module',
  '-e',
  `import { standardOutput } from '${source}'; const output = standardOutput(1); ${statements}`,
]

test('what a reader that does not keep up has not taken follows, in order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedron-output-'))
  try {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    // Open for reading, so that it can be opened for writing without waiting.
    const held = openSync(path, constants.O_RDWR)
    const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    const child = spawn(process.execPath, program(`output.write('a'.repeat(1_000_000)); output.write('b\\n')`), {
      stdio: ['ignore', writing, 'inherit'],
    })
    const ended = new Promise(resolve => child.once('close', resolve))
    closeSync(writing)
    const reader = spawn('sh', ['-c', `sleep 0.5; exec cat "$0"`, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    // More than a pipe holds: it can only end once the reader is there.
    void ended.then(() => closeSync(held))
    const read = await text(reader.stdout)
    expect(await ended).toBe(0)
    expect(read.length).toBe(1_000_002)
    expect(read.endsWith('ab\n')).toBe(true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a reader that left ends the program as a shell expects it', async () => {
  const endless = `(function more() { output.write('x'.repeat(100_000)); setImmediate(more) })()`
  const child = spawn(process.execPath, program(endless), { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.once('close', resolve))
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await ended).toBe(141)
})

test('what cannot be written ends it with 1, which the standard error explains; a file is no terminal', async () => {
  const full = openSync('/dev/full', constants.O_WRONLY)
  const child = spawn(process.execPath, program(`if (output.isTerminal) process.exit(7); output.write('x')`), {
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  const ended = new Promise(resolve => child.once('close', resolve))
  if (child.stderr === null) throw new Error('its standard error is no pipe')
  expect(await text(child.stderr)).toMatch(/^error: the output could not be written: ENOSPC.*\n$/)
  expect(await ended).toBe(1)
})
