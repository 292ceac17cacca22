import { DataTable, ErrorState, IconButton, Skeleton, useLocale } from '@hedron/ui'
import { useEffect, useMemo, useRef } from 'react'
import type { MetaMember } from '../frame/data-client.ts'
import { useBoard } from './board.ts'
import { useMember } from './controls/use-member.ts'
import type { Question } from './model/question.ts'
import { useAnswer } from './use-answer.ts'

export interface DrillRequest {
  readonly widgetId: string
  readonly member: string
  readonly value: string | number | boolean | null
  readonly values: Readonly<Record<string, string | number | boolean | null>>
}

/** The records behind a value: those that its measure names in the model, for the values of the row that it stands in. */
export function DrillDialog({ request, onClose }: { readonly request: DrillRequest; readonly onClose: () => void }) {
  const { t } = useLocale()
  const dialog = useRef<HTMLDialogElement>(null)
  const member = useMember(request.member)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="drill" onClose={onClose} aria-label={t('showRecords')}>
      <header>
        <h2>{member?.title ?? request.member}</h2>
        <IconButton icon="close" label={t('close')} onClick={() => dialog.current?.close()} />
      </header>
      <div className="drill-body">
        {member === null ? <Skeleton shape="table" /> : <Records request={request} member={member} />}
      </div>
    </dialog>
  )
}

function Records({ request, member }: { readonly request: DrillRequest; readonly member: MetaMember }) {
  const { data, timezone } = useBoard()
  const { t } = useLocale()
  const question = useMemo(() => recordsOf(request, member), [request, member])
  const { answer, error } = useAnswer(data, question, timezone, 0, () => undefined)
  if (error !== null) return <ErrorState message={error.message} />
  if (answer === null) return <Skeleton shape="table" />
  return <DataTable result={answer.result} label={t('showRecords')} />
}

/** Without drill members, the dimensions of the row itself beside the measure. */
function recordsOf({ member, values }: DrillRequest, { drillMembers = [] }: MetaMember): Question {
  const cube = member.split('.')[0] ?? ''
  const filters: object[] = []
  const timeDimensions: object[] = []
  for (const [name, value] of Object.entries(values)) {
    const [owner, dimension, granularity] = name.split('.')
    if (owner !== cube || name === member || dimension === undefined) continue
    const base = `${owner}.${dimension}`
    if (granularity !== undefined) {
      if (typeof value === 'string') timeDimensions.push({ dimension: base, dateRange: rangeOf(value, granularity) })
    } else if (typeof value !== 'number') {
      filters.push(
        value === null
          ? { member: base, operator: 'notSet' }
          : { member: base, operator: 'equals', values: [String(value)] },
      )
    }
  }
  const named = Object.keys(values).filter(name => name.split('.').length === 2 && name !== member)
  const dimensions = drillMembers.length > 0 ? drillMembers : named
  const query = {
    ...(drillMembers.length > 0 ? {} : { measures: [member] }),
    dimensions,
    filters,
    timeDimensions,
    limit: 1000,
  }
  return { kind: 'load', query, renamed: new Map(), isLimited: true, passedOver: [] }
}

/** The days of a step of time that begins at a moment. */
function rangeOf(start: string, granularity: string): string[] {
  const first = new Date(`${start.slice(0, 10)}T00:00:00Z`)
  const last = new Date(first)
  const months = { month: 1, quarter: 3, year: 12 }[granularity]
  if (months !== undefined) last.setUTCMonth(last.getUTCMonth() + months)
  else if (granularity === 'week' || granularity === 'day')
    last.setUTCDate(last.getUTCDate() + (granularity === 'week' ? 7 : 1))
  else return [start, start]
  last.setUTCDate(last.getUTCDate() - 1)
  return [first, last].map(day => day.toISOString().slice(0, 10))
}
