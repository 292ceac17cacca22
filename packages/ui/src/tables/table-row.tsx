import { memo } from 'react'
import type { CellFormat } from '../formats/cell-format.ts'
import type { Cell, Column } from '../results/result.ts'
import { CellContent } from './cell-content.tsx'

export interface TableRowProps {
  readonly gridId: string
  readonly index: number
  readonly top: number
  readonly cells: readonly Cell[]
  readonly columns: readonly Column[]
  readonly formats: readonly CellFormat[]
  readonly widths: readonly number[]
  /** Columns that are selected in this row; -1 where none. */
  readonly selectedFrom: number
  readonly selectedTo: number
  readonly activeColumn: number
  readonly canDrill: boolean
}

/** A row in its place. It renders anew only when something in it changes, so that scrolling costs the rows that come in. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { gridId, index, top, cells, columns, formats, widths, selectedFrom, selectedTo, activeColumn, canDrill } =
    props
  return (
    <div className="hd-row" role="row" aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }}>
      {columns.map((column, at) => (
        <div
          key={column.name}
          id={`${gridId}-${index}-${at}`}
          role="gridcell"
          aria-colindex={at + 1}
          aria-selected={at >= selectedFrom && at <= selectedTo}
          className="hd-cell"
          data-row={index}
          data-column={at}
          data-number={column.type === 'number' || undefined}
          data-active={at === activeColumn || undefined}
          data-drills={(canDrill && column.isMeasure) || undefined}
          style={{ width: widths[at] }}
        >
          <CellContent cell={cells[at]} column={column} format={formats[at] ?? String} />
        </div>
      ))}
    </div>
  )
})
