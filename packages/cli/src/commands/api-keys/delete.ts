import { deletion } from '../shared/one-request.ts'
import { keyArgument } from './key-argument.ts'

export const deleteApiKey = deletion({
  details: 'The next request with the key is refused.',
  examples: [
    'hedron api-keys delete 01890a5d-ac96-774b-bcce-b302099a8057',
    'hedron api-keys delete 01890a5d-ac96-774b-bcce-b302099a8057 --yes',
  ],
  arguments: { id: keyArgument },
  what: input => `API key ${input.id}`,
  send: (client, input) => client.revokeApiKey({ params: { id: input.id } }),
  next: () => 'hedron api-keys list',
})
