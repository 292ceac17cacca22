import {
  argumentName,
  type Catalog,
  type CommandEntry,
  type GroupEntry,
  leavesOf,
  optionName,
} from '../framework/command.ts'
import type { Parameter, Parameters } from '../framework/parameter.ts'

/** A page of the manual in the language of man(7). */
export interface ManualPage {
  /** As in `hedron-data-model-get.1`. */
  readonly fileName: string
  readonly text: string
}

/** A page of the whole and one for each command, from what help is made of. */
export async function manualPages(
  catalog: Catalog,
  globals: Parameters,
  version: string,
): Promise<readonly ManualPage[]> {
  const leaves = leavesOf(catalog)
  const commands = leaves.map(({ path, entry }) => ({ words: wordsOf(path, entry), summary: entry.summary }))
  const whole = [
    ...heading(['hedron'], 'the command line of Hedron', version),
    '.SH SYNOPSIS',
    '.B hedron',
    '.I command',
    '[options]',
    '.SH COMMANDS',
    ...commands.flatMap(({ words, summary }) => ['.TP', bold(words.join(' ')), escaped(summary)]),
    '.SH OPTIONS',
    ...optionLines(globals),
    '.SH EXIT STATUS',
    ...['0', 'success', '1', 'a failure at run time', '2', 'arguments that cannot be read'].map((line, index) =>
      index % 2 === 0 ? `.TP\n.B ${line}` : line,
    ),
  ]
  const pages = await Promise.all(
    leaves.map(({ path, entry }) => pageOf(wordsOf(path, entry), entry, globals, version)),
  )
  return [{ fileName: 'hedron.1', text: `${whole.join('\n')}\n` }, ...pages]
}

async function pageOf(
  words: readonly string[],
  entry: CommandEntry,
  globals: Parameters,
  version: string,
): Promise<ManualPage> {
  const { details, examples, arguments: args, options } = await entry.load()
  const named = Object.entries(args)
  const lines = [
    ...heading(['hedron', ...words], entry.summary, version),
    '.SH SYNOPSIS',
    `${bold(['hedron', ...words].join(' '))} ${named.map(([key, it]) => spelled(key, it)).join(' ')} [options]`,
    ...(details === undefined ? [] : ['.SH DESCRIPTION', escaped(details)]),
    ...(named.length === 0 ? [] : ['.SH ARGUMENTS']),
    ...named.flatMap(([key, { help }]) => ['.TP', bold(argumentName(key)), escaped(help)]),
    '.SH OPTIONS',
    ...optionLines({ ...options, ...globals }),
    '.SH EXAMPLES',
    '.nf',
    ...examples.map(escaped),
    '.fi',
    '.SH SEE ALSO',
    '.BR hedron (1)',
  ]
  return { fileName: `hedron-${words.join('-')}.1`, text: `${lines.join('\n')}\n` }
}

const wordsOf = (path: readonly GroupEntry[], entry: CommandEntry): readonly string[] =>
  [...path, entry].map(({ name }) => name)

const heading = (words: readonly string[], summary: string, version: string): readonly string[] => [
  `.TH ${words.join('-').toUpperCase()} 1 "" "hedron ${version}"`,
  '.SH NAME',
  `${words.join('-').replaceAll('-', '\\-')} \\- ${escaped(summary)}`,
]

const optionLines = (options: Parameters): readonly string[] =>
  Object.entries(options).flatMap(([key, { help, short, value }]) => {
    const names = [...(short === undefined ? [] : [`-${short}`]), optionName(key)].map(bold).join(', ')
    return ['.TP', `${names}${value === undefined ? '' : ` \\fI${escaped(value)}\\fR`}`, escaped(help)]
  })

function spelled(key: string, { presence }: Parameter<unknown>): string {
  const name = `\\fI${optionName(key).slice(2)}\\fR`
  return { required: name, optional: `[${name}]`, some: `${name}...`, repeated: `[${name}...]` }[presence]
}

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`

/** A backslash begins a command of the language, a hyphen is not a minus, and a dot or quote at the start of a line is a request. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/\n\n+/g, '\n.PP\n')
