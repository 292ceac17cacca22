import { homedir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Effects } from './effects.ts'
import { main } from './main.ts'
import { sendRequest } from './session/http.ts'
import { standardOutput } from './standard-output.ts'
import { buildFacts } from './update/build-facts.ts'

/** What a shell reports for a process that a signal ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

let endedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | null = null

if (process.platform === 'win32' && buildFacts !== null) {
  void import('./update/replace-program.ts').then(({ removeReplaced }) => removeReplaced(process.execPath))
}

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
  return {
    fetch: sendRequest,
    stdout: standardOutput(1),
    stderr: standardOutput(2),
    readInput: () => readInput(interrupt.signal),
    ask: question => askPerson(question, interrupt.signal),
    environment: process.env,
    platform: process.platform,
    homeDirectory: homedir(),
    now: () => Date.now(),
    sleep: (milliseconds, signal) => delay(milliseconds, undefined, signal === undefined ? {} : { signal }),
    randomId: () => process.getBuiltinModule('node:crypto').randomUUID(),
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

async function readInput(signal: AbortSignal): Promise<string> {
  const { addAbortSignal } = process.getBuiltinModule('node:stream')
  return process.getBuiltinModule('node:stream/consumers').text(addAbortSignal(signal, process.stdin))
}

async function askPerson(question: string, signal: AbortSignal): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // While it asks, readline takes Ctrl-C for itself.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  // Ctrl-D ends the input and with it the question: it is answered with nothing. What is said next begins a line.
  const ended = new Promise<null>(resolve => lines.once('close', () => resolve(null)))
  const answered = lines.question(question, { signal }).catch(error => {
    if (!signal.aborted) return null
    process.stderr.write('\n')
    throw error
  })
  try {
    const answer = await Promise.race([answered, ended])
    if (answer === null) process.stderr.write('\n')
    return answer ?? ''
  } finally {
    lines.close()
  }
}
