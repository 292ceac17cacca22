import { displayValue } from '../framework/json.ts'
import { column, tableLines } from '../framework/table.ts'
import { oneCell } from '../framework/text.ts'
import type { Comparison } from './compare-queries.ts'

/** Rows of differences that are shown of one query; the document has all. */
const shownRows = 20

interface Row {
  readonly query: string
  readonly row: string
  readonly measure: string
  readonly before: string
  readonly after: string
}

const words: Readonly<Record<Comparison['status'], string>> = {
  same: 'the same',
  different: 'other numbers',
  broken: 'fails now',
  mended: 'answers again',
  failing: 'fails before and after',
}

/** The table of differences, and a line of sums. */
export function comparisonLines(comparisons: readonly Comparison[]): readonly string[] {
  const rows = rowsOf(comparisons)
  if (rows.length === 0) return [summaryOf(comparisons)]
  const columns = [
    column('QUERY', 'query'),
    column('ROW', 'row'),
    column('MEASURE', 'measure'),
    column('BEFORE', 'before'),
    column('AFTER', 'after'),
  ]
  const { header, body } = tableLines(columns, rows)
  return [header, ...body, ...notesOf(comparisons), summaryOf(comparisons)]
}

/** The same in Markdown, for a comment on a pull request. */
export function comparisonMarkdown(comparisons: readonly Comparison[]): readonly string[] {
  const rows = rowsOf(comparisons)
  const table = rows.map(({ query, row, measure, before, after }) =>
    ['', query, row, measure, before, after, ''].map(cellOf).join(' | ').trim(),
  )
  const head = ['| query | row | measure | before | after |', '|---|---|---|---:|---:|']
  return [...(rows.length === 0 ? [] : [...head, ...table, '']), ...notesOf(comparisons), summaryOf(comparisons)]
}

/** A bar or a line break in a value must not end the cell, and markup in it stays text. */
const cellOf = (text: string): string =>
  oneCell(text).replace(/[\\`*_[\]<>|]/g, character => (character === '<' ? '&lt;' : `\\${character}`))

function rowsOf(comparisons: readonly Comparison[]): readonly Row[] {
  return comparisons.flatMap(({ name, status, differences, error }): Row[] => {
    if (status === 'different') {
      return differences.slice(0, shownRows).map(({ row, measure, before, after }) => ({
        query: name,
        row,
        measure,
        before: before === null ? '–' : displayValue(before),
        after: after === null ? '–' : displayValue(after),
      }))
    }
    if (status === 'same') return []
    const [before, after] = status === 'mended' ? [error ?? '', words.mended] : ['', error ?? '']
    return [{ query: name, row: words[status], measure: '', before, after }]
  })
}

function notesOf(comparisons: readonly Comparison[]): readonly string[] {
  return comparisons.flatMap(({ name, differences, complete }) => [
    ...(differences.length > shownRows ? [`${name}: ${differences.length - shownRows} more; --json has all`] : []),
    ...(complete ? [] : [`${name}: has more rows than its limit; only those were compared`]),
  ])
}

function summaryOf(comparisons: readonly Comparison[]): string {
  const parts = Object.entries(words).flatMap(([status, text]) => {
    const count = comparisons.filter(comparison => comparison.status === status).length
    return count === 0 ? [] : [`${count} ${text}`]
  })
  return `${comparisons.length} ${comparisons.length === 1 ? 'query' : 'queries'} compared${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`
}
