import { command } from '../framework/command.ts'

export const whoami = command({
  examples: ['hedron whoami', 'hedron whoami --json'],
  arguments: {},
  options: {},
  async run(_, { output, session }) {
    const me = await (await session()).client.getMe({})
    output.result(me, () => {
      output.line(`${me.email} (${me.username})`)
      output.line(`id: ${me.id}`)
      if (me.isAdmin) output.line('role: admin')
    })
  },
})
