import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { parseJson } from '../framework/json.ts'
import { choice, integer, nonBlank, optional, required, rowId, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { contentPath, folderField, folderOption } from './shared/content-path.ts'
import { dataOption, readData } from './shared/data-option.ts'
import { action, deletion, exchange, given, wordAt } from './shared/one-request.ts'
import { pagingExclusive, pagingOptions, printList } from './shared/paging.ts'

const report = required(rowId, 'id of the report')
const one = { deployment: deploymentArgument, report }
const paramsOf = (input: { readonly deployment: number; readonly report: number }) => ({
  deploymentId: input.deployment,
  reportId: input.report,
})
const definition = {
  name: optional(text('name'), 'name of the report'),
  folder: folderOption('folder that it is in'),
  jsonQuery: optional(text('json'), 'query of the data API, as JSON'),
  sqlQuery: optional(text('sql'), 'statement of the SQL API'),
  data: dataOption,
}

/** @throws {Failure} `data_invalid` for text that is no JSON: it would be saved and never answer */
function checkedQuery(jsonQuery: string | undefined): string | undefined {
  if (jsonQuery !== undefined && parseJson(jsonQuery) === undefined) {
    throw new Failure('data_invalid', { option: '--json-query', reason: 'is not valid JSON' })
  }
  return jsonQuery
}

export const listReports = command({
  examples: ['hedron reports list 1', 'hedron reports list 1 --search revenue --sort-by name'],
  arguments: { deployment: deploymentArgument },
  options: {
    workbook: optional(rowId, 'only those of this workbook'),
    folder: optional(rowId, 'only those in this folder'),
    externalWorkbook: optional(text('id'), 'only those that are placed in this spreadsheet'),
    search: optional(text('text'), 'part of a name or title'),
    sortBy: optional(choice('field', ['name', 'createdAt', 'updatedAt', 'lastViewedAt']), 'what to sort by'),
    sortDirection: optional(choice('direction', ['ASC', 'DESC']), 'ASC or DESC'),
    ...pagingOptions,
    limit: optional(integer('n', 1), 'deprecated: reports on a numbered page'),
    page: optional(integer('n', 1), 'deprecated: number of the page'),
  },
  exclusive: pagingExclusive,
  async run(input, context) {
    const { first, after, all, limit, page: number } = input
    const byCursor = first !== undefined || after !== undefined || all
    if (byCursor && (limit !== undefined || number !== undefined)) throw new Failure('page_mixed')
    const { client } = await context.session()
    const query = given({
      workbookId: input.workbook,
      folderId: input.folder,
      externalWorkbookId: input.externalWorkbook,
      search: input.search,
      sortBy: input.sortBy,
      sortDirection: input.sortDirection,
      limit,
      page: number,
    })
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('PUBLIC ID', 'publicId'),
      column('WORKBOOK', 'workbookId'),
      column('OWNER', 'user.email'),
      column('UPDATED', 'updatedAt'),
    ]
    const params = { deploymentId: input.deployment }
    await printList(context, input, columns, cursor => client.getReports({ params, query: { ...query, ...cursor } }))
  },
})

export const getReport = exchange({
  details: 'With the query that it saves.',
  examples: ['hedron reports get 1 9'],
  arguments: one,
  options: {},
  send: ({ client }, input) => client.getReport({ params: paramsOf(input) }),
})

export const createReport = exchange({
  details: 'The options win over fields of --data.',
  examples: [
    `hedron reports create 1 --workbook 5 --name Flights --json-query '{"measures":["flight_facts.count"]}'`,
    'hedron reports create 1 -d @report.json',
  ],
  arguments: { deployment: deploymentArgument },
  options: { ...definition, workbook: optional(rowId, 'workbook that it belongs to') },
  send: async ({ request }, { deployment, data, folder, workbook, name, jsonQuery, sqlQuery }, effects) => {
    const fields = given({ name, workbookId: workbook, jsonQuery: checkedQuery(jsonQuery), sqlQuery })
    const body = { ...(await readData(data, effects)), ...fields, ...folderField(folder) }
    return request('POST', contentPath(deployment, 'reports'), { body })
  },
  next: ({ deployment, workbook }, answer) => {
    if (workbook !== undefined) return `hedron workbooks dashboard ${deployment} ${workbook} -d @dashboard.json`
    const id = wordAt(answer, 'id')
    return id === null ? null : `hedron reports get ${deployment} ${id}`
  },
})

export const updateReport = exchange({
  details: 'Changes what is given and leaves the rest. The options win over fields of --data.',
  examples: ["hedron reports update 1 9 --name 'Flights a month'", 'hedron reports update 1 9 --folder 0'],
  arguments: one,
  options: definition,
  send: async ({ request }, { deployment, report: id, data, folder, name, jsonQuery, sqlQuery }, effects) => {
    const fields = given({ name, jsonQuery: checkedQuery(jsonQuery), sqlQuery })
    const body = { ...(await readData(data, effects)), ...fields, ...folderField(folder) }
    return request('PUT', contentPath(deployment, 'reports', id), { body })
  },
  next: input => `hedron reports refresh ${input.deployment} ${input.report}`,
})

export const deleteReport = deletion({
  examples: ['hedron reports delete 1 9', 'hedron reports delete 1 9 --yes'],
  arguments: one,
  what: input => `report ${input.report}`,
  send: (client, input) => client.deleteReport({ params: paramsOf(input) }),
  next: ({ deployment }) => `hedron reports list ${deployment}`,
})

export const refreshReport = action({
  details: 'Asks the data source again, whatever is kept.',
  examples: ['hedron reports refresh 1 9'],
  arguments: one,
  options: {},
  send: ({ client }, input) => client.refreshReport({ params: paramsOf(input) }),
  done: input => `Refreshed report ${input.report}`,
  next: input => `hedron reports get ${input.deployment} ${input.report}`,
})

export const connectReport = exchange({
  details: 'Notes where in a spreadsheet the result of the report stands.',
  examples: ['hedron reports connect-workbook 1 9 --external-workbook-id 1AbC --result-location Sheet1!A1'],
  arguments: one,
  options: {
    externalWorkbookId: required(nonBlank('id', 'names no spreadsheet'), 'the spreadsheet'),
    resultLocation: required(nonBlank('cell', 'names no cell'), 'first cell of the result'),
    endResultCell: optional(text('cell'), 'last cell of the result'),
  },
  send: ({ client }, { externalWorkbookId, resultLocation, endResultCell, ...input }) =>
    client.connectReportToWorkbook({
      params: paramsOf(input),
      body: { externalWorkbookId, resultLocation, ...given({ endResultCell }) },
    }),
})
