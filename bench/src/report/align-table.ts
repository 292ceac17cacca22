/** A Markdown table whose columns are aligned, so that it also reads in a terminal. The first row is the header. */
export function alignTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map(row => row[column]?.length ?? 0)))
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  const [head, ...rest] = rows.map(
    cells => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`,
  )
  return [head, rule, ...rest].join('\n')
}
