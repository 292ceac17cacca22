import type { DashboardWidget, Report } from '@hedron/contract'
import { EmptyState, IconButton, Notice, SeriesColorsRoot, Skeleton, useLocale } from '@hedron/ui'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { type Board, BoardRoot } from '../dashboard/board.ts'
import { Grid } from '../dashboard/grid.tsx'
import { type ControlValues, initialValues, readControls } from '../dashboard/model/controls.ts'
import { outermost, readWidgets, textOf } from '../dashboard/model/widgets.ts'
import { firstTurn } from '../dashboard/turn.ts'
import { MenuButton } from '../dashboard/widgets/menu-button.tsx'
import { useFrame } from '../frame/frame-context.tsx'
import { timeZoneOf } from '../frame/frame-settings.ts'
import { createStore, useStore } from '../frame/store.ts'
import { OpenedPanel, PanelButtons, useWorkbookPanels } from '../panels/panels.tsx'
import { CalmPage } from '../states/calm-page.tsx'
import { ControlEditor, type ControlType } from './control-editor.tsx'
import { useCreator } from './creator-context.ts'
import { addWidget, changeWidget, snapshotOf } from './draft.ts'
import { EditableWidget } from './editable-widget.tsx'
import { PublishTools } from './publish-tools.tsx'
import { ReportEditor } from './report/report-editor.tsx'
import { formOf } from './report/report-form.ts'
import { SettingsEditor } from './settings-editor.tsx'
import { Sheet } from './sheet.tsx'
import { SummaryEditor } from './summary-editor.tsx'
import { TextEditor } from './text-editor.tsx'
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
  | { readonly kind: 'report' | 'text' | 'control' | 'summary'; readonly widgetId: string | null }
  | { readonly kind: 'settings' }

const editorOf: Readonly<Partial<Record<DashboardWidget['type'], 'report' | 'text' | 'control' | 'summary'>>> = {
  CHART: 'report',
  TEXT: 'text',
  AI: 'summary',
  FILTER: 'control',
  TIME_GRAIN: 'control',
  FIELD: 'control',
}

function Editor({ open, editing }: { readonly open: OpenWorkbook; readonly editing: Editing }) {
  const { frame, config, claims } = useFrame()
  const { t } = useLocale()
  const { router, texts } = useCreator()
  const [opened, setOpened] = useState<Opened | null>(null)
  const panels = useWorkbookPanels()
  const { draft, workbook } = open
  const board = useDraftBoard(open)
  const edit = (change: (draft: OpenWorkbook['draft']) => OpenWorkbook['draft']) =>
    editing.change(before => ({ ...before, draft: change(before.draft) }))
  const saved = (report: Report, widgetId: string | null) => {
    editing.change(before => ({ ...before, reports: [...before.reports.filter(({ id }) => id !== report.id), report] }))
    put(widgetId, 'CHART', { reportId: report.id })
  }
  const put = (widgetId: string | null, type: DashboardWidget['type'], given: Record<string, unknown>) => {
    edit(before =>
      widgetId === null
        ? addWidget(before, type, given).draft
        : changeWidget(before, widgetId, widget => ({ ...widget, config: { ...widget.config, ...given } })),
    )
    setOpened(null)
  }
  const openWidget = (widget: DashboardWidget) => {
    const kind = editorOf[widget.type]
    if (kind !== undefined) setOpened({ kind, widgetId: widget.id })
  }
  const { allowAi, showAiWidgets } = config.embedding
  const add = (kind: 'report' | 'text' | 'control' | 'summary') => () => setOpened({ kind, widgetId: null })
  const shown = outermost([...board.widgets.values()])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    // In a field the browser takes back what was typed there.
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog')) return
    event.preventDefault()
    editing.step(event.shiftKey ? 'redo' : 'undo')
  }

  return (
    <BoardRoot value={board}>
      <SeriesColorsRoot>
        <div className="with-panel">
          <main className="creator" onKeyDown={onKeyDown}>
            <header className="creator-head">
              {frame.address.switches.showWorkbookBackButton && (
                <IconButton
                  icon="left"
                  label={t('back')}
                  onClick={() => void editing.save().then(() => router.go(folderPlace(workbook.folderId)))}
                />
              )}
              <input
                className="creator-title"
                aria-label={texts.name}
                value={draft.title ?? workbook.name}
                maxLength={255}
                onChange={({ target }) => edit(before => ({ ...before, title: target.value }))}
              />
              <span className="creator-state" role="status" data-state={editing.saving}>
                {{ saved: texts.saved, saving: texts.saving, failed: texts.saveFailed }[editing.saving]}
              </span>
              <IconButton
                icon="undo"
                label={t('undo')}
                disabled={open.history.past.length === 0}
                onClick={() => editing.step('undo')}
              />
              <IconButton
                icon="redo"
                label={texts.redo}
                disabled={open.history.future.length === 0}
                onClick={() => editing.step('redo')}
              />
              {claims?.settings.showDashboardSettings !== false && (
                <IconButton icon="settings" label={texts.settings} onClick={() => setOpened({ kind: 'settings' })} />
              )}
              <PanelButtons panels={panels} />
              <MenuButton
                icon="plus"
                label={texts.add}
                items={[
                  { label: texts.addChart, run: add('report') },
                  { label: texts.addText, run: add('text') },
                  { label: texts.addControl, run: add('control') },
                  ...(allowAi && showAiWidgets ? [{ label: texts.addSummary, run: add('summary') }] : []),
                ]}
              />
              <PublishTools open={open} editing={editing} />
            </header>
            {shown.length === 0 ? (
              <EmptyState title={t('dashboardEmpty')} hint="" action={{ label: texts.addChart, run: add('report') }} />
            ) : (
              <Grid
                widgets={shown}
                view={widget => (
                  <EditableWidget
                    widget={widget}
                    onPlace={position =>
                      edit(before => changeWidget(before, widget.id, each => ({ ...each, position })))
                    }
                    onEdit={editorOf[widget.source.type] === undefined ? undefined : () => openWidget(widget.source)}
                    onRemove={() => edit(before => changeWidget(before, widget.id, () => null))}
                  />
                )}
              />
            )}
            {opened !== null && (
              <OpenedEditor
                opened={opened}
                open={open}
                edit={edit}
                put={put}
                saved={saved}
                onClose={() => setOpened(null)}
              />
            )}
          </main>
          <OpenedPanel panels={panels} deploymentId={workbook.deploymentId} publicId={null} />
        </div>
      </SeriesColorsRoot>
    </BoardRoot>
  )
}

