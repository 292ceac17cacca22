import { EmptyState, IconButton, SeriesColorsRoot, Skeleton, useLocale } from '@hedron/ui'
import { BoardRoot } from '../dashboard/board.ts'
import { Grid } from '../dashboard/grid.tsx'
import { outermost } from '../dashboard/model/widgets.ts'
import { MenuButton } from '../dashboard/widgets/menu-button.tsx'
import { useFrame } from '../frame/frame-context.tsx'
import { OpenedPanel, PanelButtons, useWorkbookPanels } from '../panels/panels.tsx'
import { CalmPage } from '../states/calm-page.tsx'
import { useCreator } from './creator-context.ts'
import { EditRoot } from './edit-actions.ts'
import { EditableWidget } from './editable-widget.tsx'
import { OpenedEditor } from './opened-editor.tsx'
import { PublishTools } from './publish-tools.tsx'
import { useDraftBoard } from './use-draft-board.ts'
import { useEdits } from './use-edits.ts'
import { useUndoKeys } from './use-undo-keys.ts'
import { type Editing, type OpenWorkbook, useWorkbook } from './use-workbook.ts'

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

function Editor({ open, editing }: { readonly open: OpenWorkbook; readonly editing: Editing }) {
  const { frame, claims } = useFrame()
  const { t } = useLocale()
  const { router, texts } = useCreator()
  const panels = useWorkbookPanels()
  const { draft, workbook } = open
  const board = useDraftBoard(open)
  const edits = useEdits(open, editing)
  const { actions, edit, setOpened } = edits
  const additions = actions.additions(null)
  const shown = outermost([...board.widgets.values()])
  useUndoKeys(editing.step)

  return (
    <BoardRoot value={board}>
      <SeriesColorsRoot>
        <div className="with-panel">
          <main className="creator" tabIndex={-1}>
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
              <MenuButton icon="plus" label={texts.add} items={additions} />
              <PublishTools open={open} editing={editing} />
            </header>
            <EditRoot value={actions}>
              {shown.length === 0 ? (
                <EmptyState title={t('dashboardEmpty')} hint="" action={additions[0]} />
              ) : (
                <Grid widgets={shown} view={widget => <EditableWidget widget={widget} />} />
              )}
            </EditRoot>
            {edits.opened !== null && <OpenedEditor opened={edits.opened} open={open} edits={edits} />}
          </main>
          <OpenedPanel panels={panels} deploymentId={workbook.deploymentId} publicId={null} />
        </div>
      </SeriesColorsRoot>
    </BoardRoot>
  )
}

export const folderPlace = (folderId: number | null | undefined): string => (folderId ? `/folder/${folderId}` : '')
