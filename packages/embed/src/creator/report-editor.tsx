import type { Report } from '@hedron/contract'
import { Button, IconButton, useLocale } from '@hedron/ui'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useBoard } from '../dashboard/board.ts'
import { ReportWidget } from '../dashboard/widgets/report-widget.tsx'
import type { Meta } from '../frame/data-client.ts'
import { useFrame } from '../frame/frame-context.tsx'
import { useCreator } from './creator-context.ts'
import { MemberPicker } from './member-picker.tsx'
import { chartKinds, emptyForm, type ReportForm, reportOf } from './report-form.ts'

interface ReportEditorProps {
  readonly workbookId: number
  /** Null: a new one. */
  readonly report: { readonly id: number; readonly form: ReportForm } | null
  readonly onSaved: (report: Report) => void
  readonly onClose: () => void
}

/** What a report asks and how it is shown, with what comes of it beside. */
export function ReportEditor({ workbookId, report, onSaved, onClose }: ReportEditorProps) {
  const { frame } = useFrame()
  const { data } = useBoard()
  const { deploymentId, texts } = useCreator()
  const { t } = useLocale()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [form, setForm] = useState<ReportForm>(report?.form ?? emptyForm)
  const [meta, setMeta] = useState<Meta | Error | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    let isGone = false
    data.meta(new AbortController().signal).then(
      read => isGone || setMeta(read),
      error => isGone || setMeta(error instanceof Error ? error : new Error(String(error))),
    )
    return () => {
      isGone = true
    }
  }, [data])
  const change = (part: Partial<ReportForm>) => setForm(before => ({ ...before, ...part }))
  const isEmpty = form.measures.length + form.dimensions.length + Object.keys(form.grains).length === 0
  const save = async () => {
    const body = { ...reportOf(form), name: form.name.trim() === '' ? texts.untitled : form.name.trim() }
    try {
      onSaved(
        report === null
          ? await frame.api.createReport({ params: { deploymentId }, body: { ...body, workbookId } })
          : await frame.api.updateReport({ params: { deploymentId, reportId: report.id }, body }),
      )
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <dialog ref={dialog} className="drill creator-editor" onClose={onClose} aria-label={texts.addChart}>
      <header>
        <input
          aria-label={texts.name}
          placeholder={texts.name}
          value={form.name}
          maxLength={255}
          onChange={({ target }) => change({ name: target.value })}
        />
        <label htmlFor={id}>{texts.kind}</label>
        <select
          id={id}
          value={form.kind}
          onChange={({ target }) => change({ kind: chartKinds.find(kind => kind === target.value) ?? 'bar' })}
        >
          {chartKinds.map(kind => (
            <option key={kind} value={kind}>
              {texts[kind]}
            </option>
          ))}
        </select>
        <input
          type="number"
          min={1}
          max={50_000}
          aria-label={texts.limit}
          placeholder={texts.limit}
          value={form.limit ?? ''}
          onChange={({ target }) => change({ limit: target.value === '' ? null : Math.max(1, Number(target.value)) })}
        />
        <Button look="primary" disabled={isEmpty} onClick={() => void save()}>
          {t('save')}
        </Button>
        <IconButton icon="close" label={t('close')} onClick={() => dialog.current?.close()} />
      </header>
      {problem !== '' && <p role="alert">{problem}</p>}
      <div className="creator-editor-body">
        <MemberPicker meta={meta} form={form} onChange={change} />
        <div className="creator-preview">{!isEmpty && <Preview form={form} />}</div>
      </div>
    </dialog>
  )
}

function Preview({ form }: { readonly form: ReportForm }) {
  const widget = useMemo(() => {
    const { name, jsonQuery, meta } = reportOf(form)
    const spec = 'spec' in meta ? meta.spec : null
    const position = { x: 0, y: 0, w: 12, h: 8 }
    return {
      id: 'preview',
      kind: 'report' as const,
      title: name === '' ? null : name,
      source: { id: 'preview', type: 'CHART' as const, position },
      report: { id: 0, reportId: 0, versionNumber: 1, name, jsonQuery, kind: meta.kind, spec },
    }
  }, [form])
  return <ReportWidget widget={widget} />
}
