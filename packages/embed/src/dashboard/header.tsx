import type { Dashboard } from '@hedron/contract'
import { IconButton, useLocale, useTheme } from '@hedron/ui'
import { type RefObject, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { PanelButtons, type Panels } from '../panels/panels.tsx'
import { useBoard } from './board.ts'
import { download, fileName } from './export/pictures.ts'
import type { WaysOut } from './ways-out.ts'
import { MenuButton } from './widgets/menu-button.tsx'

/** The bar above a dashboard: what the address hides is not there, and with nothing in it neither is the bar. */
export function BoardHeader(props: {
  readonly dashboard: Dashboard
  readonly page: RefObject<HTMLElement | null>
  readonly ways: WaysOut
  readonly panels: Panels
}) {
  const { dashboard, page, ways, panels } = props
  const { frame } = useFrame()
  const { t } = useLocale()
  const { colors } = useTheme()
  const { allowsExport } = useBoard()
  const [isBusy, setBusy] = useState(false)
  const { switches } = frame.address
  const title = dashboard.title ?? t('dashboard')
  const { goToApp, goBack } = ways
  const showsBack = switches.showDashboardBackButton && goBack !== undefined
  const showsEdit = switches.showDashboardEditButton && goToApp !== undefined && dashboard.fromSharedWorkspace !== true
  const showsDuplicate = switches.showDashboardDuplicateButton && goToApp !== undefined
  const showsExport = allowsExport && switches.showDashboardExportMenu
  const showsTitle = switches.showDashboardTitle
  const isBar = switches.showDashboardHeader && (showsBack || showsTitle || showsEdit || showsDuplicate || showsExport)
  // What stands beside a dashboard has switches of its own.
  if (!isBar) return <PanelButtons panels={panels} isFloating />

  const picture = async (format: 'png' | 'pdf') => {
    const element = page.current
    if (element === null) return
    setBusy(true)
    try {
      const { toPdf, toPng } = await import('./export/export-board.ts')
      const file = format === 'png' ? toPng(element, colors.background) : toPdf(element, colors.background, title)
      download(fileName(title, format), await file)
      frame.host.emit('download', { format, target: 'dashboard', title })
    } catch (error) {
      frame.host.emit('error', { message: String(error), context: `download ${format}` })
    } finally {
      setBusy(false)
    }
  }
  return (
    <header className="board-head">
      {showsBack && <IconButton icon="left" label={t('back')} onClick={goBack} />}
      {showsTitle ? <h1>{title}</h1> : <span className="board-head-gap" />}
      {showsEdit && (
        <IconButton icon="pencil" label={t('edit')} onClick={() => goToApp?.(`/workbook/${dashboard.workbookId}`)} />
      )}
      {showsDuplicate && (
        <IconButton
          icon="copy"
          label={t('duplicate')}
          onClick={() => goToApp?.(`/duplicate/${dashboard.workbookId}`)}
        />
      )}
      {showsExport && (
        <MenuButton
          icon="download"
          label={isBusy ? t('downloading') : t('download')}
          isBusy={isBusy}
          items={[
            { label: t('downloadPng'), run: () => void picture('png') },
            { label: t('downloadPdf'), run: () => void picture('pdf') },
          ]}
        />
      )}
      <PanelButtons panels={panels} />
    </header>
  )
}
