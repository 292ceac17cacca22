import type { DashboardWidget, Report } from '@hedron/contract'
import { Button, EmptyState, IconButton, SeriesColorsRoot, Skeleton, useLocale } from '@hedron/ui'
import { useMemo, useState } from 'react'
import { type Board, BoardRoot } from '../dashboard/board.ts'
import { Grid } from '../dashboard/grid.tsx'
import { type ControlValues, initialValues, readControls } from '../dashboard/model/controls.ts'
import { outermost, readWidgets, textOf } from '../dashboard/model/widgets.ts'
import { useFrame } from '../frame/frame-context.tsx'
import { timeZoneOf } from '../frame/frame-settings.ts'
import { createStore, useStore } from '../frame/store.ts'
import { CalmPage } from '../states/calm-page.tsx'
import { useCreator } from './creator-context.ts'
import { addWidget, changeWidget, snapshotOf } from './draft.ts'
import { EditableWidget } from './editable-widget.tsx'
import { PublishTools } from './publish-tools.tsx'
import { ReportEditor } from './report-editor.tsx'
import { formOf } from './report-form.ts'
import { FilterEditor, TextEditor } from './text-editor.tsx'
import { type OpenWorkbook, useWorkbook } from './use-workbook.ts'

/** A workbook that somebody works on: its dashboard as it will be, each part of it to be changed. */
export function WorkbookPage({ workbookId }: { readonly workbookId: number }) {
  const { t } = useLocale()
  const { router } = useCreator()
  const editing = useWorkbook(workbookId)
  if (editing.state === null) return <Skeleton shape="chart" />
  if (editing.state instanceof Error) {
    return (
      <CalmPage title={t('errorTitle')} body={editing.state.message}>
        <button type="button" onClick={() => router.go('')}>
          {t('back')}
        </button>
      </CalmPage>
    )
  }
  return <Editor open={editing.state} editing={editing} />
}

type Editing = ReturnType<typeof useWorkbook>
type Opened =
  | { readonly kind: 'report'; readonly widgetId: string | null }
  | { readonly kind: 'text'; readonly widgetId: string | null }
  | { readonly kind: 'filter' }

