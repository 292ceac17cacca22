import { Button, ErrorState, resultOfSql, useLocale } from '@hedron/ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useBoard } from '../../dashboard/board.ts'
import { useCreator } from '../creator-context.ts'
import type { Field } from './chart-spec.ts'
import type { ReportForm } from './report-form.ts'

interface StatementEditorProps {
  readonly form: ReportForm
  readonly onChange: (part: Partial<ReportForm>) => void
}

/** A report that is written in the SQL of the model: run by the button or by Ctrl and Enter, so that half a statement asks nothing. */
export function StatementEditor({ form, onChange }: StatementEditorProps) {
  const { data, timezone } = useBoard()
  const { texts } = useCreator()
  const { t } = useLocale()
  const [text, setText] = useState(form.sql)
  const [problem, setProblem] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController | null>(null)

  const run = async (statement: string) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setRunning(true)
    try {
      const { schema, data: rows } = await data.sql(statement, timezone, { signal: stop.signal })
      const { columns } = resultOfSql(schema, rows)
      const fields = columns.map(({ name, type }): Field => {
        return { name, type: type === 'number' ? 'quantitative' : type === 'time' ? 'temporal' : 'nominal' }
      })
      onChange({ sql: statement, columns: fields })
      setProblem(null)
    } catch (error) {
      if (stop.signal.aborted) return
      onChange({ columns: [] })
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setRunning(false)
  }
  // One that was saved before has its columns at once.
  const first = useRef(form)
  const begin = useRef(run)
  useEffect(() => {
    const { sql, columns } = first.current
    if (sql !== '' && columns.length === 0) void begin.current(sql)
    return () => running.current?.abort()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void run(text)
  }
  return (
    <div className="creator-statement">
      <textarea
        aria-label={t('sql')}
        rows={12}
        spellCheck={false}
        maxLength={100_000}
        placeholder="SELECT status, MEASURE(count) AS orders FROM orders GROUP BY 1"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div>
        <Button disabled={isRunning || text.trim() === ''} onClick={() => void run(text)}>
          {texts.run}
        </Button>
        <span className="hd-muted" role="status">
          {isRunning ? t('stillComputing') : text === form.sql || form.columns.length === 0 ? '' : texts.notRunYet}
        </span>
      </div>
      {problem !== null && <ErrorState message={problem} />}
    </div>
  )
}
