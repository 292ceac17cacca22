import { command } from '../../framework/command.ts'
import { keyArgument } from './key-argument.ts'

export const getApiKey = command({
  examples: ['hedron api-keys get 01890a5d-ac96-774b-bcce-b302099a8057'],
  arguments: { id: keyArgument },
  options: {},
  async run({ id }, { output, session }) {
    output.document(await (await session()).client.getApiKey({ params: { id } }))
  },
})
