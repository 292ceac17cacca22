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
  const readers = [...sources.values()]
  if (responseFormat === 'default') return writeLists(rows, readers, [...sources.keys()])
  const members = JSON.stringify([...sources.keys()])
  if (responseFormat === 'compact') return `{"members":${members},"dataset":${writeLists(rows, readers)}}`
  return `{"members":${members},"columns":[${readers.map(source => writeColumn(rows, source)).join(',')}]}`
}

/** @param names of the cells: with them a row is an object, without it is a list */
function writeLists(rows: readonly (readonly Cell[])[], readers: readonly Source[], names?: readonly string[]): string {
  const [open, close] = names ? ['{', '}'] : ['[', ']']
  const before = readers.map((_, index) => {
    const name = names?.[index]
    return `${index > 0 ? ',' : ''}${name === undefined ? '' : `${JSON.stringify(name)}:`}`
  })
  let text = '['
  for (const [position, row] of rows.entries()) {
    text += position > 0 ? `,${open}` : open
    for (const [index, source] of readers.entries()) text += before[index] + writeCell(read(row, source))
    text += close
  }
  return `${text}]`
}

function writeColumn(rows: readonly (readonly Cell[])[], source: Source): string {
  let text = '['
  for (const [position, row] of rows.entries()) text += (position > 0 ? ',' : '') + writeCell(read(row, source))
  return `${text}]`
}

const read = (row: readonly Cell[], source: Source): Cell =>
  'constant' in source ? source.constant : (row[source.position] ?? null)

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
