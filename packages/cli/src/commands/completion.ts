import { outline } from '../completion/outline.ts'
import { completionScript, shells } from '../completion/scripts.ts'
import { command } from '../framework/command.ts'
import { globalParameters } from '../framework/global-options.ts'
import { choice, required } from '../framework/parameter.ts'

export const completion = command({
  details: 'Prints a script for the shell to source.',
  examples: [
    'hedron completion bash',
    'hedron completion zsh',
    'hedron completion fish',
    'hedron completion powershell',
  ],
  arguments: { shell: required(choice('shell', shells), shells.join(', ')) },
  options: {},
  async run({ shell }, { catalog, output }) {
    output.exact(completionScript(shell, await outline(catalog, globalParameters)))
  },
})
