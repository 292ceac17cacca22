import { usage } from '../framework/failure.ts'
import { choice, flag, optional, required, rowId } from '../framework/parameter.ts'
import { action, exchange } from './shared/one-request.ts'

const kinds = ['Folder', 'Workbook', 'Report'] as const
const actions = kinds.flatMap(kind => [`${kind}Read`, `${kind}Edit`, `${kind}Manage`] as const)
const item = {
  resourceType: required(choice('type', kinds), kinds.join(', ')),
  resourceId: required(rowId, 'its id'),
}
const change = {
  ...item,
  action: optional(choice('action', actions), 'what it allows, as in WorkbookRead; replaces what was shared before'),
  clear: flag('take back what was shared'),
}

/** Without an action the server takes a share back, so that is asked for by name. */
function check({ action: wanted, clear }: { action: string | undefined; clear: boolean }): void {
  if (clear === (wanted !== undefined)) throw usage('one of --action and --clear is required')
}

const policiesOf = (input: { readonly resourceType: string; readonly resourceId: number }): string =>
  `hedron policies get --resource-type ${input.resourceType} --resource-id ${input.resourceId}`

export const getPolicies = exchange({
  details: 'With whom an item is shared, and what the folders and the workbook around it share.',
  examples: ['hedron policies get --resource-type Workbook --resource-id 5'],
  arguments: {},
  options: item,
  send: ({ client }, input) => client.getResourcePolicies({ query: input }),
})

export const setUserPolicy = action({
  examples: [
    'hedron policies set-user --resource-type Workbook --resource-id 5 --user 7 --action WorkbookRead',
    'hedron policies set-user --resource-type Workbook --resource-id 5 --user 7 --clear',
  ],
  arguments: {},
  options: { ...change, user: required(rowId, 'id of the user') },
  check,
  send: ({ client }, { resourceType, resourceId, user, action: wanted = null }) =>
    client.setUserPolicy({ body: { resourceType, resourceId, userId: user, action: wanted } }),
  done: () => 'Updated user policy',
  next: policiesOf,
})

export const setGroupPolicy = action({
  examples: [
    'hedron policies set-group --resource-type Folder --resource-id 3 --group 4 --action FolderEdit',
    'hedron policies set-group --resource-type Folder --resource-id 3 --group 4 --clear',
  ],
  arguments: {},
  options: { ...change, group: required(rowId, 'id of the group') },
  check,
  send: ({ client }, { resourceType, resourceId, group, action: wanted = null }) =>
    client.setGroupPolicy({ body: { resourceType, resourceId, groupId: group, action: wanted } }),
  done: () => 'Updated group policy',
  next: policiesOf,
})
