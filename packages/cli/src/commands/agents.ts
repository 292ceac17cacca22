import { command } from '../framework/command.ts'
import { choice, optional, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { given } from './shared/one-request.ts'
import { pagingExclusive, pagingOptions, printList } from './shared/paging.ts'

export const listAgents = command({
  examples: ['hedron agents list 1', 'hedron agents list 1 --allow-embedding true'],
  arguments: { deployment: deploymentArgument },
  options: {
    allowEmbedding: optional(
      choice('true|false', ['true', 'false']),
      'only agents that embedded pages may or may not use',
    ),
    ...pagingOptions,
  },
  exclusive: pagingExclusive,
  async run({ deployment, allowEmbedding, ...paging }, context) {
    const { client } = await context.session()
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('CONFIG', 'agentConfigName'),
      column('SPACE', 'agentSpace.name'),
    ]
    const query = allowEmbedding === undefined ? {} : { allowEmbedding: allowEmbedding === 'true' }
    await printList(context, paging, columns, page =>
      client.listAgents({ params: { deploymentId: deployment }, query: { ...query, ...page } }),
    )
  },
})

export const listAgentSkills = command({
  details: 'Names, titles and descriptions; what a skill tells the agent is in its file below agents/.',
  examples: ['hedron agents skills 1', 'hedron agents skills 1 --space sales --branch main'],
  arguments: { deployment: deploymentArgument },
  options: {
    space: optional(text('space'), 'skills of this space alone'),
    branch: optional(text('branch'), 'branch; the deploy branch when omitted'),
    ...pagingOptions,
  },
  exclusive: pagingExclusive,
  async run({ deployment, space, branch, ...paging }, context) {
    const { client } = await context.session()
    const columns = [column('NAME', 'name'), column('TITLE', 'title'), column('DESCRIPTION', 'description')]
    const query = given({ space, branchName: branch })
    await printList(context, paging, columns, page =>
      client.listAgentSkills({ params: { deploymentId: deployment }, query: { ...query, ...page } }),
    )
  },
})
