import type { Report } from '@hedron/contract'
import { Button, IconButton, Notice, useLocale } from '@hedron/ui'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { ReportWidget } from '../../dashboard/widgets/report-widget.tsx'
import type { Meta } from '../../frame/data-client.ts'
import { useFrame } from '../../frame/frame-context.tsx'
import { useCreator } from '../creator-context.ts'
import { chartKinds, leavesFiguresOut } from './chart-spec.ts'
import { FilterRows } from './filter-rows.tsx'
import { GeneratedSql } from './generated-sql.tsx'
import { MemberPicker } from './member-picker.tsx'
import { cubesOf, useMeta, visibleOf } from './model-members.ts'
import { emptyForm, membersOf, type ReportForm, reportOf, sortable } from './report-form.ts'
import { StatementEditor } from './statement-editor.tsx'

interface ReportEditorProps {
  readonly workbookId: number
  /** Null: a new one. */
  readonly report: { readonly id: number; readonly form: ReportForm } | null
  readonly onSaved: (report: Report) => void
  readonly onClose: () => void
}

/** What a report asks and how it is shown, with what comes of it beside. */
export function ReportEditor({ workbookId, report, onSaved, onClose }: ReportEditorProps) {
  const { frame, config } = useFrame()
  const { deploymentId, texts } = useCreator()
  const { t } = useLocale()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [form, setForm] = useState<ReportForm>(report?.form ?? emptyForm)
  const meta = useMeta()
  const [problem, setProblem] = useState('')
  const [isSaving, setSaving] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const change = (part: Partial<ReportForm>) =>
    setForm(before => {
      const next = { ...before, ...part }
      // What is not asked any more cannot be sorted by.
      const isSorted = next.order !== null && sortable(next).includes(next.order.member)
      return isSorted || next.order === null ? next : { ...next, order: null }
    })
  const isStatement = form.asks === 'sql'
  const isEmpty = isStatement ? form.columns.length === 0 : membersOf(form).length === 0
  const categories = form.dimensions.length + Object.keys(form.grains).length
  const leavesOut = !isStatement && leavesFiguresOut(form.kind, categories, form.measures.length)
  const save = async () => {
    const body = { ...reportOf(form), name: form.name.trim() === '' ? texts.untitled : form.name.trim() }
    setSaving(true)
    try {
      onSaved(
        report === null
          ? await frame.api.createReport({ params: { deploymentId }, body: { ...body, workbookId } })
          : await frame.api.updateReport({ params: { deploymentId, reportId: report.id }, body }),
      )
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setSaving(false)
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
        <Button look="primary" disabled={isEmpty || isSaving} onClick={() => void save()}>
          {t('save')}
        </Button>
        <IconButton icon="close" label={t('close')} onClick={() => dialog.current?.close()} />
      </header>
      {problem !== '' && <p role="alert">{problem}</p>}
      <div className="creator-editor-body">
        <div className="creator-asks">
          {config.creatorMode.showSemanticSql && (
            <div className="creator-switches">
              {(['members', 'sql'] as const).map(asks => (
                <label key={asks}>
                  <input type="radio" name={id} checked={form.asks === asks} onChange={() => change({ asks })} />{' '}
                  {asks === 'members' ? texts.pickMembers : t('sql')}
                </label>
              ))}
            </div>
          )}
          {isStatement ? (
            <StatementEditor form={form} onChange={change} />
          ) : (
            <>
              <MemberPicker meta={meta} form={form} onChange={change} />
              {!isEmpty && meta !== null && !(meta instanceof Error) && (
                <Conditions meta={meta} form={form} onChange={change} />
              )}
            </>
          )}
        </div>
        <div className="creator-preview">
          {leavesOut && <Notice>{texts.firstMeasureOnly}</Notice>}
          {!isEmpty && <Preview form={form} />}
          {!isEmpty && config.creatorMode.showGeneratedSql && <GeneratedSql form={form} />}
        </div>
      </div>
    </dialog>
  )
}

/** What narrows and sorts the rows. */
function Conditions(props: {
  readonly meta: Meta
  readonly form: ReportForm
  readonly onChange: (part: Partial<ReportForm>) => void
}) {
  const { meta, form, onChange } = props
  const { texts } = useCreator()
  const [chosen] = membersOf(form)
  const cube = cubesOf(meta).find(({ name }) => name === chosen?.split('.')[0])
  const dimensions = visibleOf(cube?.dimensions ?? [])
  // A condition on a measure holds for the rows that come out.
  const asked = visibleOf(cube?.measures ?? []).filter(({ name }) => form.measures.includes(name))
  const titles = new Map([...dimensions, ...(cube?.measures ?? [])].map(({ name, shortTitle }) => [name, shortTitle]))
  const titleOf = (member: string) => titles.get(member) ?? member
  return (
    <div className="creator-conditions">
      <FilterRows
        members={[...dimensions, ...asked]}
        dimensions={new Set(dimensions.map(({ name }) => name))}
        filters={form.filters}
        onChange={filters => onChange({ filters })}
      />
      <div className="creator-sort">
        <select
          aria-label={texts.sortBy}
          value={form.order === null ? '' : `${form.order.member} ${form.order.direction}`}
          onChange={({ target }) => {
            const [member = '', direction] = target.value.split(' ')
            onChange({ order: member === '' ? null : { member, direction: direction === 'desc' ? 'desc' : 'asc' } })
          }}
        >
          <option value="">{texts.sortBy}</option>
          {sortable(form).flatMap(name => [
            <option key={`${name} asc`} value={`${name} asc`}>{`${titleOf(name)} ↑`}</option>,
            <option key={`${name} desc`} value={`${name} desc`}>{`${titleOf(name)} ↓`}</option>,
          ])}
        </select>
        <input
          type="number"
          min={1}
          max={50_000}
          aria-label={texts.limit}
          placeholder={texts.limit}
          value={form.limit ?? ''}
          onChange={({ target }) =>
            onChange({
              limit: target.value === '' ? null : Math.min(50_000, Math.max(1, Math.trunc(Number(target.value)))),
            })
          }
        />
      </div>
    </div>
  )
}

function Preview({ form }: { readonly form: ReportForm }) {
  const { texts } = useCreator()
  const widget = useMemo(() => {
    const { name, jsonQuery, sqlQuery, meta } = reportOf(form)
    const position = { x: 0, y: 0, w: 12, h: 8 }
    return {
      id: 'preview',
      kind: 'report' as const,
      title: name === '' ? null : name,
      source: { id: 'preview', type: 'CHART' as const, position },
      report: {
        id: 0,
        reportId: 0,
        versionNumber: 1,
        name: name === '' ? texts.untitled : name,
        jsonQuery,
        sqlQuery,
        kind: meta.kind,
        spec: meta.spec,
      },
    }
  }, [form, texts])
  return <ReportWidget widget={widget} />
}
