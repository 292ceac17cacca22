import { command } from '../../framework/command.ts'
import { branchOption, deploymentArgument } from '../shared/arguments.ts'

export const fileHashes = command({
  details: 'Prints the SHA-1 of every file, as `hedron deploy` compares them.',
  examples: ['hedron data-model file-hashes 1 --branch main'],
  arguments: { deployment: deploymentArgument },
  options: { branch: branchOption },
  async run({ deployment, branch }, { output, session }) {
    const { client } = await session()
    const params = { deploymentId: deployment }
    output.document(await client.fileHashes({ params, query: { branchName: branch } }))
  },
})
