import { useRef } from 'react'
import { unitOf } from '../formats/cell-format.ts'
import { useLocale } from '../formats/locale-context.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Column } from '../results/result.ts'
import { narrowest } from './column-widths.ts'
import type { Sorting } from './sort-rows.ts'

/** The titles: they sort on a click or Enter, and their right edge is drawn (or moved by Alt and arrows) to resize. */
export function TableHeader(props: {
  readonly gridId: string
  readonly columns: readonly Column[]
  readonly widths: readonly number[]
  readonly sorting: Sorting | null
  readonly activeColumn: number
  readonly onSort: (column: number) => void
  readonly onResize: (column: number, width: number) => void
}) {
  const { gridId, columns, widths, sorting, activeColumn, onSort, onResize } = props
  const { locale, t } = useLocale()
  return (
    <div className="hd-row hd-header" role="row" aria-rowindex={1}>
      {columns.map((column, at) => {
        const isSorted = sorting?.column === at
        const unit = unitOf(column, locale)
        return (
          <div
            key={column.name}
            id={`${gridId}--1-${at}`}
            role="columnheader"
            aria-colindex={at + 1}
            aria-sort={isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none'}
            className="hd-cell"
            data-row={-1}
            data-column={at}
            data-number={column.type === 'number' || undefined}
            data-active={at === activeColumn || undefined}
            style={{ width: widths[at] }}
            title={column.title}
            onClick={() => onSort(at)}
          >
            <span className="hd-header-title">
              {column.title}
              {unit && <span className="hd-muted"> {unit}</span>}
            </span>
            {isSorted && <Icon name={sorting.descending ? 'down' : 'up'} size={12} />}
            <ResizeHandle
              label={t('columnWidth', { column: column.title })}
              width={widths[at] ?? narrowest}
              onResize={width => onResize(at, width)}
            />
          </div>
        )
      })}
    </div>
  )
}

function ResizeHandle(props: {
  readonly label: string
  readonly width: number
  readonly onResize: (width: number) => void
}) {
  const { label, width, onResize } = props
  const start = useRef<{ x: number; width: number } | null>(null)
  return (
    <span
      className="hd-resize"
      title={label}
      onClick={event => event.stopPropagation()}
      onPointerDown={event => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
      }}
      onPointerMove={event => {
        if (start.current) onResize(Math.max(narrowest, start.current.width + event.clientX - start.current.x))
      }}
      onPointerUp={() => {
        start.current = null
      }}
      onPointerCancel={() => {
        start.current = null
      }}
    />
  )
}
