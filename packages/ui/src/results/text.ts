import type { Cell, Result } from './result.ts'

/** Lines of cells between tabs, as spreadsheets paste them: values, not what is shown; tabs and line ends become spaces. */
export function toTsv({ columns, rows }: Pick<Result, 'columns' | 'rows'>, withTitles = true): string {
  const lines = rows.map(row => row.map(cell => inert(plain(cell).replace(/[\t\r\n]+/g, ' '))).join('\t'))
  const titles = columns.map(({ title }) => inert(title.replace(/[\t\r\n]+/g, ' '))).join('\t')
  return [...(withTitles ? [titles] : []), ...lines].join('\n')
}

/**
 * CSV of RFC 4180 that spreadsheets open as it is: with a byte order mark, and with text that a spreadsheet would take for a formula
 * behind an apostrophe (owasp.org, CSV Injection). Numbers stay numbers.
 */
export function toCsv({ columns, rows }: Pick<Result, 'columns' | 'rows'>): string {
  const quote = (text: string) => (/[",\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = [columns.map(({ title }) => title), ...rows.map(row => row.map(plain))]
  return `\uFEFF${lines.map(line => line.map(text => quote(inert(text))).join(',')).join('\r\n')}\r\n`
}

function plain(cell: Cell): string {
  return cell === null ? '' : String(cell)
}

function inert(text: string): string {
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
  return /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text
}
