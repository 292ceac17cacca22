import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { required, text } from '../../framework/parameter.ts'
import { updateConfig } from '../../session/config-file.ts'

export const useContext = command({
  examples: ['hedron context use production'],
  arguments: { name: required(text('name'), 'context to use from now on') },
  options: {},
  next: () => 'hedron whoami',
  async run({ name }, { effects, output }) {
    await updateConfig(effects, ({ contexts }) => {
      if (!contexts.has(name)) throw new Failure('context_not_found', { name })
      return { defaultContext: name, contexts }
    })
    output.result({ context: name }, () => output.success(`Switched to context '${name}'`))
  },
})
