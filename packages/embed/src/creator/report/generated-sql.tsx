import { ErrorState, useLocale } from '@hedron/ui'
import { useEffect, useState } from 'react'
import { useBoard } from '../../dashboard/board.ts'
import { useCreator } from '../creator-context.ts'
import { type ReportForm, reportOf } from './report-form.ts'
import './generated-sql.css'

/** The statement that a report becomes for its data source, asked for once somebody unfolds it (`showGeneratedSql` of the account). */
export function GeneratedSql({ form }: { readonly form: ReportForm }) {
  const { data, timezone } = useBoard()
  const { texts } = useCreator()
  const { t } = useLocale()
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState<readonly string[] | Error | null>(null)
  const { jsonQuery, sqlQuery } = reportOf(form)

  useEffect(() => {
    if (!isOpen) return
    const stop = new AbortController()
    const asked = sqlQuery ?? { ...(timezone === undefined ? {} : { timezone }), ...JSON.parse(jsonQuery ?? '{}') }
    data.generatedSql(asked, stop.signal).then(setShown, error => {
      if (!stop.signal.aborted) setShown(error instanceof Error ? error : new Error(String(error)))
    })
    return () => stop.abort()
  }, [isOpen, jsonQuery, sqlQuery, timezone, data])
  return (
    <details className="creator-generated" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.generatedSql}</summary>
      {shown === null && isOpen && <p role="status">{t('stillComputing')}</p>}
      {shown instanceof Error && <ErrorState message={shown.message} />}
      {Array.isArray(shown) && shown.map(text => <pre key={text}>{text}</pre>)}
    </details>
  )
}
