import type { Effects } from '../effects.ts'
import type { Session } from '../session/session.ts'
import { usage } from './failure.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Output } from './output.ts'
import type { Parameters, ValuesOf } from './parameter.ts'
import { shellQuote } from './text.ts'

/** What a command gets beside its own arguments. */
export interface Context {
  readonly effects: Effects
  readonly output: Output
  readonly catalog: Catalog
  readonly globals: GlobalOptions
  /**
   * The server and the credential to use. Nothing is sent by this alone.
   *
   * @param signal ends its requests; Ctrl-C when omitted.
   * @throws {Failure} `not_logged_in`
   */
  session(signal?: AbortSignal): Promise<Session>
}

interface CommandSpec<A extends Parameters, O extends Parameters> {
  /** More than the summary says, for its own help. */
  readonly details?: string
  readonly examples: readonly [string, ...string[]]
  readonly arguments: A
  readonly options: O
  /** Options of which only one may be given. */
  readonly exclusive?: readonly (readonly (keyof O & string)[])[]
  /** Rules between arguments that hold before anything is read or sent. @throws {Failure} `usage` */
  readonly check?: (input: ValuesOf<A> & ValuesOf<O>) => void
  readonly run: (input: ValuesOf<A> & ValuesOf<O>, context: Context) => Promise<void>
  /** The command that usually comes next, after success; null where none does. `quote` makes a value one word of a shell. */
  readonly next?: (input: ValuesOf<A> & ValuesOf<O>, quote: Quote) => string | null
}

export type Quote = (value: string) => string

/** The texts that were given for each parameter. */
export type Texts = Readonly<Record<string, readonly string[]>>

/** A command as the framework runs it. Its name and summary stand in the catalogue, which help reads without loading it. */
export interface Command {
  readonly details: string | undefined
  readonly examples: readonly string[]
  readonly arguments: Parameters
  readonly options: Parameters
  /** Reads and checks all texts. @throws {Failure} `usage` */
  readonly prepare: (texts: Texts) => (context: Context) => Promise<void>
}

export interface CommandEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly load: () => Promise<Command>
}

export interface GroupEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  /** Commands, and groups of their own. */
  readonly commands: Catalog
}

export type Catalog = readonly (CommandEntry | GroupEntry)[]

/** Every command below, with the entries that lead to it. */
export const leavesOf = (
  catalog: Catalog,
  above: readonly GroupEntry[] = [],
): readonly { readonly path: readonly GroupEntry[]; readonly entry: CommandEntry }[] =>
  catalog.flatMap(entry => ('load' in entry ? [{ path: above, entry }] : leavesOf(entry.commands, [...above, entry])))

/** `--dry-run` for `dryRun`. */
export const optionName = (key: string): string => `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

export const argumentName = (key: string): string => `<${optionName(key).slice(2)}>`

export const quoteFor =
  ({ effects }: Pick<Context, 'effects'>): Quote =>
  value =>
    shellQuote(value, effects.platform)

/** Makes a command of its parts; `run` gets every value with the type that its parameter reads. */
export function command<A extends Parameters, O extends Parameters>(spec: CommandSpec<A, O>): Command {
  const { details, examples, arguments: args, options, exclusive = [] } = spec
  return {
    details,
    examples,
    arguments: args,
    options,
    prepare(texts) {
      for (const names of exclusive) {
        const given = names.filter(name => (texts[name] ?? []).length > 0)
        if (given.length > 1) throw usage(`${given.map(optionName).join(' and ')} cannot be used together`)
      }
      // Each key's value comes from the parameter of that key, which is what the mapped type says.
      const input = Object.fromEntries([
        ...Object.entries(args).map(([key, it]) => [key, it.read(texts[key] ?? [], argumentName(key))]),
        ...Object.entries(options).map(([key, it]) => [key, it.read(texts[key] ?? [], optionName(key))]),
      ]) as ValuesOf<A> & ValuesOf<O>
      spec.check?.(input)
      return async context => {
        await spec.run(input, context)
        const next = spec.next?.(input, quoteFor(context)) ?? null
        if (next !== null) context.output.next(next)
      }
    },
  }
}
