import { DataTable, ErrorState, IconButton, Skeleton, useLocale } from '@hedron/ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { MetaMember } from '../frame/data-client.ts'
import { useBoard } from './board.ts'
import { type AskedQuestion, type Drilled, measureOf, recordsOf } from './model/records.ts'
import { firstTurn } from './turn.ts'
import { useAnswer } from './use-answer.ts'

export interface DrillRequest {
  readonly drilled: Drilled
  readonly behind: AskedQuestion
}

/** The records behind a value, in a dialog. */
export function DrillDialog({ request, onClose }: { readonly request: DrillRequest; readonly onClose: () => void }) {
  const { t } = useLocale()
  const dialog = useRef<HTMLDialogElement>(null)
  const name = measureOf(request.drilled, request.behind)
  const measure = useMeasure(name)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="drill" onClose={onClose} aria-label={t('showRecords')}>
      <header>
        <h2>{measure instanceof Error ? name : (measure?.title ?? name)}</h2>
        <IconButton icon="close" label={t('close')} onClick={() => dialog.current?.close()} />
      </header>
      <div className="drill-body">
        {measure === null && <Skeleton shape="table" />}
        {measure instanceof Error && <ErrorState message={measure.message} />}
        {measure !== null && !(measure instanceof Error) && <Records request={request} measure={measure} />}
      </div>
    </dialog>
  )
}

function Records({ request, measure }: { readonly request: DrillRequest; readonly measure: MetaMember }) {
  const { data, timezone } = useBoard()
  const { t } = useLocale()
  const question = useMemo(() => recordsOf(request.drilled, request.behind, measure.drillMembers), [request, measure])
  const { answer, error } = useAnswer(data, question, timezone, firstTurn, () => undefined)
  if (error !== null) return <ErrorState message={error.message} />
  if (answer === null) return <Skeleton shape="table" />
  return <DataTable result={answer.result} label={t('showRecords')} />
}

/** What the model says of a measure; null until it is known. */
function useMeasure(name: string): MetaMember | Error | null {
  const { data } = useBoard()
  const { t } = useLocale()
  const [measure, setMeasure] = useState<MetaMember | Error | null>(null)
  useEffect(() => {
    let isGone = false
    const set = (value: MetaMember | Error) => isGone || setMeasure(value)
    data.meta(new AbortController().signal).then(
      ({ cubes }) => {
        const found = cubes.flatMap(({ measures }) => measures).find(each => each.name === name)
        set(found ?? new Error(t('memberGone', { member: name })))
      },
      error => set(error instanceof Error ? error : new Error(String(error))),
    )
    return () => {
      isGone = true
    }
  }, [data, name, t])
  return measure
}
