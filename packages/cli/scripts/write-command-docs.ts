/** Writes the tables of commands in docs/cli.md from the catalogue: `node packages/cli/scripts/write-command-docs.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { catalog } from '../src/catalog.ts'
import { type CommandEntry, type GroupEntry, leavesOf, optionName } from '../src/framework/command.ts'

const path = new URL('../../../docs/cli.md', import.meta.url)
const heading = '### Single commands'

const rows = await Promise.all(
  leavesOf(catalog).map(async leaf => ({ ...leaf, row: await rowOf(leaf.path, leaf.entry) })),
)
const single = rows.filter(leaf => leaf.path.length === 0)
const groups = catalog.flatMap(entry => ('load' in entry ? [] : [entry]))
const sections = groups.map(group => {
  const aliases = (group.aliases ?? []).map(alias => `\`${alias}\``).join(', ')
  const title = `### ${group.name}${aliases === '' ? '' : ` (also ${aliases})`}`
  return [title, '', `${group.summary}.`, '', ...tableOf(rows.filter(({ path: [first] }) => first === group)), ''].join(
    '\n',
  )
})
const text = readFileSync(path, 'utf8')
const before = text.slice(0, text.indexOf(heading))
writeFileSync(
  path,
  `${before}${heading}\n\n${tableOf(single).join('\n')}\n\n${sections.join('\n')}`.trimEnd().concat('\n'),
)

function tableOf(leaves: readonly { readonly row: string }[]): readonly string[] {
  return ['| command | what it does | example |', '|---|---|---|', ...leaves.map(({ row }) => row)]
}

async function rowOf(above: readonly GroupEntry[], entry: CommandEntry): Promise<string> {
  const command = await entry.load()
  const words = Object.entries(command.arguments).map(([key, { presence }]) => {
    const name = optionName(key).slice(2)
    return { required: ` <${name}>`, optional: ` [${name}]`, some: ` <${name}>…`, repeated: ` [${name}]…` }[presence]
  })
  const names = ['hedron', ...above.map(({ name }) => name), entry.name].join(' ')
  const example = (command.examples[0] ?? '').replaceAll('|', '\\|')
  return `| \`${names}${words.join('')}\` | ${entry.summary} | \`${example}\` |`
}
