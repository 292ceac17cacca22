import { command } from '../../framework/command.ts'
import { integer, optional } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const deploymentToken = command({
  details: 'Prints a token for the data API of the deployment, with your own rights.',
  examples: ['hedron deployments token 1', 'hedron deployments token 1 --expires-in 3600'],
  arguments: { deployment: deploymentArgument },
  options: { expiresIn: optional(integer('seconds', 1), 'seconds that it is valid') },
  async run({ deployment, expiresIn }, { output, session }) {
    const { client } = await session()
    const answer = await client.deploymentToken({
      params: { deploymentId: deployment },
      ...(expiresIn === undefined ? {} : { body: { expiresIn } }),
    })
    output.result(answer, () => output.line(answer.cubeApiToken))
  },
})
