import type { Row } from './engine.ts'

/** Numbers to four digits, everything else as it is. */
function normal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return String(value)
  const text = String(value)
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? Number(number.toPrecision(4)).toString() : text
}

const key = (cells: readonly string[]) => JSON.stringify(cells)

const counted = (rows: readonly (readonly string[])[]) => rows.map(key).sort().join('\n')

/**
 * Whether an answer holds the rows that are right: their order and further columns do not matter, columns are found by their values
 * (contract/behaviour/chat.md section 9, evals).
 *
 * @param skipsEmpty rows of the answer without a value may be more than the right ones, as where two periods stand side by side
 */
export function holdsRows(right: readonly Row[], answer: readonly Row[], skipsEmpty = false): boolean {
  const wanted = right.map(row => row.map(normal))
  const given = answer.map(row => row.map(normal))
  const width = wanted[0]?.length ?? 0
  if (width === 0) return given.length === 0
  const columns = given[0]?.length ?? 0
  const sum = counted(wanted)
  const fits = (chosen: readonly number[]): boolean => {
    if (chosen.length === width) {
      const last = chosen.at(-1) ?? 0
      const rows = skipsEmpty ? given.filter(row => row[last] !== 'null') : given
      return rows.length === wanted.length && counted(rows.map(row => chosen.map(column => row[column] ?? ''))) === sum
    }
    for (let column = 0; column < columns; column++) {
      if (!chosen.includes(column) && fits([...chosen, column])) return true
    }
    return false
  }
  return fits([])
}
