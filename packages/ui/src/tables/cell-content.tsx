import { memo } from 'react'
import { type CellFormat, noValue } from '../formats/cell-format.ts'
import { useLocale } from '../formats/locale-context.tsx'
import type { Cell, Column } from '../results/result.ts'

/** One value as the model says it is shown: text, a link, a picture. Addresses other than http and https are text. */
export const CellContent = memo(function CellContent(props: {
  readonly cell: Cell | undefined
  readonly column: Column
  readonly format: CellFormat
}) {
  const { cell, column, format } = props
  const { t } = useLocale()
  const text = format(cell)
  if (text === noValue && (cell === null || cell === undefined || cell === '')) {
    return (
      <span className="hd-muted">
        <span aria-hidden="true">{noValue}</span>
        <span className="hd-hidden">{t('noValue')}</span>
      </span>
    )
  }
  const link = typeof column.format === 'object' && column.format.type === 'link' ? column.format.label : undefined
  const isAddress = typeof cell === 'string' && /^https?:\/\//i.test(cell)
  if (isAddress && column.format === 'imageUrl') {
    return <img className="hd-cell-image" src={cell} alt={cell} loading="lazy" referrerPolicy="no-referrer" />
  }
  if (isAddress && (link !== undefined || column.format === 'link')) {
    return (
      <a href={cell} target="_blank" rel="noopener noreferrer" tabIndex={-1}>
        {link ?? text}
      </a>
    )
  }
  return text
})
