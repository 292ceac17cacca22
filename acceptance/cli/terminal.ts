import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { eventually } from '../support/api.ts'
import { programOf } from './hedron.ts'

const execute = promisify(execFile)

export const hasTmux = spawnSync('tmux', ['-V']).error === undefined

/** The command line at a terminal, as a person sees it and types. */
export interface Terminal {
  /** Waits until the screen matches. @returns all of it, without colours. */
  shows(pattern: RegExp): Promise<string>
  /** The screen with the sequences that colour it. */
  withColours(): Promise<string>
  type(text: string): Promise<void>
  /** A key by the name that tmux gives it: `Enter`, `C-c`. */
  press(key: string): Promise<void>
  /** Waits until the program has ended. @returns its exit code. */
  exitCode(): Promise<number>
  close(): Promise<void>
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Starts it in tmux, on a server of its own. */
export async function openTerminal(
  socket: string,
  environment: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): Promise<Terminal> {
  const tmux = (...words: readonly string[]) => execute('tmux', ['-S', socket, '-f', '/dev/null', ...words])
  const own = Object.entries({ PATH: process.env.PATH ?? '', TERM: 'screen-256color', ...environment })
  const words = ['env', '-i', ...own.map(([name, value]) => `${name}=${value}`), ...programOf(), ...argv]
  const line = `${words.map(quoted).join(' ')}; echo "[ended with $?]"; exec sleep 600`
  await tmux('new-session', '-d', '-x', '160', '-y', '50', line)
  const screen = async (...options: readonly string[]) => (await tmux('capture-pane', '-p', '-J', ...options)).stdout
  const shows = (pattern: RegExp) =>
    eventually(
      () => screen(),
      text => pattern.test(text),
      30_000,
    )
  return {
    shows,
    withColours: () => screen('-e'),
    type: async text => void (await tmux('send-keys', '-l', text)),
    press: async key => void (await tmux('send-keys', key)),
    exitCode: async () => Number(/\[ended with (\d+)\]/.exec(await shows(/\[ended with \d+\]/))?.[1]),
    close: async () => void (await tmux('kill-server').catch(() => {})),
  }
}
