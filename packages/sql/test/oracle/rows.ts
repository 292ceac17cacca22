/** Cells so that answers of different databases can be compared: numbers by value, times to the millisecond, sessions being in UTC. */
export function normal(cell: unknown): string | number | boolean | null {
  if (cell === null || cell === undefined) return null
  if (typeof cell === 'boolean' || typeof cell === 'number') return cell
  if (typeof cell === 'bigint') return Number(cell)
  const text = cell instanceof Date ? cell.toISOString().replace('Z', '') : String(cell)
  if (/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)) return Number(text)
  const [, date, time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?)?(?:\+00)?$/.exec(text) ?? []
  return date === undefined ? text : `${date} ${time}.${fraction.padEnd(3, '0').slice(0, 3)}`
}

/** Rows whatever their order, numbers to twelve digits. */
export function bag(rows: readonly (readonly unknown[])[]): string[] {
  const rounded = (cell: ReturnType<typeof normal>) =>
    typeof cell === 'number' ? (Math.abs(cell) < 1e-9 ? 0 : Number(cell.toPrecision(10))) : cell
  return rows.map(row => JSON.stringify(row.map(cell => rounded(normal(cell))))).sort()
}
