import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { nonBlank, required } from '../../framework/parameter.ts'
import { branchOption, deploymentArgument } from '../shared/arguments.ts'
import { samePath, treeNodes } from './tree.ts'

export const getFile = command({
  details: 'Prints the content of one file exactly as it is; on a terminal without control characters.',
  examples: ['hedron data-model get 1 model/cubes/flights.yml'],
  arguments: {
    deployment: deploymentArgument,
    path: required(nonBlank('path', "names no file in the deployment's data model"), 'path of the file'),
  },
  options: { branch: branchOption },
  async run({ deployment, path, branch }, { output, session }) {
    const { client } = await session()
    const tree = await client.listFiles({
      params: { deploymentId: deployment },
      query: { branchName: branch, withContent: true },
    })
    const node = treeNodes(tree).find(candidate => !candidate.isDirectory && samePath(candidate.path, path))
    if (node?.content === undefined) throw new Failure('file_not_found', { path })
    const { content } = node
    output.result({ path: node.path, content }, () => output.exact(content))
  },
})
