import { command } from '../../framework/command.ts'

export const me = command({
  examples: ['hedron users me'],
  arguments: {},
  options: {},
  async run(_, { output, session }) {
    output.document(await (await session()).client.getMe({}))
  },
})
