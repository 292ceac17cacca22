import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Cell, instantOf } from '@hedron/semantic'
import type { GraphQLFormattedError } from 'graphql'
import type { CellType, RowShape } from './row-shape.ts'

export interface RowsAnswer {
  readonly members: readonly string[]
  readonly dataset: readonly (readonly Cell[])[]
  /** IANA name: periods of the rows begin at local times of it. */
  readonly timezone: string
}

/** Rows written between two looks at what else there is to do. */
const portion = 2000

/** JSON text of a cell, or undefined where the type cannot hold it. */
type WriteCell = (cell: Cell) => string | undefined

interface Column {
  readonly path: readonly string[]
  readonly position: number
  readonly write: WriteCell
}

/**
 * Writes rows as the `data` of a `cube` field. Numbers keep all their digits, times become moments of UTC. A value that its type
 * cannot hold is null with an error, as GraphQL has it.
 */
export async function writeRows(
  shape: readonly RowShape[],
  answer: RowsAnswer,
  path: readonly string[],
): Promise<{ readonly text: string; readonly errors: readonly GraphQLFormattedError[] }> {
  const { literals, columns } = layOut(shape, answer)
  const failures = new Map<Column, { readonly row: number; count: number }>()
  const rows: string[] = []
  for (const [row, cells] of answer.dataset.entries()) {
    if (row > 0 && row % portion === 0) await yieldToOthers()
    let text = literals[0] ?? ''
    for (const [index, column] of columns.entries()) {
      const written = column.write(cells[column.position] ?? null)
      if (written === undefined) fail(column, row)
      text += (written ?? 'null') + (literals[index + 1] ?? '')
    }
    rows.push(text)
  }
  const errors = [...failures].map(([column, { row, count }]) => ({
    message: `The type of this field cannot hold its value${count > 1 ? `, nor those of ${count - 1} rows more` : ''}.`,
    path: [...path, row, ...column.path],
  }))
  return { text: `[${rows.join(',')}]`, errors }

  function fail(column: Column, row: number): void {
    const known = failures.get(column)
    if (known) known.count += 1
    else failures.set(column, { row, count: 1 })
  }
}

/** What stands between the cells of every row, and which cells those are. */
function layOut(shape: readonly RowShape[], { members, timezone }: RowsAnswer) {
  const literals: string[] = []
  const columns: Column[] = []
  const writers: Readonly<Record<CellType, WriteCell>> = {
    string: writeString,
    number: writeNumber,
    time: timeWriter('UTC'),
    period: timeWriter(timezone),
  }
  let literal = ''
  object(shape, [])
  literals.push(literal)
  return { literals, columns }

  function object(fields: readonly RowShape[], path: readonly string[]): void {
    literal += '{'
    for (const [index, field] of fields.entries()) {
      literal += `${index > 0 ? ',' : ''}${JSON.stringify(field.key)}:`
      const own = [...path, field.key]
      if ('constant' in field) literal += JSON.stringify(field.constant)
      else if ('fields' in field) object(field.fields, own)
      else {
        const position = members.indexOf(field.column)
        if (position === -1) throw new Error(`the answer has no ${field.column}`)
        columns.push({ path: own, position, write: writers[field.type] })
        literals.push(literal)
        literal = ''
      }
    }
    literal += '}'
  }
}

const writeString: WriteCell = cell => (cell === null ? 'null' : JSON.stringify(String(cell)))

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

const writeNumber: WriteCell = cell => {
  if (cell === null) return 'null'
  if (typeof cell === 'string' && jsonNumber.test(cell)) return cell
  const number = cell === '' ? Number.NaN : Number(cell)
  return Number.isFinite(number) ? String(number) : undefined
}

const localPattern = /^\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/

/** Times repeat from row to row, and zones are slow to ask. */
function timeWriter(timezone: string): WriteCell {
  const written = new Map<Cell, string | undefined>()
  const write: WriteCell = cell => {
    if (cell === null) return 'null'
    if (typeof cell !== 'string' || !localPattern.test(cell)) return undefined
    const local = Date.parse(`${cell}Z`)
    return Number.isNaN(local) ? undefined : JSON.stringify(new Date(instantOf(local, timezone)).toISOString())
  }
  return cell => {
    if (!written.has(cell)) written.set(cell, write(cell))
    return written.get(cell)
  }
}