function Editor({ open, editing }: { readonly open: OpenWorkbook; readonly editing: Editing }) {
  const { frame } = useFrame()
  const { t } = useLocale()
  const { router, texts } = useCreator()
  const [opened, setOpened] = useState<Opened | null>(null)
  const { draft, reports, workbook } = open
  const board = useDraftBoard(open)
  const edit = (change: (draft: OpenWorkbook['draft']) => OpenWorkbook['draft']) =>
    editing.change(before => ({ ...before, draft: change(before.draft) }))
  const configOf = (widgetId: string | null): DashboardWidget | undefined =>
    draft.widgets?.find(({ id }) => id === widgetId)
  const put = (widgetId: string | null, type: DashboardWidget['type'], config: Record<string, unknown>) => {
    edit(before =>
      widgetId === null
        ? addWidget(before, type, config).draft
        : changeWidget(before, widgetId, widget => ({ ...widget, config: { ...widget.config, ...config } })),
    )
    setOpened(null)
  }
  const saved = (report: Report, widgetId: string | null) => {
    editing.change(before => ({ ...before, reports: [...before.reports.filter(({ id }) => id !== report.id), report] }))
    put(widgetId, 'CHART', { reportId: report.id })
  }
  const openWidget = (widget: DashboardWidget) => {
    if (widget.type === 'CHART') setOpened({ kind: 'report', widgetId: widget.id })
    else if (widget.type === 'TEXT') setOpened({ kind: 'text', widgetId: widget.id })
  }
  const report =
    opened?.kind === 'report' ? reports.find(({ id }) => id === configOf(opened.widgetId)?.config?.reportId) : undefined
  const form = report === undefined ? null : formOf(snapshotOf(report))
  const shown = outermost([...board.widgets.values()])

  return (
    <BoardRoot value={board}>
      <SeriesColorsRoot>
        <main className="creator">
          <header className="creator-head">
            {frame.address.switches.showWorkbookBackButton && (
              <IconButton icon="left" label={t('back')} onClick={() => void editing.save().then(() => router.go(''))} />
            )}
            <input
              className="creator-title"
              aria-label={texts.name}
              value={draft.title ?? workbook.name}
              maxLength={255}
              onChange={({ target }) => edit(before => ({ ...before, title: target.value }))}
            />
            <span className="creator-state" role="status">
              {{ saved: texts.saved, saving: texts.saving, failed: texts.saveFailed }[editing.saving]}
            </span>
            <Button icon="chart" onClick={() => setOpened({ kind: 'report', widgetId: null })}>
              {texts.addChart}
            </Button>
            <Button icon="pencil" onClick={() => setOpened({ kind: 'text', widgetId: null })}>
              {texts.addText}
            </Button>
            <Button icon="filter" onClick={() => setOpened({ kind: 'filter' })}>
              {texts.addFilter}
            </Button>
            <PublishTools workbookId={workbook.id} title={draft.title ?? workbook.name} save={editing.save} />
          </header>
          {shown.length === 0 ? (
            <EmptyState
              title={t('dashboardEmpty')}
              hint=""
              action={{ label: texts.addChart, run: () => setOpened({ kind: 'report', widgetId: null }) }}
            />
          ) : (
            <Grid
              widgets={shown}
              view={widget => (
                <EditableWidget
                  widget={widget}
                  onPlace={position => edit(before => changeWidget(before, widget.id, each => ({ ...each, position })))}
                  onEdit={() => openWidget(widget.source)}
                  onRemove={() => edit(before => changeWidget(before, widget.id, () => null))}
                />
              )}
            />
          )}
          {opened?.kind === 'report' && (opened.widgetId === null || form !== null) && (
            <ReportEditor
              workbookId={workbook.id}
              report={report === undefined || form === null ? null : { id: report.id, form }}
              onSaved={made => saved(made, opened.widgetId)}
              onClose={() => setOpened(null)}
            />
          )}
          {opened?.kind === 'text' && (
            <TextEditor
              text={textOf(configOf(opened.widgetId)?.config?.content) ?? ''}
              onSave={content => put(opened.widgetId, 'TEXT', { content })}
              onClose={() => setOpened(null)}
            />
          )}
          {opened?.kind === 'filter' && (
            <FilterEditor onSave={member => put(null, 'FILTER', { member })} onClose={() => setOpened(null)} />
          )}
        </main>
      </SeriesColorsRoot>
    </BoardRoot>
  )
}

/** The draft as a board, with reports as they are now. */
function useDraftBoard({ workbook, draft, reports }: OpenWorkbook): Board {
  const { frame, config, claims } = useFrame()
  const wishes = useStore(frame.wishes)
  const timezone = timeZoneOf(wishes, frame.address, claims, config, null)
  const [values] = useState(() => createStore<ControlValues>(new Map()))
  const [turn] = useState(() => createStore(0))
  return useMemo(() => {
    const widgets = readWidgets({ config: draft, reportSnapshots: reports.map(snapshotOf) })
    const controls = readControls(widgets)
    if (values.get().size === 0) values.set(() => initialValues(controls, new Map()))
    return {
      layout: draft.layout,
      data: frame.data(workbook.deploymentId),
      widgets: new Map(widgets.map(widget => [widget.id, widget])),
      controls,
      values,
      turn,
      timezone,
      allowsExport: false,
      pictures: new Map(),
      change: (parameter, value) =>
        values.set(before => {
          const next = new Map(before)
          if (value === null) next.delete(parameter)
          else next.set(parameter, value)
          return next
        }),
      settled: () => undefined,
      drill: () => undefined,
    }
  }, [workbook, draft, reports, frame, timezone, values, turn])
}
