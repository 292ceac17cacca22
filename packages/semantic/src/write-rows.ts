import type { Column } from './shapes/plan.ts'
import type { NormalizedQuery, ResponseFormat } from './shapes/query.ts'
import type { Cell } from './shapes/rows.ts'

/** Which cell a member of the answer is read from, or a constant for every row. */
type Source = { readonly position: number } | { readonly constant: string }

/**
 * Writes raw rows as the JSON `data` of an answer (contract/behaviour/query.md, section 5). A time dimension appears under
 * `cube.dimension.granularity` and under `cube.dimension`.
 *
 * (Written as text at once: objects of ten thousand rows, and JSON of those, take three times as long.)
 *
 * @param rows cells in the order of `columns`
 * @param query adds what answers of several queries carry: `compareDateRange`, or the common `time` of blended queries
 */
export function writeRows(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  responseFormat: ResponseFormat,
  query?: NormalizedQuery,
): string {
  const sources = memberSources(columns, query)
  if (responseFormat === 'default') return writeEach(rows, layOut(sources, '{', '}'))
  const members = JSON.stringify([...sources.keys()])
  if (responseFormat === 'compact') {
    return `{"members":${members},"dataset":${writeEach(rows, layOut(sources, '[', ']'))}}`
  }
  const lists = [...sources].map(source => writeEach(rows, layOut(new Map([source]), '', '')))
  return `{"members":${members},"columns":[${lists.join(',')}]}`
}

/** How a row is written: before each of its cells stands a text, and one after the last. */
interface Layout {
  readonly cells: readonly { readonly before: string; readonly position: number }[]
  readonly after: string
}

/** Objects name their cells, lists do not. What is the same in every row is text between its cells. */
function layOut(sources: ReadonlyMap<string, Source>, open: '{' | '[' | '', close: string): Layout {
  const cells: { readonly before: string; readonly position: number }[] = []
  let text = open
  let isFirst = true
  for (const [member, source] of sources) {
    text += `${isFirst ? '' : ','}${open === '{' ? `${JSON.stringify(member)}:` : ''}`
    isFirst = false
    if ('constant' in source) text += JSON.stringify(source.constant)
    else {
      cells.push({ before: text, position: source.position })
      text = ''
    }
  }
  return { cells, after: text + close }
}

/** A JSON list with an entry for each row. */
function writeEach(rows: readonly (readonly Cell[])[], { cells, after }: Layout): string {
  let text = '['
  let isFirst = true
  for (const row of rows) {
    if (!isFirst) text += ','
    isFirst = false
    for (const { before, position } of cells) text += before + writeCell(row[position] ?? null)
    text += after
  }
  return `${text}]`
}

/** What JSON writes otherwise than it is: quotes, backslashes, control characters and halves of a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

const writeCell = (cell: Cell): string =>
  typeof cell === 'string' && !escaped.test(cell) ? `"${cell}"` : JSON.stringify(cell)

function memberSources(columns: readonly Column[], query: NormalizedQuery | undefined): Map<string, Source> {
  const sources = new Map<string, Source>()
  for (const [position, { member, granularity }] of columns.entries()) {
    if (granularity !== undefined) sources.set(`${member}.${granularity}`, { position })
    if (granularity === undefined || !sources.has(member)) sources.set(member, { position })
  }
  if (query?.queryType === 'compareDateRangeQuery') {
    const range = query.timeDimensions.find(({ dateRange }) => dateRange)?.dateRange
    if (range) sources.set('compareDateRange', { constant: range.join(' - ') })
  }
  if (query?.queryType === 'blendingQuery') {
    const position = columns.findIndex(({ kind }) => kind === 'timeDimension')
    const granularity = columns[position]?.granularity
    if (granularity !== undefined) {
      sources.set('time', { position })
      sources.set(`time.${granularity}`, { position })
    }
  }
  return sources
}
