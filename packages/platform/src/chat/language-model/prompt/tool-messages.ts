import type { ModelMessage } from 'ai'
import type { ToolOutcome } from '../../agent.ts'
import type { VisibleModel } from '../../visible-model.ts'
import type { ToolRequest } from '../call-model.ts'

/** Characters of a result that a language model reads, and of one of an earlier turn. */
const [longestResult, longestPastResult] = [24_000, 1_500]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A call as it stands in the conversation. Providers want an object as its input; what is none was refused by the tool. */
export const toolCallPart = ({ id, name, input }: ToolRequest) =>
  ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: isObject(input) ? input : { input: String(input).slice(0, 1_000) },
  }) as const

/** The result of a call for the language model. */
export const toolResultMessage = (
  { id, name }: Pick<ToolRequest, 'id' | 'name'>,
  outcome: ToolOutcome,
  model: VisibleModel | null,
): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: name, output: outputOf(outcome, model, longestResult) }],
})

/** The same, shorter, for a call of an earlier turn. */
export const pastToolResult = (call: Pick<ToolRequest, 'id' | 'name'>, result: string): ModelMessage => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: call.id,
      toolName: call.name,
      output: outputOf({ failed: false, result }, null, longestPastResult),
    },
  ],
})

function outputOf({ failed, result }: ToolOutcome, model: VisibleModel | null, longest: number) {
  const value = readJson(result)
  const text = isObject(value) ? JSON.stringify(forModel(value, model, longest)) : result
  const shown = text.length > longest ? `${text.slice(0, longest)}… (cut off here)` : text
  return failed ? ({ type: 'error-text', value: shown } as const) : ({ type: 'text', value: shown } as const)
}

/** Leaves out what the model wrote itself, and says what it must know about the rest. */
function forModel(result: Readonly<Record<string, unknown>>, model: VisibleModel | null, longest: number): object {
  if (Array.isArray(result.data)) return rowsForModel(result, result.data, longest)
  if (Array.isArray(result.cubes) && model) return { cubes: withNotes(result.cubes, model) }
  return result
}

function rowsForModel(
  { schema, totalRows, vegaSpec }: Readonly<Record<string, unknown>>,
  data: readonly unknown[],
  longest: number,
) {
  const rows: unknown[] = []
  let length = 0
  for (const row of data) {
    length += JSON.stringify(row).length + 1
    if (length > longest * 0.8) break
    rows.push(row)
  }
  const isPart = typeof totalRows === 'number' && rows.length < totalRows
  return {
    columns: Array.isArray(schema)
      ? schema.map(column => (isObject(column) ? `${String(column.name)} ${String(column.column_type)}` : column))
      : schema,
    rows,
    totalRows,
    ...(isPart
      ? {
          note: `PART of the result: the first ${rows.length} of ${totalRows} rows. Do not count, sum or average them; query that instead.`,
        }
      : {}),
    ...(vegaSpec === undefined ? {} : { chart: 'shown to the user' }),
  }
}

/** What the model's author says of the views themselves, which the tool's result has no place for. */
const withNotes = (found: readonly unknown[], { cubes }: VisibleModel): readonly unknown[] =>
  found.map(item => {
    const known = isObject(item) ? cubes.find(({ name }) => name === item.name) : undefined
    const about = [known?.description, known?.aiContext].filter(text => text != null).join(' ')
    return isObject(item) && about !== '' ? { ...item, about: about.slice(0, 600) } : item
  })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
