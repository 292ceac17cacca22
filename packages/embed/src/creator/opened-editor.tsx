import type { DashboardWidget, Report } from '@hedron/contract'
import { Notice } from '@hedron/ui'
import { useBoard } from '../dashboard/board.ts'
import { textOf } from '../dashboard/model/widgets.ts'
import { useFrame } from '../frame/frame-context.tsx'
import { ControlEditor, type ControlType } from './control-editor.tsx'
import { useCreator } from './creator-context.ts'
import { changeWidget, snapshotOf } from './draft.ts'
import { changeTabs, heldBy, placesFor, type TabPlace, tabsIn } from './draft-tabs.ts'
import { HtmlEditor } from './html-editor.tsx'
import { ReportEditor } from './report/report-editor.tsx'
import { formOf } from './report/report-form.ts'
import { SettingsEditor } from './settings-editor.tsx'
import { Sheet } from './sheet.tsx'
import { SummaryEditor } from './summary-editor.tsx'
import { TabsEditor } from './tabs-editor.tsx'
import { TextEditor } from './text-editor.tsx'
import type { Edits, Opened } from './use-edits.ts'
import type { OpenWorkbook } from './use-workbook.ts'
import { MoveSheet, RemoveSheet } from './widget-dialogs.tsx'
import { useWidgetNames } from './widget-names.ts'

interface OpenedEditorProps {
  readonly opened: Opened
  readonly open: OpenWorkbook
  readonly edits: Edits
}

/** What is open over the page: an editor of a widget, or a question about one. */
export function OpenedEditor({ opened, open, edits }: OpenedEditorProps) {
  const onClose = () => edits.setOpened(null)
  if (opened.kind === 'settings') {
    return (
      <SettingsEditor
        draft={open.draft}
        onSave={change => {
          edits.edit(change)
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  if ('into' in opened) return <WidgetEditor {...opened} open={open} edits={edits} onClose={onClose} />
  return <WidgetQuestion {...opened} open={open} edits={edits} onClose={onClose} />
}

type About = Omit<OpenedEditorProps, 'opened'> & { readonly onClose: () => void }

function WidgetQuestion({
  kind,
  widgetId,
  open: { draft },
  edits,
  onClose,
}: About & { readonly kind: 'move' | 'remove'; readonly widgetId: string }) {
  const { texts } = useCreator()
  const nameOf = useNameOf()
  if (kind === 'remove') {
    const held = heldBy(draft, widgetId).map(({ id }) => nameOf(id))
    return <RemoveSheet name={nameOf(widgetId)} held={held} onRemove={() => edits.remove(widgetId)} onClose={onClose} />
  }
  const tabNameOf = ({ containerId, tabId }: TabPlace) => {
    const container = draft.widgets?.find(({ id }) => id === containerId)
    const tab = container === undefined ? undefined : tabsIn(container).find(({ id }) => id === tabId)
    return `${nameOf(containerId)}: ${tab?.title ?? ''}`
  }
  const places = placesFor(draft, widgetId).map(place => ({
    place,
    name: place === null ? texts.page : tabNameOf(place),
  }))
  return (
    <MoveSheet
      name={nameOf(widgetId)}
      places={places}
      onMove={place => edits.move(widgetId, place, null)}
      onClose={onClose}
    />
  )
}

function WidgetEditor(props: About & Extract<Opened, { readonly into: TabPlace | null }>) {
  const { kind, widgetId, into, open, edits, onClose } = props
  const { frame } = useFrame()
  const { deploymentId, texts } = useCreator()
  const { widgets } = useBoard()
  const nameOf = useNameOf()
  const { draft, reports, workbook } = open
  const widget = draft.widgets?.find(({ id }) => id === widgetId)
  const given = widget?.config ?? {}
  const put = (type: DashboardWidget['type'], config: Record<string, unknown>) =>
    edits.put(widgetId, type, config, into)
  const report = reports.find(({ id }) => id === given.reportId)
  const saved = (made: Report) => edits.saved(made, widgetId, into)
  switch (kind) {
    case 'text': {
      const shown = widgets.get(widgetId ?? '')
      const text = shown?.kind === 'text' ? shown.markdown : ''
      return <TextEditor text={text} onSave={content => put('TEXT', { content })} onClose={onClose} />
    }
    case 'summary':
      return <SummaryEditor config={given} onSave={config => put('AI', config)} onClose={onClose} />
    case 'control':
      return (
        <ControlEditor
          control={widget === undefined ? null : { type: controlTypeOf(widget.type), config: given }}
          onSave={put}
          onClose={onClose}
        />
      )
    case 'tabs':
      return (
        <TabsEditor
          title={textOf(given.title) ?? ''}
          tabs={widget === undefined ? null : tabsIn(widget)}
          nameOf={nameOf}
          onSave={(title, tabs) => {
            const named = { title: title === '' ? null : title }
            if (widgetId === null) return put('CONTAINER', { ...named, tabs })
            edits.edit(before =>
              changeWidget(changeTabs(before, widgetId, tabs), widgetId, each => ({
                ...each,
                config: { ...each.config, ...named },
              })),
            )
            onClose()
          }}
          onClose={onClose}
        />
      )
    case 'html': {
      if (widget?.type === 'TEXT') {
        const save = async (_: string, html: string) => put('TEXT', { html })
        return <HtmlEditor name={null} html={textOf(given.html) ?? ''} save={save} onClose={onClose} />
      }
      const save = async (name: string, html: string) => {
        const body = { name, meta: { ...report?.meta, kind: 'html' as const, spec: html } }
        saved(
          report === undefined
            ? await frame.api.createReport({ params: { deploymentId }, body: { ...body, workbookId: workbook.id } })
            : await frame.api.updateReport({ params: { deploymentId, reportId: report.id }, body }),
        )
      }
      const { spec } = report?.meta ?? {}
      return (
        <HtmlEditor
          name={report?.name ?? ''}
          html={typeof spec === 'string' ? spec : ''}
          save={save}
          onClose={onClose}
        />
      )
    }
    case 'report': {
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
          onSaved={saved}
          onClose={onClose}
        />
      )
    }
  }
}

/** What a widget of the draft is called. */
function useNameOf(): (widgetId: string) => string {
  const { widgets } = useBoard()
  const nameOf = useWidgetNames()
  return widgetId => {
    const widget = widgets.get(widgetId)
    return widget === undefined ? '' : nameOf(widget.source.type, widget.title)
  }
}

const controlTypeOf = (type: DashboardWidget['type']): ControlType =>
  type === 'TIME_GRAIN' || type === 'FIELD' ? type : 'FILTER'
