import { command } from '../framework/command.ts'
import { flag, integer, nonBlank, optional, required, rowId, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { contentPath, folderField, folderOption } from './shared/content-path.ts'
import { dataOption, readData, requiredData } from './shared/data-option.ts'
import { deletion, exchange, given, wordAt } from './shared/one-request.ts'
import { pagingExclusive, pagingOptions, printList } from './shared/paging.ts'

const workbook = required(rowId, 'id of the workbook')
const one = { deployment: deploymentArgument, workbook }
const paramsOf = (input: { readonly deployment: number; readonly workbook: number }) => ({
  deploymentId: input.deployment,
  workbookId: input.workbook,
})

export const listWorkbooks = command({
  examples: ['hedron workbooks list 1', 'hedron workbooks list 1 --folder 3 --all'],
  arguments: { deployment: deploymentArgument },
  options: { folder: optional(integer('id'), 'only those directly in this folder; 0: at the root'), ...pagingOptions },
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const params = { deploymentId: input.deployment }
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('FOLDER', 'folderId'),
      column('OWNER', 'user.email'),
      column('UPDATED', 'updatedAt'),
    ]
    await printList(context, input, columns, page =>
      client.getWorkbooks({ params, query: { ...page, folderId: input.folder } }),
    )
  },
})

export const getWorkbook = exchange({
  details: 'With its reports, and its dashboard as draft and as published.',
  examples: ['hedron workbooks get 1 5'],
  arguments: one,
  options: {},
  send: ({ client }, input) => client.getWorkbook({ params: paramsOf(input) }),
})

export const createWorkbook = exchange({
  details: 'The options win over fields of --data.',
  examples: [
    "hedron workbooks create 1 --name 'Revenue review'",
    'hedron workbooks create 1 --name Revenue --folder 3',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    name: optional(text('name'), 'name of the workbook'),
    folder: folderOption('folder to make it in'),
    data: dataOption,
  },
  send: async ({ request }, { deployment, name, folder, data }, effects) =>
    request('POST', contentPath(deployment, 'workbooks'), {
      body: { ...(await readData(data, effects)), ...given({ name }), ...folderField(folder) },
    }),
  next: ({ deployment }, answer) => {
    const id = wordAt(answer, 'id')
    return id === null ? null : `hedron reports create ${deployment} --workbook ${id} -d @report.json`
  },
})

export const updateWorkbook = exchange({
  details: 'Changes what is given and leaves the rest. The options win over fields of --data.',
  examples: ["hedron workbooks update 1 5 --name 'Revenue 2026'", 'hedron workbooks update 1 5 --folder 0'],
  arguments: one,
  options: {
    name: optional(text('name'), 'new name'),
    slug: optional(text('slug'), 'name in addresses'),
    folder: folderOption('folder to move it to'),
    data: dataOption,
  },
  send: async ({ request }, { deployment, workbook: id, name, slug, folder, data }, effects) =>
    request('PUT', contentPath(deployment, 'workbooks', id), {
      body: { ...(await readData(data, effects)), ...given({ name, slug }), ...folderField(folder) },
    }),
  next: input => `hedron workbooks get ${input.deployment} ${input.workbook}`,
})

export const deleteWorkbook = deletion({
  details: 'With its reports and its dashboard.',
  examples: ['hedron workbooks delete 1 5', 'hedron workbooks delete 1 5 --yes'],
  arguments: one,
  what: input => `workbook ${input.workbook}`,
  send: (client, input) => client.deleteWorkbook({ params: paramsOf(input) }),
  next: ({ deployment }) => `hedron workbooks list ${deployment}`,
})

export const duplicateWorkbook = exchange({
  examples: ['hedron workbooks duplicate 1 5'],
  arguments: one,
  options: { shared: flag('copy it from the workspace that is shared with embed users') },
  send: ({ client }, { shared, ...input }) =>
    client.duplicateWorkbook({ params: paramsOf(input), ...(shared ? { body: { shared } } : {}) }),
  next: ({ deployment }, answer) => {
    const id = wordAt(answer, 'id')
    return id === null ? null : `hedron workbooks get ${deployment} ${id}`
  },
})

export const publishWorkbook = exchange({
  details: 'Publishes the draft that is saved, or the dashboard that --data gives.',
  examples: ['hedron workbooks publish 1 5'],
  arguments: one,
  options: { data: dataOption },
  send: async ({ request }, { deployment, workbook: id, data }, effects) =>
    request('POST', contentPath(deployment, 'workbooks', id, 'publish'), {
      body: { ...(await readData(data, effects)), workbookId: id },
    }),
  next: (_, answer) => {
    const id = wordAt(answer, 'publicId')
    return id === null ? null : `hedron embed enable-dashboard ${id}`
  },
})

export const saveDashboard = exchange({
  details: 'Saves the draft of the dashboard.',
  examples: ['hedron workbooks dashboard 1 5 -d @dashboard.json'],
  arguments: one,
  options: { data: requiredData },
  send: async ({ request }, { deployment, workbook: id, data }, effects) =>
    request('PUT', contentPath(deployment, 'workbooks', id, 'dashboard'), { body: await readData(data, effects) }),
  next: input => `hedron workbooks publish ${input.deployment} ${input.workbook}`,
})

export const setWidgetThread = exchange({
  examples: ['hedron workbooks ai-thread 1 5 --widget-id w1 --thread-id 01890a5d'],
  arguments: one,
  options: {
    widgetId: required(nonBlank('id', 'names no widget'), 'widget of the published dashboard'),
    threadId: required(nonBlank('id', 'names no thread'), 'chat thread that it continues'),
  },
  send: ({ client }, { widgetId, threadId, ...input }) =>
    client.updatePublishedDashboardAiWidgetThread({ params: paramsOf(input), body: { widgetId, threadId } }),
})
