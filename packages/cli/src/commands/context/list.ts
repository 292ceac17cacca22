import { command } from '../../framework/command.ts'
import { fieldOf } from '../../framework/json.ts'
import { column } from '../../framework/table.ts'
import { readConfig } from '../../session/config-file.ts'

export const listContexts = command({
  examples: ['hedron context list'],
  arguments: {},
  options: {},
  async run(_, { effects, output }) {
    const { defaultContext, contexts } = await readConfig(effects)
    const rows = [...contexts].map(([name, { url }]) => ({ default: name === defaultContext, name, url }))
    const mark = (row: unknown) => (fieldOf(row, 'default') === true ? '*' : '')
    output.result(rows, () => output.table([column('', mark), column('NAME', 'name'), column('URL', 'url')], rows))
  },
})
