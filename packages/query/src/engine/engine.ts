import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { problems } from '../query-service-error.ts'
import type { RowSink } from '../shapes/driver.ts'
import type { After } from '../timers.ts'
import { type Asked, createAsked } from './asked.ts'
import { createFrames } from './frames.ts'
import { type EngineAnswer, type EngineNotice, type EngineRequest, tooMuchMemory } from './messages.ts'

/** A process that computes with DuckDB, as the server sees it. */
export interface Engine {
  /**
   * Asks for one thing; the next may be asked when this has settled. An aborted signal stops it, and if that takes longer than a second,
   * ends the process.
   *
   * @param sink takes what the engine gives; needed where it gives rows
   * @throws QueryServiceError as the engine says; `memory_exceeded` or `query_failed` when its process ended; the signal's reason
   */
  ask(request: EngineRequest, signal: AbortSignal, sink?: RowSink): Promise<void>
  /** Whether it can be asked again. */
  readonly isUsable: boolean
  /** Ends the process, whatever it does. Settles when it is gone. */
  end(): Promise<void>
}

export interface EngineOptions {
  readonly after: After
  /** What a computation may take; a data source says so when it is opened. */
  readonly computeBytes: number
  /** What any statement may take. */
  readonly memoryBytes: number
  /** The process is gone, whoever ended it. */
  ended(): void
}

/**
 * Beside DuckDB's memory: what the program has mapped to write when it starts (some 650 MiB, most of it never touched), and room for what
 * is counted late. The process looks at its own memory many times a second; this is for a step that outruns it.
 */
const mappedBytes = 1_536 * 2 ** 20
/** Of what the process says before it ends, in characters. */
const kept = 4_096

const program = fileURLToPath(new URL('./engine-process.ts', import.meta.url))
const shell = '/bin/sh'

export function startEngine({ after, computeBytes, memoryBytes, ended }: EngineOptions): Engine {
  const command = [process.execPath, '--max-old-space-size=512', program, String(computeBytes)]
  const limited = process.platform === 'linux' && existsSync(shell)
  const most = Math.ceil((memoryBytes + mappedBytes) / 1_024)
  const [file = '', ...argv] = limited
    ? // The kernel refuses memory above this, which DuckDB answers with an error. No core dumps: they would hold rows.
      [shell, '-c', `ulimit -c 0; ulimit -d ${most}; exec "$@"`, 'hedron-engine', ...command]
    : command
  const child = spawn(file, argv, {
    cwd: '/',
    // Without the server's environment, which has secrets.
    env: { TZ: 'UTC', UV_THREADPOOL_SIZE: '4' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const { stderr, stdio } = child
  const connection = socketOf(stdio[3])
  const errors = socketOf(stderr)
  let isUsable = true
  let allowedBytes = computeBytes
  let asked: Asked | undefined
  let said = ''
  const over = Promise.withResolvers<void>()

  const { send, sendRows } = createFrames<EngineRequest | EngineNotice, EngineAnswer>(
    connection,
    rows => ({ is: 'rows', rows }),
    answer => asked?.answer(answer),
  )
  errors.on('data', (part: Buffer) => {
    said = (said + part).slice(-kept)
  })
  // What breaks here ends the process, or has ended it, and that is told.
  connection.on('error', end)
  let notStarted: Error | undefined
  child.on('error', error => {
    notStarted = error
    if (child.pid === undefined) gone('it could not be started')
  })
  child.on('exit', () => {
    isUsable = false
  })
  child.on('close', (code, signal) => gone(signal ?? `exit code ${code}`))
  keepAlive(false)

  /** Whether the server may not end by itself now: only while something was asked. */
  function keepAlive(is: boolean): void {
    for (const part of [child, connection, errors]) {
      if (is) part.ref()
      else part.unref()
    }
  }

  function gone(how: string): void {
    isUsable = false
    const isMemory = how === tooMuchMemory || /out of memory|heap limit/i.test(said)
    const cause = notStarted ?? new Error(said.trim() || how)
    asked?.lost(isMemory ? problems.memoryExceeded(allowedBytes, { cause }) : problems.engineLost(how, { cause }))
    ended()
    over.resolve()
  }

  function end(): Promise<void> {
    isUsable = false
    child.kill('SIGKILL')
    keepAlive(true)
    return over.promise
  }

  return {
    async ask(request, signal, sink) {
      signal.throwIfAborted()
      if (!isUsable) throw problems.engineLost('it had ended before', notStarted ? { cause: notStarted } : {})
      const asking = createAsked({ sink, signal, after, send, end })
      asked = asking
      keepAlive(true)
      if (request.do === 'append') sendRows(request.rows, request)
      else send(request)
      try {
        await asking.over
        if (request.do === 'open') allowedBytes = request.limits.memoryBytes
      } finally {
        asked = undefined
        if (isUsable) keepAlive(false)
      }
    },
    get isUsable() {
      return isUsable
    },
    end,
  }
}

/** Pipes of a process are sockets, which can be waited for or not. */
function socketOf(pipe: unknown): Socket {
  if (pipe instanceof Socket) return pipe
  throw new Error('A process was started without its connection')
}
