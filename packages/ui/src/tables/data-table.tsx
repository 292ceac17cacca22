import './data-table.css'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ClipboardEvent, type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import { bareFormat } from '../formats/cell-format.ts'
import { useLocale } from '../formats/locale-context.tsx'
import type { Drill } from '../results/drill.ts'
import type { Cell, Result } from '../results/result.ts'
import { toTsv } from '../results/text.ts'
import { columnWidths, narrowest } from './column-widths.ts'
import { type GridCell, type GridCursor, moveCursor, selectedRange } from './grid-cursor.ts'
import { nextSorting, type Sorting, sortRows } from './sort-rows.ts'
import { TableHeader } from './table-header.tsx'
import { TableRow } from './table-row.tsx'
import { useRoom } from './use-room.ts'

export const rowHeight = 32

export interface DataTableProps {
  readonly result: Result
  /** The table's name for screen readers. */
  readonly label: string
  /** A measure was chosen, by Enter or a double click. */
  readonly onDrill?: ((drill: Drill) => void) | undefined
  /** Asked for where rows were left out. */
  readonly onLoadAll?: (() => void) | undefined
}

/**
 * Rows by the hundred thousand: only those in sight are in the page. Titles and the first column stay in place; everything is done
 * by keys as well (WAI-ARIA Grid): arrows, Enter on a title sorts, Alt and arrows on one resize it, Ctrl+C copies what is selected.
 */
