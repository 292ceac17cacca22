import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface StartOptions {
  /** Of an earlier start, to continue on its data; default: a new temporary one. */
  readonly dataDirectory?: string
  /** Of an earlier start, where the tests run on a PostgreSQL of their own. */
  readonly database?: TestDatabase | null
  readonly environment?: Readonly<Record<string, string>>
  /** Unix user to run as; default: the one who runs the tests. */
  readonly uid?: number
  readonly gid?: number
  /** How long the start may take, in milliseconds; default 60 s. */
  readonly timeout?: number
}

/** The real platform, started as its own process. */
export interface RunningPlatform {
  readonly baseUrl: string
  /** The bootstrap key of an administrator. */
  readonly apiKey: string
  readonly dataDirectory: string
  readonly database: TestDatabase | null
  readonly pid: number
  /** Everything that it printed. */
  output(): string
  /** Ends it cleanly, as an operator would. @returns its exit code. */
  stop(): Promise<number | null>
  /** Ends the process without any warning; what it started lives on. */
  kill(): Promise<void>
  /** Stops it and removes its data. */
  dispose(): Promise<void>
}

/** A platform whose process runs, ready or not. */
export interface LaunchedPlatform extends Omit<RunningPlatform, 'baseUrl'> {
  /** Its exit code; null where a signal ended it. */
  readonly exited: Promise<number | null>
  /** Waits until it says that it is ready. @returns its address. */
  ready(): Promise<string>
}

/** Starts the platform on a free port and waits until it says that it is ready. */
export async function startPlatform(options: StartOptions = {}): Promise<RunningPlatform> {
  const launched = await launchPlatform(options)
  return { ...launched, baseUrl: await launched.ready() }
}

/** Starts the platform's process and waits for nothing. */
export async function launchPlatform(options: StartOptions = {}): Promise<LaunchedPlatform> {
  const dataDirectory = options.dataDirectory ?? (await temporaryDirectory())
  const serverUrl = process.env.HEDRON_TEST_DATABASE_URL
  const database =
    options.database === undefined && serverUrl ? await createTestDatabase(serverUrl) : (options.database ?? null)
  const apiKey = options.environment?.HEDRON_BOOTSTRAP_API_KEY ?? `sk-${randomBytes(24).toString('hex')}`
  const child = spawn(process.execPath, [join(root, 'packages/server/src/main.ts')], {
    cwd: dataDirectory,
    env: {
      PATH: process.env.PATH,
      // Set by `npm test`: what is compiled once need not be again.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HEDRON_PORT: '0',
      HEDRON_DATA_DIR: dataDirectory,
      HEDRON_BOOTSTRAP_API_KEY: apiKey,
      HEDRON_DEMO: '0',
      HEDRON_LOG_LEVEL: 'warn',
      // Tests ask faster than people do; the one of the limit sets it.
      HEDRON_DATA_RATE_LIMIT: '0',
      ...(database === null ? {} : { HEDRON_DATABASE_URL: database.url }),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exited = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))

  const stop = async () => {
    child.kill('SIGTERM')
    return exited
  }
  return {
    apiKey,
    dataDirectory,
    database,
    pid: child.pid ?? 0,
    exited,
    ready: () => untilReady(child, () => output, exited, options.timeout ?? 60_000),
    output: () => output,
    stop,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) await stop()
      await database?.drop()
      if (options.dataDirectory === undefined) await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** An empty directory that any user may enter. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hedron-acceptance-'))
  await chmod(directory, 0o755)
  return directory
}

async function untilReady(
  child: ChildProcess,
  output: () => string,
  exited: Promise<number | null>,
  timeout: number,
): Promise<string> {
  const deadline = Date.now() + timeout
  let code: number | null | undefined
  void exited.then(value => {
    code = value
  })
  for (;;) {
    const [, url] = /is ready at (http:\/\/\S+)/.exec(output()) ?? []
    if (url !== undefined) return url
    if (code !== undefined) throw new Error(`the platform ended with ${code} before it was ready:\n${output()}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`the platform was not ready within ${timeout} ms:\n${output()}`)
    }
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
