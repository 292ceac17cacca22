import * as z from 'zod'

/** A table that the agent answered from, as far as it was shown to it. */
export interface AnswerTable {
  /** By which loadQueryResults knows it. */
  readonly queryId: string
  readonly title: string
  readonly sqlQuery: string
  readonly schema: readonly { readonly name: string; readonly column_type: string }[]
  readonly data: readonly (readonly unknown[])[]
  readonly totalRows: number
}

/** What a chat stream came to. */
export interface ChatOutcome {
  readonly chatId: string | null
  /** The last answer; null: none was given. */
  readonly answer: string | null
  readonly tables: readonly AnswerTable[]
  /** Why there is no answer. */
  readonly error: string | null
}

const Line = z.looseObject({
  id: z.string().optional(),
  role: z.string().optional(),
  content: z.string().optional(),
  error: z.string().optional(),
  isInProcess: z.boolean().optional(),
  isDelta: z.boolean().optional(),
  graphPath: z.array(z.string()).optional(),
  state: z.looseObject({ chatId: z.string().optional() }).optional(),
  toolCall: z.looseObject({ name: z.string(), result: z.string().optional() }).optional(),
})

const Table = z.looseObject({
  uuid: z.string(),
  queryTitle: z.string().default(''),
  sqlQuery: z.string(),
  schema: z.array(z.looseObject({ name: z.string(), column_type: z.string() })),
  data: z.array(z.array(z.unknown())),
  totalRows: z.number(),
})

/** Reads a stream of the chat API (SPEC, "Events") to its end. Whoever stops reading does not stop the answer. */
export async function readAnswer(chunks: AsyncIterable<string>, signal: AbortSignal): Promise<ChatOutcome> {
  let [chatId, answer, error]: [string | null, string | null, string | null] = [null, null, null]
  const tables = new Map<string, AnswerTable>()
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    for (const text of chunk.split('\n')) {
      if (text === '') continue
      const line = Line.parse(JSON.parse(text))
      chatId = line.state?.chatId ?? chatId
      error = line.error ?? error
      if (line.graphPath?.[0] === 'final' && line.graphPath.length <= 2) answer = line.content ?? answer
      const table = line.toolCall?.result === undefined ? undefined : tableIn(line.toolCall.result)
      if (table) tables.set(table.queryId, table)
    }
  }
  return { chatId, answer, tables: [...tables.values()], error }
}

function tableIn(result: string): AnswerTable | undefined {
  const { success, data } = Table.safeParse(JSON.parse(result))
  if (!success) return undefined
  const { uuid, queryTitle, sqlQuery, schema, data: rows, totalRows } = data
  const columns = schema.map(({ name, column_type }) => ({ name, column_type }))
  return { queryId: uuid, title: queryTitle, sqlQuery, schema: columns, data: rows, totalRows }
}
