import { command } from '../../framework/command.ts'
import { nonBlank, some } from '../../framework/parameter.ts'
import { branchOption, deploymentArgument, validateCommand } from '../shared/arguments.ts'

export const deleteFiles = command({
  examples: ['hedron data-model delete 1 model/cubes/old.yml model/cubes/older.yml'],
  arguments: {
    deployment: deploymentArgument,
    paths: some(nonBlank('path', "names no file in the deployment's data model"), 'files to delete'),
  },
  options: { branch: branchOption },
  next: ({ deployment, branch }, quote) => validateCommand(deployment, branch, quote),
  async run({ deployment, paths, branch }, { output, session }) {
    const { client } = await session()
    const answer = await client.removeFiles({
      params: { deploymentId: deployment },
      body: { files: paths.map(path => ({ path })), branchName: branch },
    })
    output.result(answer, () => output.success(`Deleted ${paths.length} file(s)`))
  },
})
