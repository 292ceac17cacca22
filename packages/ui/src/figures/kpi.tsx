import './kpi.css'
import { useId } from 'react'
import { cellFormat } from '../formats/cell-format.ts'
import { useLocale } from '../formats/locale-context.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Drill } from '../results/drill.ts'
import { type Cell, type Column, numberOf } from '../results/result.ts'
import { EmptyState } from '../states/states.tsx'

export interface KpiProps {
  readonly column: Column
  readonly value: Cell | undefined
  readonly label?: string | undefined
  /** What it is compared with, such as the period before. */
  readonly before?: { readonly value: Cell | undefined; readonly label?: string | undefined } | undefined
  /** Less is better, as with costs. */
  readonly lessIsBetter?: boolean
  readonly onDrill?: ((drill: Drill) => void) | undefined
}

/** One figure, and how it changed. The sign and an arrow say which way; colour repeats it. */
export function Kpi({ column, value, label, before, lessIsBetter = false, onDrill }: KpiProps) {
  const { t, locale } = useLocale()
  const id = useId()
  if (value === undefined) return <EmptyState />
  const write = cellFormat(column, locale)
  const text = write(value)
  const figure = onDrill ? (
    <button
      type="button"
      className="hd-kpi-value hd-kpi-drills hd-number"
      title={t('showRecords')}
      onClick={() => onDrill({ member: column.name, value, values: { [column.name]: value } })}
    >
      {text}
    </button>
  ) : (
    <p className="hd-kpi-value hd-number">{text}</p>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of figures has no element of its own
    <div className="hd-kpi" role="group" aria-labelledby={id}>
      <p id={id} className="hd-muted hd-kpi-label">
        {label ?? column.title}
      </p>
      {figure}
      {before && (
        <Change now={numberOf(value)} before={before} write={write} lessIsBetter={lessIsBetter} locale={locale} />
      )}
    </div>
  )
}

function Change(props: {
  readonly now: number
  readonly before: NonNullable<KpiProps['before']>
  readonly write: (cell: Cell | undefined) => string
  readonly lessIsBetter: boolean
  readonly locale: string
}) {
  const { now, before, write, lessIsBetter, locale } = props
  const { t } = useLocale()
  const then = numberOf(before.value)
  if (!Number.isFinite(now) || !Number.isFinite(then)) return null
  const compared = before.label ?? t('comparedWith', { value: write(before.value) })
  const difference = now - then
  const share = then === 0 ? Number.NaN : Math.abs(difference / then)
  const change = Number.isFinite(share)
    ? new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)
    : write(Math.abs(difference))
  const way = difference === 0 ? 'none' : difference > 0 ? 'up' : 'down'
  const said = way === 'none' ? t('changeNone') : way === 'up' ? t('changeUp', { change }) : t('changeDown', { change })
  const isGood = way === 'none' ? undefined : (way === 'up') !== lessIsBetter
  return (
    <p className="hd-kpi-change hd-number" data-good={isGood}>
      {way !== 'none' && <Icon name={way} size={14} />}
      <span className="hd-kpi-said">{said}</span> <span className="hd-muted">{compared}</span>
    </p>
  )
}
