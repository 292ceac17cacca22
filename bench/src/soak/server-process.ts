import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, freePort } from '../support/http.ts'
import { serverProgram } from '../support/paths.ts'
import { end, type Scope } from '../support/scope.ts'

/** The platform's own process, with its debugger's port open so that garbage can be collected and counted. */
export interface ServerProcess {
  readonly baseUrl: string
  readonly apiKey: string
  readonly pid: number
  readonly inspectorUrl: string
  /** Everything that it logged, a JSON record a line. */
  log(): readonly string[]
  isRunning(): boolean
  /** Asks it to end. @returns its exit code; null where a signal ended it */
  stop(): Promise<number | null>
}

const longestStart = 120_000

/** Starts the platform as `npm start` does, in a new data directory, with the demo. */
export async function startServerProcess(scope: Scope): Promise<ServerProcess> {
  const [port, dataDirectory] = [await freePort(), await scope.folder()]
  const baseUrl = `http://127.0.0.1:${port}`
  const apiKey = `sk-${randomBytes(24).toString('hex')}`
  let output = ''
  const child = scope.start(process.execPath, ['--inspect=127.0.0.1:0', serverProgram], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: dataDirectory,
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      HEDRON_PORT: String(port),
      HEDRON_DATA_DIR: dataDirectory,
      HEDRON_BOOTSTRAP_API_KEY: apiKey,
      HEDRON_DATA_RATE_LIMIT: '0',
      HEDRON_CONTINUE_WAIT_SECONDS: '1',
      HEDRON_SQL_PORT: '0',
      HEDRON_LOG_LEVEL: 'warn',
      HEDRON_LOG_FORMAT: 'json',
    },
    // A process group of its own: Ctrl-C is for the soak, which ends what it started in order.
    detached: true,
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const isRunning = () => child.exitCode === null && child.signalCode === null && child.pid !== undefined

  const deadline = performance.now() + longestStart
  const isReady = () =>
    exchange('GET', `${baseUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    if (!isRunning() || performance.now() > deadline) throw new Error(`the platform is not ready:\n${output}`)
    await sleep(50)
  }
  const [, inspectorUrl] = /Debugger listening on (ws:\S+)/.exec(output) ?? []
  if (inspectorUrl === undefined) throw new Error(`the debugger's port is not open:\n${output}`)
  return {
    baseUrl,
    apiKey,
    pid: child.pid ?? 0,
    inspectorUrl,
    log: () => output.split('\n').filter(line => line.startsWith('{')),
    isRunning,
    async stop() {
      await end(
        child,
        exited.then(() => {}),
      )
      return exited
    },
  }
}
