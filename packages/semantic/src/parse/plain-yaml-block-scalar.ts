import { decline, type Lines } from './plain-yaml-lines.ts'
import type { SourceScalar } from './source-node.ts'

const headerPattern = /([|>])(-?)(?: +(?:#.*)?)?$/y

/** Reads `|` and `>`, also with `-`. Left to the library: digits, `+`, and blank lines longer than the indentation. */
export function readBlockScalar(lines: Lines, at: number, column: number): SourceScalar {
  const header = text(lines, at)
  headerPattern.lastIndex = 0
  const [, style, chomp] = headerPattern.exec(header) ?? decline()
  const rows: string[] = []
  let indent = -1
  let longestBlank = 0
  // Blank rows behind the last one with text are not part of the value.
  let rowsWithText = 0
  let end = 0
  while (lines.step()) {
    if (lines.start >= lines.end) {
      longestBlank = Math.max(longestBlank, lines.indent)
      rows.push('')
      continue
    }
    if (indent === -1) indent = lines.indent
    if (lines.indent < indent || indent <= column) break
    rows.push(text(lines, lines.begin + indent))
    rowsWithText = rows.length
    end = Math.min(lines.end + 1, lines.text.length)
  }
  if (rowsWithText === 0 || longestBlank > indent) decline()
  lines.settle()
  const kept = rows.slice(0, rowsWithText)
  const value = (style === '|' ? kept.join('\n') : folded(kept)) + (chomp === '-' ? '' : '\n')
  return { kind: 'scalar', start: at, end, value, written: value }
}

const text = (lines: Lines, from: number) => lines.text.slice(from, lines.end)

/** Breaks between rows are spaces, but around rows that are further to the right. */
function folded(rows: readonly string[]): string {
  let result = ''
  let breaks = 0
  let before: string | null = null
  for (const row of rows) {
    if (row === '') {
      breaks += 1
      continue
    }
    if (before === null) result = '\n'.repeat(breaks)
    else if (row.startsWith(' ') || before.startsWith(' ')) result += '\n'.repeat(breaks)
    else result += breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)
    result += row
    before = row
    breaks = 1
  }
  return result
}
