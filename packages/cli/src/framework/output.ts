import type { Effects, Writer } from '../effects.ts'
import { formatDocument } from './json.ts'
import { type Column, tableLines } from './table.ts'
import { printable, withoutSteering } from './text.ts'

const codes = { bold: 1, dim: 2, red: 31, green: 32, cyan: 36 } as const
export type Style = keyof typeof codes
const allStyles = [0, ...Object.values(codes)].map(code => `\u001b[${code}m`)

/**
 * What a command has to say. Results go to the standard output, everything else to the standard error. Text may be a server's:
 * whatever could steer a terminal is left out of it here, for all commands.
 */
export interface Output {
  /** Whether `--json` was given. */
  readonly json: boolean
  /** One JSON document with sorted keys. */
  document(value: unknown): void
  /** One line of the result. */
  line(text: string): void
  /** Text of the result exactly as it is, without a newline of its own; on a terminal without what would steer that. */
  exact(text: string): void
  /** Text for the standard output in a style, where that has colour. */
  paint(style: Style, text: string): string
  /** One line that says that something was done. */
  success(text: string): void
  table(columns: readonly Column[], rows: readonly unknown[]): void
  /** One line for the person who waits, outside the result. */
  progress(text: string, style?: Style): void
  /** The command that usually comes next, for a person at a terminal; programs are told nothing. */
  next(commandLine: string): void
  /** One line that says why the run failed. */
  failure(text: string): void
  /** The document with `--json`, and what `describe` prints without. */
  result(document: unknown, describe: () => void): void
}

/** Whether colour may be written: a terminal that has some, and nobody objected (https://no-color.org). */
export const hasColour = (writer: Writer, environment: Effects['environment']): boolean =>
  writer.isTerminal && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb'

export function createOutput({ stdout, stderr, environment }: Effects, json: boolean): Output {
  const printer = (writer: Writer) => {
    const colour = hasColour(writer, environment)
    return {
      paint: (style: Style, text: string) =>
        colour ? `\u001b[${codes[style]}m${printable(text)}\u001b[0m` : printable(text),
      write: (text: string) => writer.write(colour ? withoutSteering(text, allStyles) : printable(text)),
    }
  }
  const { paint, write } = printer(stdout)
  const { paint: paintError, write: writeError } = printer(stderr)
  const document = (value: unknown) => write(`${formatDocument(value)}\n`)
  return {
    json,
    paint,
    document,
    line: text => write(`${text}\n`),
    exact: text => (stdout.isTerminal ? write(text) : stdout.write(text)),
    success: text => write(`${paint('green', '✓')} ${text}\n`),
    table(columns, rows) {
      if (rows.length === 0) {
        writeError(`${paintError('dim', 'No results')}\n`)
        return
      }
      const { header, body } = tableLines(columns, rows)
      write(`${[paint('bold', header), ...body].join('\n')}\n`)
    },
    progress: (text, style) => writeError(`${style === undefined ? text : paintError(style, text)}\n`),
    next(commandLine) {
      if (!json && stderr.isTerminal) writeError(`${paintError('dim', `Next: ${commandLine}`)}\n`)
    },
    failure: text => writeError(`${paintError('red', 'error:')} ${text}\n`),
    result: (value, describe) => (json ? document(value) : describe()),
  }
}
