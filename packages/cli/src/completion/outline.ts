import { type Catalog, type CommandEntry, optionName } from '../framework/command.ts'
import type { Parameters } from '../framework/parameter.ts'

/** What a shell can offer at one place of the command line. */
export interface Place {
  /** Names of the commands that lead here, aliases as alternatives: `[['deployments', 'deployment'], ['list', 'ls']]`. */
  readonly path: readonly (readonly string[])[]
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletedOption[]
}

export interface CompletedOption {
  /** `--data`, and `-d` where there is a short form. */
  readonly names: readonly string[]
  readonly help: string
  readonly takesValue: boolean
}

/** Every place of the command line: the beginning, each group, each command. Loads all commands. */
export async function outline(catalog: Catalog, globals: Parameters): Promise<readonly Place[]> {
  const names = ({ name, aliases = [] }: { name: string; aliases?: readonly string[] }) => [name, ...aliases]
  const leaf = async (path: Place['path'], entry: CommandEntry): Promise<Place> => ({
    path,
    commands: [],
    options: completedOptions((await entry.load()).options),
  })
  const placesOf = async (entries: Catalog, above: Place['path']): Promise<readonly Place[]> => {
    const places = entries.map(async entry => {
      const path = [...above, names(entry)]
      if ('load' in entry) return [await leaf(path, entry)]
      const group = { path, commands: summaries(entry.commands), options: [] }
      return [group, ...(await placesOf(entry.commands, path))]
    })
    return (await Promise.all(places)).flat()
  }
  const below = await placesOf(catalog, [])
  return [{ path: [], commands: summaries(catalog), options: completedOptions(globals) }, ...below]
}

const summaries = (entries: readonly { readonly name: string; readonly summary: string }[]): Place['commands'] =>
  entries.map(({ name, summary }) => ({ name, summary }))

const completedOptions = (parameters: Parameters): readonly CompletedOption[] =>
  Object.entries(parameters).map(([key, { help, short, value }]) => ({
    names: [optionName(key), ...(short === undefined ? [] : [`-${short}`])],
    help,
    takesValue: value !== undefined,
  }))
