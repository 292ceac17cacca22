import { command } from '../../framework/command.ts'
import { keyArgument } from './key-argument.ts'

export const deleteApiKey = command({
  details: 'The next request with the key is refused.',
  examples: ['hedron api-keys delete 01890a5d-ac96-774b-bcce-b302099a8057'],
  arguments: { id: keyArgument },
  options: {},
  async run({ id }, { output, session }) {
    const answer = await (await session()).client.revokeApiKey({ params: { id } })
    output.result(answer, () => output.success(`Deleted API key ${id}`))
  },
})
