import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ProgramLimits, runProgram } from '../../src/dbt/run-program.ts'
import { untilGone, useFolder } from './fake-program.ts'

const bench = useFolder()
const usual: ProgramLimits = { milliseconds: 20_000, memoryBytes: 2 ** 32 }

const run = (program: string, argv: readonly string[] = [], limits = usual, signal = new AbortController().signal) =>
  runProgram(program, argv, { folder: bench.folder, home: bench.folder, environment: { OWN: 'yes' }, signal, limits })

const pidIn = async (name: string) => Number(await readFile(join(bench.folder, name), 'utf8'))

test('arguments arrive as they are, with an environment of its own and nothing of the server', async () => {
  process.env.HEDRON_TEST_SECRET = 'secret'
  const program = await bench.program('args', 'printf "<%s>" "$@"; pwd; env; cat')
  const argv = ['a b', '', '$(id)', "'; exit 9"]
  const { code, output } = (await run(program, argv)) ?? { code: null, output: '' }
  delete process.env.HEDRON_TEST_SECRET
  expect(code).toBe(0)
  expect(output).toContain(argv.map(text => `<${text}>`).join(''))
  expect(output).toContain('OWN=yes')
  expect(output).toContain(`HOME=${bench.folder}`)
  expect(output).toContain(`TMPDIR=${bench.folder}`)
  expect(output).not.toContain('HEDRON')
})

test('exit codes are told, and a program that is not there is none', async () => {
  expect(await run(await bench.program('fails', 'echo why >&2; exit 3'))).toEqual({ code: 3, output: 'why\n' })
  expect(await run('no-such-program-of-hedron')).toBeNull()
})

test('what takes too long is stopped, with all that it started', async () => {
  const program = await bench.program('hangs', 'sleep 60 & echo $! > started; sleep 60')
  await expect(run(program, [], { ...usual, milliseconds: 500 })).rejects.toThrow(
    'took longer than 1 s and was stopped',
  )
  expect(await untilGone(await pidIn('started'))).toBe(true)
})

test('what is no longer wanted is stopped', async () => {
  const controller = new AbortController()
  const program = await bench.program('waits', 'sleep 60')
  const ended = run(program, [], usual, controller.signal)
  setTimeout(() => controller.abort(new Error('cancelled')), 200)
  await expect(ended).rejects.toThrow('cancelled')
})

test('what it leaves behind ends with it, and holds up nothing', async () => {
  const program = await bench.program('leaves', 'sleep 60 & echo $! > left; setsid sleep 20 & echo done')
  const start = Date.now()
  expect(await run(program)).toEqual({ code: 0, output: 'done\n' })
  expect(Date.now() - start).toBeLessThan(18_000)
  expect(await untilGone(await pidIn('left'))).toBe(true)
})

test('a flood is stopped, and of much output the end is kept', async () => {
  await expect(run(await bench.program('floods', 'exec yes'))).rejects.toThrow('printed more than 16 MiB')
  const much = await run(await bench.program('talks', 'head -c 1000000 /dev/zero | tr "\\0" x; echo; echo the end'))
  expect(much?.output).toHaveLength(64 * 1024)
  expect(much?.output).toMatch(/x\nthe end\n$/)
})

test.runIf(process.platform === 'linux')('memory has an end', async () => {
  const program = await bench.program('grows', `exec ${process.execPath} -e 'Buffer.alloc(1e9)'`)
  const grown = await run(program, [], { ...usual, memoryBytes: 256 * 2 ** 20 })
  expect(grown?.code).not.toBe(0)
})

test('it does not outlive the server, even one that is killed', async () => {
  const program = await bench.program('lives', 'echo $$ > living; sleep 60')
  const server = join(bench.folder, 'server.ts')
  const module = new URL('../../src/dbt/run-program.ts', import.meta.url).href
  await writeFile(
    server,
    `import { runProgram } from ${JSON.stringify(module)}
     await runProgram(${JSON.stringify(program)}, [], {
       folder: ${JSON.stringify(bench.folder)}, home: '/', environment: {},
       signal: new AbortController().signal, limits: { milliseconds: 60_000, memoryBytes: 2 ** 32 },
     })`,
  )
  const child = spawn(process.execPath, [server], { stdio: 'ignore' })
  const pid = await eventually(() => pidIn('living').catch(() => 0))
  child.kill('SIGKILL')
  expect(await untilGone(pid)).toBe(true)
})

async function eventually(read: () => Promise<number>): Promise<number> {
  for (let count = 0; count < 400; count += 1) {
    const value = await read()
    if (value > 0) return value
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  throw new Error('it did not start')
}
