import { jsonSchema, type ToolSet, tool } from 'ai'

const text = (description: string) => ({ type: 'string' as const, description })

/**
 * The two tools as language models are told of them. Nothing is checked by these schemas: the tools themselves say what is wrong with
 * their input, so that it can be corrected.
 */
export const toolDefinitions: ToolSet = {
  serviceMeta: tool({
    description:
      'Searches the data model for views, cubes and their members by words of the question. Gives names, titles, descriptions and types. Use it before the first query, and again for what it did not find.',
    inputSchema: jsonSchema({
      type: 'object',
      properties: {
        searchQuery: text('What to look for: the nouns of the question, such as "revenue by customer city".'),
      },
      required: ['searchQuery'],
      additionalProperties: false,
    }),
  }),
  serviceSqlApi: tool({
    description:
      'Runs one SELECT statement (PostgreSQL dialect) over views and cubes of the data model and shows its rows, as a table or chart, to the user. At most 100 rows come back; totalRows is how many there are.',
    inputSchema: jsonSchema({
      type: 'object',
      properties: {
        sqlQuery: text('The statement. Measures are asked for as MEASURE(name), without the name of the view inside.'),
        queryTitle: text('A short title for the result.'),
        description: text('One sentence: what the result shows, with which filters and period.'),
        userRequest: text('The request that it answers, in the words of the user.'),
        vegaSpec: text(
          'Optional. A Vega-Lite v5 spec as JSON text, without data: its fields are the columns of sqlQuery by their names. Only where a chart says more than the numbers.',
        ),
      },
      required: ['sqlQuery', 'queryTitle', 'description', 'userRequest'],
      additionalProperties: false,
    }),
  }),
}
