import type { Transport } from '@hedron/contract/client'
import type { BuildFacts } from './update/build-facts.ts'

/** Where text goes. Writing never fails from the program's point of view: a closed pipe ends the process quietly. */
export interface Writer {
  write(text: string): void
  readonly isTerminal: boolean
  /** Columns of the terminal, where it is one. */
  readonly columns?: number | undefined
}

/** All that the program touches outside itself, so that tests run it whole and in process. */
export interface Effects {
  readonly fetch: Transport
  readonly stdout: Writer
  readonly stderr: Writer
  /** Everything on the standard input, as text. */
  readonly readInput: () => Promise<string>
  /** Asks a person and gives the line they typed; null where nobody sits at a terminal. */
  readonly ask: (question: string) => Promise<string | null>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homeDirectory: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves after that many milliseconds; rejects with the signal's reason when it is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** A fresh identifier that no other run uses. */
  readonly randomId: () => string
  /** What the binary knows about its build; null where Node runs the sources. */
  readonly build: BuildFacts | null
  /** Path of the program that runs, which is the binary where this is one. */
  readonly executable: string
  /** Starts this program once more, on its own, and does not wait for it. */
  readonly startDetached: (argv: readonly string[]) => void
  /** Opens a page in the person's browser. @returns whether one was started. */
  readonly openBrowser: (url: string) => Promise<boolean>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}
