import { command } from '../../framework/command.ts'
import { flag } from '../../framework/parameter.ts'
import { oneCell } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { confirmByTyping } from '../shared/confirm.ts'

export const deleteDeployment = command({
  details:
    'Removes the deployment with its branches, files, builds, variables and tokens, for good. Asks for its name first; without a terminal to ask on it needs --yes.',
  examples: ['hedron deployments delete 7', 'hedron deployments delete 7 --yes'],
  arguments: { deployment: deploymentArgument },
  options: { yes: flag('do not ask') },
  next: () => 'hedron deployments list',
  async run({ deployment, yes }, { effects, output, session }) {
    const { client } = await session()
    const params = { deploymentId: deployment }
    if (!yes) {
      const { name } = await client.getDeployment({ params })
      await confirmByTyping(effects, `delete deployment ${deployment} for good`, oneCell(name))
    }
    const answer = await client.deleteDeployment({ params })
    output.result(answer, () => output.success(`Deleted deployment ${deployment}`))
  },
})
