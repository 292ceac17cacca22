import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Effects } from '../../src/effects.ts'
import { main } from '../../src/main.ts'
import { sendByHttp } from '../../src/session/http.ts'
import type { BuildFacts } from '../../src/update/build-facts.ts'
import { type FixtureServer, startFixtureServer } from './fixture-server.ts'

export interface RunResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Milliseconds that the program believed to sleep, one entry a pause. */
  readonly sleeps: readonly number[]
  /** Pages that were opened in the browser. */
  readonly opened: readonly string[]
  /** Origins that it asked, each once. */
  readonly origins: ReadonlySet<string>
  /** Command lines that it started on their own. */
  readonly detached: readonly (readonly string[])[]
}

export interface RunOptions {
  /** Not logged in: neither HEDRON_API_URL nor HEDRON_API_KEY is set. */
  readonly anonymous?: boolean
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** Lines a person types when asked; without it there is no terminal to ask on. */
  readonly answers?: readonly string[]
  readonly terminal?: boolean
  /** Whether there is a browser to open. */
  readonly browser?: boolean
  readonly platform?: NodeJS.Platform
  readonly signal?: AbortSignal
  readonly build?: BuildFacts
  readonly executable?: string
}

export interface Bench {
  readonly server: FixtureServer
  /** A fresh folder; the configuration is below `config`. */
  readonly folder: string
  readonly configPath: string
  /** Runs one command line in process, against the fixture server, with a clock that moves only while the program sleeps. */
  run(argv: readonly string[], options?: RunOptions): Promise<RunResult>
}

export const apiKey = 'sk-test-0123456789abcdef'

/** Sets up a server and a folder before each test of the file and takes them down afterwards. */
export function useBench(): Bench {
  let server: FixtureServer | undefined
  let folder = ''
  let counter = 0
  beforeEach(async () => {
    server = await startFixtureServer()
    folder = await mkdtemp(join(tmpdir(), 'hedron-cli-'))
  })
  afterEach(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })
  const started = () => {
    if (server === undefined) throw new Error('the bench is used outside a test')
    return server
  }
  return {
    get server() {
      return started()
    },
    get folder() {
      return folder
    },
    get configPath() {
      return join(folder, 'config', 'hedron', 'config.toml')
    },
    async run(argv, options = {}) {
      const stdout: string[] = []
      const stderr: string[] = []
      let now = Date.now()
      const sleeps: number[] = []
      const detached: (readonly string[])[] = []
      const opened: string[] = []
      const origins = new Set<string>()
      const answers = [...(options.answers ?? [])]
      const isTerminal = options.terminal ?? false
      const effects: Effects = {
        fetch: (url, request) => {
          origins.add(new URL(url).origin)
          return sendByHttp(url, request)
        },
        stdout: { write: text => stdout.push(text), isTerminal },
        stderr: { write: text => stderr.push(text), isTerminal },
        readInput: async () => options.input ?? '',
        ask: async question => {
          if (options.answers === undefined) return null
          stderr.push(question)
          return answers.shift() ?? ''
        },
        environment: {
          XDG_CONFIG_HOME: join(folder, 'config'),
          ...(options.anonymous ? {} : { HEDRON_API_URL: started().url, HEDRON_API_KEY: apiKey }),
          ...options.environment,
        },
        platform: options.platform ?? 'linux',
        homeDirectory: folder,
        now: () => now,
        sleep: async (milliseconds, signal) => {
          signal?.throwIfAborted()
          sleeps.push(milliseconds)
          now += milliseconds
          await new Promise(resolve => setTimeout(resolve, 1))
        },
        randomId: () => `id-${++counter}`,
        build: options.build ?? null,
        executable: options.executable ?? process.execPath,
        startDetached: argv => detached.push(argv),
        openBrowser: async url => {
          opened.push(url)
          return options.browser ?? false
        },
        signal: options.signal ?? new AbortController().signal,
      }
      const exitCode = await main(argv, effects)
      return { exitCode, stdout: stdout.join(''), stderr: stderr.join(''), sleeps, detached, opened, origins }
    },
  }
}
