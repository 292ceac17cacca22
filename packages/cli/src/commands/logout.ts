import { command } from '../framework/command.ts'
import { optional, text } from '../framework/parameter.ts'
import { updateConfig } from '../session/config-file.ts'

export const logout = command({
  examples: ['hedron logout', 'hedron logout --name production'],
  arguments: {},
  options: { name: optional(text('name'), 'context to remove; the one in use when omitted') },
  async run({ name }, { effects, output }) {
    let target = name ?? 'default'
    let removed = false
    await updateConfig(effects, ({ defaultContext, contexts }) => {
      target = name ?? defaultContext ?? 'default'
      removed = contexts.has(target)
      const rest = new Map([...contexts].filter(([key]) => key !== target))
      return { defaultContext: defaultContext === target ? rest.keys().next().value : defaultContext, contexts: rest }
    })
    output.result({ context: target, removed }, () =>
      output.success(removed ? `Removed context '${target}'` : `No saved credentials for context '${target}'`),
    )
  },
})
