import { command } from '../../framework/command.ts'
import { nonBlank, required } from '../../framework/parameter.ts'
import { branchOption, deploymentArgument, validateCommand } from '../shared/arguments.ts'

const path = nonBlank('path', "names no file in the deployment's data model")

export const renameFile = command({
  examples: ['hedron data-model rename 1 model/cubes/flight.yml model/cubes/flights.yml'],
  arguments: {
    deployment: deploymentArgument,
    from: required(path, 'path as it is'),
    to: required(path, 'path as it shall be'),
  },
  options: { branch: branchOption },
  next: ({ deployment, branch }, quote) => validateCommand(deployment, branch, quote),
  async run({ deployment, from, to, branch }, { output, session }) {
    const { client } = await session()
    const answer = await client.renameFiles({
      params: { deploymentId: deployment },
      body: { files: [{ path: from, newPath: to }], branchName: branch },
    })
    output.result(answer, () => output.success(`Renamed ${from} -> ${to}`))
  },
})
