import type { Client } from '@hedron/contract/client'
import type { Effects } from '../../effects.ts'
import { type Command, type Context, command, type Quote, quoteFor } from '../../framework/command.ts'
import { displayValue, fieldOf } from '../../framework/json.ts'
import { flag, type Parameters, type ValuesOf } from '../../framework/parameter.ts'
import type { Session } from '../../session/session.ts'
import { confirmIfPresent } from './confirm.ts'

interface Exchange<A extends Parameters, O extends Parameters> {
  readonly details?: string
  readonly examples: readonly [string, ...string[]]
  readonly arguments: A
  readonly options: O
  readonly check?: (input: ValuesOf<A> & ValuesOf<O>) => void
  /** Sends the request. */
  readonly send: (
    session: Session,
    input: ValuesOf<A> & ValuesOf<O>,
    effects: Pick<Effects, 'readInput'>,
  ) => Promise<unknown>
  /** The command that usually comes next, which the answer may name. */
  readonly next?: (input: ValuesOf<A> & ValuesOf<O>, answer: unknown, quote: Quote) => string | null
}

/** A command that sends one request and prints the answer, whatever `--json` says. */
export const exchange = <A extends Parameters, O extends Parameters>({
  send,
  next,
  ...spec
}: Exchange<A, O>): Command =>
  command({
    ...spec,
    run: async (input, context) => {
      const { effects, output, session } = context
      const answer = await send(await session(), input, effects)
      output.document(answer)
      suggest(context, next?.(input, answer, quoteFor(context)))
    },
  })

function suggest({ output }: Pick<Context, 'output'>, next: string | null | undefined): void {
  if (next !== null && next !== undefined) output.next(next)
}

/** An exchange that has something to say in one sentence; `--json` prints the answer instead. */
export const action = <A extends Parameters, O extends Parameters>({
  send,
  done,
  next,
  ...spec
}: Exchange<A, O> & { readonly done: (input: ValuesOf<A> & ValuesOf<O>) => string }): Command =>
  command({
    ...spec,
    run: async (input, context) => {
      const { effects, output, session } = context
      const answer = await send(await session(), input, effects)
      output.result(answer ?? { success: true }, () => output.success(done(input)))
      suggest(context, next?.(input, answer, quoteFor(context)))
    },
  })

interface Deletion<A extends Parameters> {
  readonly details?: string
  readonly examples: readonly [string, ...string[]]
  readonly arguments: A
  /** What is deleted, as in `folder 3`. */
  readonly what: (input: ValuesOf<A>) => string
  readonly send: (client: Client, input: ValuesOf<A>) => Promise<unknown>
  /** The command that usually comes next: a list of what is left. */
  readonly next?: (input: ValuesOf<A>, quote: Quote) => string | null
}

/** A command that deletes one thing: a person at a terminal is asked first, a script is not. */
export const deletion = <A extends Parameters>({ what, send, next, ...spec }: Deletion<A>): Command =>
  command({
    ...spec,
    options: { yes: flag('do not ask') },
    next: (input, quote) => next?.(input, quote) ?? null,
    run: async (input, { effects, output, session }) => {
      const { client } = await session()
      if (!input.yes) await confirmIfPresent(effects, `delete ${what(input)}`)
      const answer = await send(client, input)
      output.result(answer ?? { success: true }, () => output.success(`Deleted ${what(input)}`))
    },
  })

/** A field of an answer as one word of a command; null where it is not there. */
export const wordAt = (answer: unknown, field: string): string | null => {
  const text = displayValue(fieldOf(answer, field))
  return /^[\w.-]+$/.test(text) ? text : null
}

/** The fields that were given. */
export const given = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  // What is undefined was not given, which is what the type says.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
