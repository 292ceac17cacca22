import { Argument, Command as Commander, Option } from 'commander'
import type { Effects } from '../effects.ts'
import { type Catalog, type Command, type CommandEntry, optionName, type Texts } from './command.ts'
import { usage } from './failure.ts'
import { hasColour } from './output.ts'
import type { Parameter } from './parameter.ts'

/** What the command line asks for. */
export interface Request {
  readonly command: Command
  readonly texts: Texts
  /** Texts of the options that every command takes. */
  readonly globals: Texts
}

export interface ParseOptions {
  readonly catalog: Catalog
  readonly globals: Readonly<Record<string, Parameter<unknown>>>
  readonly effects: Pick<Effects, 'stdout' | 'stderr' | 'environment'>
  /** Called with the usage line of the deepest command that was recognised, so that a mistake can be answered with it. */
  readonly onCommand: (usage: string) => void
}

/**
 * Splits the command line into a command and the texts of its arguments and options. Loads the one command that was chosen and
 * no other; help is printed from the catalogue.
 *
 * @throws {CommanderError} for help (exit code 0) and for whatever cannot be read.
 */
export async function parseArguments(argv: readonly string[], options: ParseOptions): Promise<Request> {
  const { catalog, globals, effects, onCommand } = options
  const root = new Commander('hedron')
  const leaves = new Map<Commander, CommandEntry>()
  const chosen: { command: Command; texts: Texts }[] = []

  root
    .description('Analytics from the command line: data models on branches, deployments and queries.')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, subcommandTerm: it => it.name(), commandUsage: usageOf })
    .configureOutput({
      writeOut: text => effects.stdout.write(text),
      writeErr: text => effects.stderr.write(text),
      outputError: () => {},
      getOutHasColors: () => hasColour(effects.stdout, effects.environment),
      getErrHasColors: () => hasColour(effects.stderr, effects.environment),
      getOutHelpWidth: () => effects.stdout.columns ?? 100,
      getErrHelpWidth: () => effects.stderr.columns ?? 100,
    })
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', '\nRun `hedron <command> --help` for one command.')
  for (const [key, parameter] of Object.entries(globals)) root.addOption(optionOf(key, parameter))

  const onChosen = async (_: Commander, subcommand: Commander) => {
    const entry = leaves.get(subcommand)
    if (entry !== undefined) {
      const command = await entry.load()
      declare(subcommand, command)
      subcommand.action(() => {
        chosen.push({ command, texts: textsOf(subcommand, command) })
      })
    }
    onCommand(usageOf(subcommand))
  }

  const add = (parent: Commander, entries: Catalog) => {
    parent.helpCommand(false).hook('preSubcommand', onChosen)
    for (const entry of entries) {
      const child = parent.command(entry.name).description(entry.summary)
      child.aliases([...(entry.aliases ?? [])])
      if ('load' in entry) leaves.set(child, entry)
      else add(child, entry.commands)
    }
  }
  add(root, catalog)

  await root.parseAsync(argv, { from: 'user' })
  const [request] = chosen
  if (request === undefined) throw usage('a command is missing')
  return { ...request, globals: optionTexts(root, globals) }
}

/** `hedron deployments list [options]`, without the aliases. */
const usageOf = (command: Commander): string => `${pathOf(command)} ${command.usage()}`

const pathOf = (command: Commander): string =>
  `${command.parent === null ? '' : `${pathOf(command.parent)} `}${command.name()}`

function declare(target: Commander, command: Command): void {
  for (const [key, { help, presence }] of Object.entries(command.arguments)) {
    const name = optionName(key).slice(2)
    const spelled = { required: `<${name}>`, optional: `[${name}]`, some: `<${name}...>`, repeated: `[${name}...]` }
    target.addArgument(new Argument(spelled[presence], help))
  }
  for (const [key, parameter] of Object.entries(command.options)) target.addOption(optionOf(key, parameter))
  if (command.details !== undefined) target.description(`${target.description()}.\n\n${command.details}`)
  target.addHelpText('after', `\nExamples:\n${command.examples.map(example => `  ${example}`).join('\n')}`)
}

function optionOf(key: string, { help, value, short, presence }: Parameter<unknown>): Option {
  const flags = `${short === undefined ? '' : `-${short}, `}${optionName(key)}${value === undefined ? '' : ` <${value}>`}`
  const option = new Option(flags, presence === 'repeated' ? `${help} (may be repeated)` : help)
  if (value !== undefined) {
    option.argParser<readonly string[] | undefined>((text, previous) => [...(previous ?? []), text])
  }
  return option
}

function textsOf(source: Commander, command: Command): Texts {
  const texts: Record<string, readonly string[]> = optionTexts(source, command.options)
  Object.entries(command.arguments).forEach(([key, { presence }], index) => {
    const many = presence === 'some' || presence === 'repeated'
    texts[key] = many ? source.args.slice(index) : source.args.slice(index, index + 1)
  })
  return texts
}

function optionTexts(source: Commander, options: Command['options']): Record<string, readonly string[]> {
  const texts: Record<string, readonly string[]> = {}
  for (const key of Object.keys(options)) {
    const value: unknown = source.getOptionValue(key)
    if (Array.isArray(value)) texts[key] = value.map(String)
    else if (value === true) texts[key] = ['true']
  }
  return texts
}