export function DataTable({ result, label, onDrill, onLoadAll }: DataTableProps) {
  const { locale, t } = useLocale()
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const room = useRoom(scroller)
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [resized, setResized] = useState<ReadonlyMap<number, number>>(new Map())
  const [cursor, setCursor] = useState<GridCursor | null>(null)
  const [copied, setCopied] = useState(0)
  const isSelecting = useRef(false)
  const { columns, rows } = result

  const formats = useMemo(() => columns.map(column => bareFormat(column, locale)), [columns, locale])
  const order = useMemo(() => sortRows(result, sorting, locale), [result, sorting, locale])
  const widths = useMemo(() => columnWidths(result, formats, room, resized), [result, formats, room, resized])
  const width = widths.reduce((sum, one) => sum + one, 0)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
  })
  const range = cursor && selectedRange(cursor)

  function show(next: GridCursor) {
    setCursor(next)
    setCopied(0)
    if (next.active.row >= 0) virtual.scrollToIndex(next.active.row)
    const [left, right] = edges(widths, next.active.column)
    const box = scroller.current
    if (!box || next.active.column === 0) return
    const stuck = widths[0] ?? 0
    if (left - stuck < box.scrollLeft) box.scrollLeft = left - stuck
    else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth
  }

  function drill({ row, column }: GridCell) {
    const [cells, member] = [rows[order[row] ?? -1], columns[column]]
    if (!onDrill || !cells || !member?.isMeasure) return
    const values: Record<string, Cell> = {}
    for (const [at, { name }] of columns.entries()) values[name] = cells[at] ?? null
    onDrill({ member: member.name, value: cells[column] ?? null, values })
  }

  function onKeyDown(event: KeyboardEvent) {
    const now = cursor ?? { active: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } }
    const { row, column } = now.active
    if (event.key === 'Enter' && row < 0) sort(column)
    else if (event.key === 'Enter') {
      // A link in the cell is opened, a measure is looked behind.
      document.getElementById(`${gridId}-${row}-${column}`)?.querySelector('a')?.click()
      drill(now.active)
    } else if (event.altKey && row < 0 && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      resize(column, Math.max(narrowest, (widths[column] ?? 0) + (event.key === 'ArrowLeft' ? -16 : 16)))
    } else {
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
      const key = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey }
      const next = moveCursor(now, key, { rows: rows.length, columns: columns.length, page })
      if (!next) return
      show(next)
    }
    event.preventDefault()
    // Keys of the grid mean nothing to what is around it, such as the chart that this is the table of.
    event.stopPropagation()
  }

  function onCopy(event: ClipboardEvent) {
    const chosen = range ?? { top: 0, bottom: rows.length - 1, left: 0, right: columns.length - 1 }
    const shown = columns.slice(chosen.left, chosen.right + 1)
    const lines: Cell[][] = []
    for (let at = chosen.top; at <= chosen.bottom; at += 1) {
      const cells = rows[order[at] ?? -1] ?? []
      lines.push(shown.map((_, index) => cells[chosen.left + index] ?? null))
    }
    event.clipboardData.setData('text/plain', toTsv({ columns: shown, rows: lines }, lines.length > 1))
    event.preventDefault()
    setCopied(lines.length * shown.length)
  }

  function onPointer(event: PointerEvent) {
    const cell = cellAt(event.target)
    if (!cell || cell.row < 0) return
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return
      isSelecting.current = true
      setCopied(0)
      setCursor({ active: cell, anchor: event.shiftKey ? (cursor?.anchor ?? cell) : cell })
    } else if (isSelecting.current && cursor) {
      const isSame = cursor.active.row === cell.row && cursor.active.column === cell.column
      if (!isSame) setCursor({ active: cell, anchor: cursor.anchor })
    }
  }

  function sort(column: number) {
    setSorting(nextSorting(sorting, column, columns[column]?.type === 'number'))
    setCursor(null)
  }

  function resize(column: number, pixels: number) {
    setResized(new Map(resized).set(column, pixels))
  }

  return (
    <div className="hd-table">
      <div
        ref={scroller}
        className="hd-table-scroller"
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-activedescendant={cursor ? `${gridId}-${cursor.active.row}-${cursor.active.column}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onFocus={event => {
          if (
            event.target === event.currentTarget &&
            !cursor &&
            rows.length > 0 &&
            event.currentTarget.matches(':focus-visible')
          )
            setCursor({ active: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } })
        }}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerUp={() => {
          isSelecting.current = false
        }}
        onPointerLeave={() => {
          isSelecting.current = false
        }}
        onDoubleClick={event => {
          const cell = cellAt(event.target)
          if (cell && cell.row >= 0) drill(cell)
        }}
      >
        <div role="rowgroup" className="hd-table-head" style={{ width }}>
          <TableHeader
            gridId={gridId}
            columns={columns}
            widths={widths}
            sorting={sorting}
            activeColumn={cursor?.active.row === -1 ? cursor.active.column : -1}
            onSort={sort}
            onResize={resize}
          />
        </div>
        <div role="rowgroup" className="hd-table-body" style={{ width, height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const isSelected =
              range !== null && index >= range.top && index <= range.bottom && (cursor?.active.row ?? -1) >= 0
            return (
              <TableRow
                key={index}
                gridId={gridId}
                index={index}
                top={start}
                cells={rows[order[index] ?? -1] ?? noCells}
                columns={columns}
                formats={formats}
                widths={widths}
                selectedFrom={isSelected ? range.left : -1}
                selectedTo={isSelected ? range.right : -1}
                activeColumn={cursor?.active.row === index ? cursor.active.column : -1}
                canDrill={onDrill !== undefined}
              />
            )
          })}
        </div>
      </div>
      <TableFoot result={result} onLoadAll={onLoadAll} />
      <span className="hd-hidden" role="status">
        {copied > 0 ? t('cellsCopied', { count: copied }) : ''}
      </span>
    </div>
  )
}

const noCells: readonly Cell[] = []

function TableFoot({ result, onLoadAll }: Pick<DataTableProps, 'result' | 'onLoadAll'>) {
  const { t } = useLocale()
  const { rows, totalRows } = result
  const leftOut = totalRows !== undefined && totalRows > rows.length
  if (!leftOut && rows.length < 20) return null
  return (
    <div className="hd-table-foot hd-muted hd-number">
      <span>
        {leftOut ? t('rowsLeftOut', { shown: rows.length, total: totalRows }) : t('rows', { count: rows.length })}
      </span>
      {leftOut && onLoadAll && (
        <button type="button" className="hd-link" onClick={onLoadAll}>
          {t('loadAllRows')}
        </button>
      )}
    </div>
  )
}

function cellAt(target: EventTarget): GridCell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null
}

/** Where a column begins and ends, in pixels from the left. */
function edges(widths: readonly number[], column: number): readonly [number, number] {
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0)
  return [left, left + (widths[column] ?? 0)]
}
