import type { Column } from './shapes/plan.ts'
import type { NormalizedQuery, ResponseFormat } from './shapes/query.ts'
import type { Cell, ShapedData } from './shapes/rows.ts'

/** Which cell a member of the answer is read from, or a constant for every row. */
type Source = { readonly position: number } | { readonly constant: string }

/**
 * Puts raw rows into the `data` of an answer (contract/behaviour/query.md, section 5). A time dimension appears under
 * `cube.dimension.granularity` and under `cube.dimension`.
 *
 * @param rows cells in the order of `columns`
 * @param query adds what answers of several queries carry: `compareDateRange`, or the common `time` of blended queries
 */
export function shapeRows(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  responseFormat: ResponseFormat,
  query?: NormalizedQuery,
): ShapedData {
  const sources = memberSources(columns, query)
  const members = [...sources.keys()]
  const readers = [...sources.values()]
  const read = (row: readonly Cell[], source: Source): Cell =>
    'constant' in source ? source.constant : (row[source.position] ?? null)
  if (responseFormat === 'compact')
    return { members, dataset: rows.map(row => readers.map(source => read(row, source))) }
  if (responseFormat === 'columnar')
    return { members, columns: readers.map(source => rows.map(row => read(row, source))) }
  return rows.map(row => Object.fromEntries([...sources].map(([member, source]) => [member, read(row, source)])))
}

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
