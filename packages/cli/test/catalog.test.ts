import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { catalog } from '../src/catalog.ts'
import { type Catalog, type CommandEntry, leavesOf } from '../src/framework/command.ts'
import { globalParameters } from '../src/framework/global-options.ts'
import { parseArguments } from '../src/framework/program.ts'

/** Every command with the words that lead to it. */
const commands = leavesOf(catalog).map(({ path, entry }): [words: string, entry: CommandEntry] => [
  [...path, entry].map(({ name }) => name).join(' '),
  entry,
])

/** The words of a command line as a shell would see them. */
const words = (line: string): readonly string[] =>
  Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')

const parse = async (line: string) => {
  const [program, ...argv] = words(line)
  expect(program).toBe('hedron')
  const silent = { write: () => {}, isTerminal: false }
  const { command, texts } = await parseArguments(argv, {
    catalog,
    globals: globalParameters,
    effects: { stdout: silent, stderr: silent, environment: {} },
    onCommand: () => {},
  })
  command.prepare(texts)
  return command
}

describe('the examples of', () => {
  test.each(commands)('%s are command lines of it that can be read', async (name, entry) => {
    const command = await entry.load()
    for (const example of command.examples) {
      expect(example).toMatch(new RegExp(`^hedron ${name}( |$)`))
      expect((await parse(example)).examples).toBe(command.examples)
    }
  })
})

test('no two entries answer to one name', () => {
  const groupsOf = (entries: Catalog): readonly Catalog[] => [
    entries,
    ...entries.flatMap(entry => ('load' in entry ? [] : groupsOf(entry.commands))),
  ]
  for (const entries of groupsOf(catalog)) {
    const names = entries.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
  }
})

test('no option of a command hides one that every command takes', async () => {
  const taken = new Set([...Object.keys(globalParameters), 'version', 'help'])
  for (const [name, entry] of commands) {
    const own = Object.keys((await entry.load()).options)
    expect(
      own.filter(key => taken.has(key)),
      name,
    ).toEqual([])
  }
})

describe('docs/cli.md', () => {
  const read = () => readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8')

  test('lists every command once', async () => {
    const rows = (await read()).split('\n').flatMap(line => /^\| `hedron ([^`]*)` \|/.exec(line)?.[1] ?? [])
    const listed = rows.map(row =>
      commands
        .map(([name]) => name)
        .filter(name => `${row} `.startsWith(`${name} `))
        .at(-1),
    )
    expect([...listed].sort()).toEqual(commands.map(([name]) => name).sort())
  })

  test('shows command lines that can be read', async () => {
    const blocks = (await read()).matchAll(/```sh\n([\s\S]*?)```/g)
    const lines = Array.from(blocks, ([, block = '']) => block.split('\n')).flat()
    const examples = lines.filter(line => line.startsWith('hedron ') && !line.includes('|'))
    expect(examples.length).toBeGreaterThan(10)
    for (const example of examples) await parse(example)
  })

  test('gives an example of each command that can be read', async () => {
    const examples = (await read()).split('\n').flatMap(line => /\| `(hedron [^`]*)` \|$/.exec(line)?.[1] ?? [])
    expect(examples).toHaveLength(commands.length)
    for (const example of examples) await parse(example.replaceAll('\\|', '|'))
  })
})
