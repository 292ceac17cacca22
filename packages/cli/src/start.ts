import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { addAbortSignal } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Effects, Writer } from './effects.ts'
import { main } from './main.ts'
import { sendByHttp } from './session/http.ts'
import { buildFacts } from './update/build-facts.ts'

/** What a shell reports for a process that a signal ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const

let endedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | null = null

// No top-level await: the binary is compiled ahead of time, which knows none.
void main(process.argv.slice(2), processEffects()).then(code => {
  // The signal that ended it is what a shell asks for.
  process.exitCode = endedBy === null ? code : exitCodes[endedBy]
})

function processEffects(): Effects {
  const interrupt = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // Once asks for an orderly end; twice is not patient enough for one.
      if (interrupt.signal.aborted) process.exit(exitCodes[name])
      endedBy = name
      interrupt.abort()
    })
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', error => {
      // The reader left, as in `hedron … | head`: there is nobody to tell anything.
      process.exit('code' in error && error.code === 'EPIPE' ? exitCodes.SIGPIPE : 1)
    })
  }
  return {
    fetch: sendByHttp,
    stdout: writer(process.stdout),
    stderr: writer(process.stderr),
    readInput: () => readAll(addAbortSignal(interrupt.signal, process.stdin)),
    ask: question => askPerson(question, interrupt.signal),
    environment: process.env,
    platform: process.platform,
    homeDirectory: homedir(),
    now: () => Date.now(),
    sleep: (milliseconds, signal) => delay(milliseconds, undefined, signal === undefined ? {} : { signal }),
    randomId: () => randomUUID(),
    build: buildFacts,
    executable: process.execPath,
    startDetached,
    openBrowser: async url => (await import('./session/open-browser.ts')).openBrowser(url, process.platform),
    signal: interrupt.signal,
  }
}

function startDetached(argv: readonly string[]): void {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(process.execPath, argv, { detached: true, stdio: 'ignore', windowsHide: true })
  // What it is started for is a courtesy; that it cannot be started is no failure of the command.
  child.on('error', () => {})
  child.unref()
}

function writer(stream: NodeJS.WriteStream): Writer {
  return {
    write: text => {
      stream.write(text)
    },
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
  }
}

async function askPerson(question: string, signal: AbortSignal): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // While it asks, readline takes Ctrl-C for itself.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await lines.question(question, { signal })
  } finally {
    lines.close()
  }
}
