import { command } from '../../framework/command.ts'
import { flag } from '../../framework/parameter.ts'
import { printable } from '../../framework/text.ts'
import { branchOption, deploymentArgument } from '../shared/arguments.ts'
import { treeNodes } from './tree.ts'

export const listFiles = command({
  examples: ['hedron data-model list 1', 'hedron data-model list 1 --branch main --content'],
  arguments: { deployment: deploymentArgument },
  options: { content: flag('print JSON with the content of every file'), branch: branchOption },
  async run({ deployment, content, branch }, { output, session }) {
    const { client } = await session()
    const tree = await client.listFiles({
      params: { deploymentId: deployment },
      query: { branchName: branch, ...(content ? { withContent: true } : {}) },
    })
    if (output.json || content) {
      output.document(tree)
      return
    }
    const nodes = treeNodes(tree)
    if (nodes.length === 0) output.progress('No results', 'dim')
    for (const { path, isDirectory } of nodes) output.line(printable(isDirectory ? `${path}/` : path))
  },
})
