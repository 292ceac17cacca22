import { command } from '../framework/command.ts'
import { choice, integer, optional, repeated, required, rowId, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { exchange, given } from './shared/one-request.ts'
import { pagingExclusive, pagingOptions, printList } from './shared/paging.ts'

const itemType = choice('type', ['FOLDER', 'WORKBOOK', 'REPORT'])
const columns = [
  column('ID', 'id'),
  column('TYPE', 'type'),
  column('NAME', 'name'),
  column('FOLDER', 'folderId'),
  column('UPDATED', 'updatedAt'),
]

const listing = (operation: 'workspaceObjects' | 'sharedWorkspaceObjects', name: string, details: string) =>
  command({
    details,
    examples: [`hedron workspace ${name} 1`, `hedron workspace ${name} 1 --type REPORT --search revenue`],
    arguments: { deployment: deploymentArgument },
    options: {
      folder: optional(integer('id'), 'list this folder; 0: the root'),
      type: repeated(itemType, 'only FOLDER, WORKBOOK or REPORT'),
      search: optional(text('text'), 'part of a name, in all folders'),
      orderBy: optional(
        choice('field', ['updated_at', 'created_at', 'name', 'viewer_last_viewed_at']),
        'what to sort by',
      ),
      direction: optional(choice('direction', ['ASC', 'DESC']), 'ASC or DESC'),
      ...pagingOptions,
    },
    exclusive: pagingExclusive,
    async run(input, context) {
      const { client } = await context.session()
      const query = given({
        folderId: input.folder,
        types: input.type.length === 0 ? undefined : [...input.type],
        search: input.search,
        orderByField: input.orderBy,
        orderByDirection: input.direction,
      })
      const params = { deploymentId: input.deployment }
      await printList(context, input, columns, page => client[operation]({ params, query: { ...query, ...page } }))
    },
  })

export const listWorkspace = listing(
  'workspaceObjects',
  'list',
  'Folders, workbooks and reports that you can see: those of the root, or of a folder.',
)

export const sharedWorkspace = listing(
  'sharedWorkspaceObjects',
  'shared',
  'What is shared with the users of embed tenants. It is not what others share with you.',
)

export const moveItem = exchange({
  examples: [
    'hedron workspace move 1 --type WORKBOOK --id 5 --folder 3',
    'hedron workspace move 1 --type FOLDER --id 4',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    type: required(itemType, 'what it is: FOLDER, WORKBOOK or REPORT'),
    id: required(rowId, 'its id'),
    folder: optional(integer('id'), 'where to; 0 or left out: the root of the workspace'),
  },
  send: ({ client }, { deployment, type, id, folder = 0 }) =>
    client.moveWorkspaceObject({
      params: { deploymentId: deployment },
      body: { type, id, folderId: folder === 0 ? null : folder },
    }),
  next: ({ deployment, folder = 0 }) => `hedron workspace list ${deployment} --folder ${folder}`,
})
