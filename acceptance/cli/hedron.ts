import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { eventually } from '../support/api.ts'

/** The binary where HEDRON_TEST_CLI names one (scripts/build-cli.ts), else the sources on Node. */
export const programOf = (binary = process.env.HEDRON_TEST_CLI ?? ''): readonly [string, ...string[]] =>
  binary === ''
    ? [process.execPath, fileURLToPath(new URL('../../packages/cli/bin/hedron.js', import.meta.url))]
    : [binary]

export interface Run {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The command line while it runs. */
export interface RunningHedron {
  /** Waits until what it printed matches, on either output. @returns the first group. */
  said(pattern: RegExp): Promise<string>
  readonly ended: Promise<Run>
}

/** The command line as a person has it: the real program, with a home of its own. */
export interface Hedron {
  /** Folder for the files of a test. */
  readonly folder: string
  run(...argv: readonly string[]): Promise<Run>
  /** Starts it and lets the test act meanwhile. */
  start(...argv: readonly string[]): RunningHedron
  /** Runs and wants success. @returns the standard output. */
  succeed(...argv: readonly string[]): Promise<string>
  /** Runs with `--json` and wants success. @returns the document. */
  json(...argv: readonly string[]): Promise<unknown>
  dispose(): Promise<void>
}

/** @param credentials Set as environment variables; left out, the program knows no server. */
export async function createHedron(credentials?: { baseUrl: string; apiKey: string }): Promise<Hedron> {
  const folder = await mkdtemp(join(tmpdir(), 'hedron-cli-acceptance-'))
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    // Set by `npm test`; the binary has its code compiled already.
    NODE_COMPILE_CACHE: process.env.HEDRON_TEST_CLI ? undefined : process.env.NODE_COMPILE_CACHE,
    ...(credentials === undefined ? {} : { HEDRON_API_URL: credentials.baseUrl, HEDRON_API_KEY: credentials.apiKey }),
  }
  const start: Hedron['start'] = (...argv) => {
    const [program, ...leading] = programOf()
    const child = spawn(program, [...leading, ...argv], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
      })
    }
    const exited = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
    const ended = Promise.all([text(child.stdout), text(child.stderr), exited]).then(([stdout, stderr, exitCode]) => ({
      exitCode,
      stdout,
      stderr,
    }))
    return {
      ended,
      said: async pattern => {
        const found = await eventually(
          async () => pattern.exec(printed),
          match => match !== null || child.exitCode !== null,
        )
        if (found === null) throw new Error(`it ended without saying ${pattern}: ${printed}`)
        return found[1] ?? ''
      },
    }
  }
  const run: Hedron['run'] = async (...argv) => start(...argv).ended
  const succeed: Hedron['succeed'] = async (...argv) => {
    const { exitCode, stdout, stderr } = await run(...argv)
    if (exitCode !== 0) throw new Error(`hedron ${argv.join(' ')} ended with ${exitCode}: ${stderr}`)
    return stdout
  }
  return {
    folder,
    run,
    start,
    succeed,
    json: async (...argv) => JSON.parse(await succeed(...argv, '--json')),
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}