export const folderPlace = (folderId: number | null | undefined): string => (folderId ? `/folder/${folderId}` : '')

function OpenedEditor(props: {
  readonly opened: Opened
  readonly open: OpenWorkbook
  readonly edit: (change: (draft: OpenWorkbook['draft']) => OpenWorkbook['draft']) => void
  readonly put: (widgetId: string | null, type: DashboardWidget['type'], given: Record<string, unknown>) => void
  readonly saved: (report: Report, widgetId: string | null) => void
  readonly onClose: () => void
}) {
  const { opened, open, edit, put, saved, onClose } = props
  const { texts } = useCreator()
  const { draft, reports, workbook } = open
  if (opened.kind === 'settings') {
    return (
      <SettingsEditor
        draft={draft}
        onSave={change => {
          edit(change)
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  const { kind, widgetId } = opened
  const widget = draft.widgets?.find(({ id }) => id === widgetId)
  const given = widget?.config ?? {}
  if (kind === 'text') {
    return (
      <TextEditor
        text={textOf(given.content) ?? ''}
        onSave={content => put(widgetId, 'TEXT', { content })}
        onClose={onClose}
      />
    )
  }
  if (kind === 'summary') {
    return <SummaryEditor config={given} onSave={config => put(widgetId, 'AI', config)} onClose={onClose} />
  }
  if (kind === 'control') {
    return (
      <ControlEditor
        control={widget === undefined ? null : { type: controlTypeOf(widget.type), config: given }}
        onSave={(type, config) => put(widgetId, type, config)}
        onClose={onClose}
      />
    )
  }
  const report = reports.find(({ id }) => id === given.reportId)
  const form = report === undefined ? null : formOf(snapshotOf(report))
  if (widgetId !== null && (report === undefined || form === null)) {
    return (
      <Sheet label={report?.name ?? texts.addChart} onClose={onClose}>
        <Notice>{texts.cannotEdit}</Notice>
      </Sheet>
    )
  }
  return (
    <ReportEditor
      workbookId={workbook.id}
      report={report === undefined || form === null ? null : { id: report.id, form }}
      onSaved={made => saved(made, widgetId)}
      onClose={onClose}
    />
  )
}

const controlTypeOf = (type: DashboardWidget['type']): ControlType =>
  type === 'TIME_GRAIN' || type === 'FIELD' ? type : 'FILTER'

/** The draft as a board, with reports as they are now. */
function useDraftBoard({ workbook, draft, reports }: OpenWorkbook): Board {
  const { frame, config, claims } = useFrame()
  const wishes = useStore(frame.wishes)
  const timezone = timeZoneOf(wishes, frame.address, claims, config, null)
  const [values] = useState(() => createStore<ControlValues>(new Map()))
  const [turn] = useState(() => createStore(firstTurn))
  return useMemo(() => {
    const widgets = readWidgets({ config: draft, reportSnapshots: reports.map(snapshotOf) })
    const controls = readControls(widgets)
    if (values.get().size === 0) values.set(() => initialValues(controls, new Map()))
    return {
      layout: draft.layout,
      deploymentId: workbook.deploymentId,
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
