import { command } from '../framework/command.ts'
import { rowsOf } from '../framework/json.ts'
import { integer, nonBlank, optional, required, rowId, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { deletion, exchange, given, wordAt } from './shared/one-request.ts'
import { pagingExclusive, pagingOptions, printList } from './shared/paging.ts'

const folder = required(rowId, 'id of the folder')
const columns = [
  column('ID', 'id'),
  column('NAME', 'name'),
  column('PARENT', 'parentId'),
  column('POSITION', 'position'),
  column('UPDATED', 'updatedAt'),
]

export const listFolders = command({
  details: 'Without --parent: the folders at the root of the workspace.',
  examples: ['hedron folders list 1', 'hedron folders list 1 --parent 3'],
  arguments: { deployment: deploymentArgument },
  options: { parent: optional(integer('id'), 'list the folders in this one'), ...pagingOptions },
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const params = { deploymentId: input.deployment }
    await printList(context, input, columns, page =>
      client.getFolders({ params, query: { ...page, parentId: input.parent } }),
    )
  },
})

export const createFolder = exchange({
  examples: ["hedron folders create 1 --name 'Board reports'", 'hedron folders create 1 --name 2026 --parent 3'],
  arguments: { deployment: deploymentArgument },
  options: {
    name: required(nonBlank('name', 'names no folder'), 'name of the folder'),
    parent: optional(integer('id'), 'folder to make it in; 0: the root of the workspace'),
    position: optional(integer('n'), 'place among the folders beside it'),
  },
  send: ({ client }, { deployment, name, parent, position }) =>
    client.createFolder({
      params: { deploymentId: deployment },
      body: { name, ...given({ parentId: parent, position }) },
    }),
  next: ({ deployment }, answer) => {
    const id = wordAt(answer, 'id')
    return id === null ? null : `hedron workbooks create ${deployment} --folder ${id}`
  },
})

export const updateFolder = exchange({
  details:
    'Renames a folder or gives it another place among those beside it. `hedron workspace move` moves it elsewhere.',
  examples: ["hedron folders update 1 3 --name 'Board'", 'hedron folders update 1 3 --position 0'],
  arguments: { deployment: deploymentArgument, folder },
  options: {
    name: optional(text('name'), 'new name'),
    position: optional(integer('n'), 'place among the folders beside it'),
  },
  send: ({ client }, { deployment, folder: folderId, ...fields }) =>
    client.updateFolder({
      params: { deploymentId: deployment, folderId },
      body: given({ name: fields.name, position: fields.position }),
    }),
  next: ({ deployment }) => `hedron folders list ${deployment}`,
})

export const deleteFolder = deletion({
  details: 'What is in it moves to the root of the workspace; a folder with folders in it is refused.',
  examples: ['hedron folders delete 1 3', 'hedron folders delete 1 3 --yes'],
  arguments: { deployment: deploymentArgument, folder },
  what: input => `folder ${input.folder}`,
  send: (client, input) => client.deleteFolder({ params: { deploymentId: input.deployment, folderId: input.folder } }),
  next: ({ deployment }) => `hedron folders list ${deployment}`,
})

export const folderAncestors = command({
  details: 'From the root down to the folder itself.',
  examples: ['hedron folders ancestors 1 3'],
  arguments: { deployment: deploymentArgument, folder },
  options: {},
  async run(input, { output, session }) {
    const { client } = await session()
    const answer = await client.getFolderAncestors({
      params: { deploymentId: input.deployment, folderId: input.folder },
    })
    output.result(answer, () => output.table(columns, rowsOf(answer)))
  },
})
