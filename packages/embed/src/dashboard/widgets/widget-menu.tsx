import { type Result, toCsv, useLocale, useTheme } from '@hedron/ui'
import { useState } from 'react'
import { useFrame } from '../../frame/frame-context.tsx'
import { useBoard } from '../board.ts'
import { download, fileName } from '../export/pictures.ts'
import { MenuButton } from './menu-button.tsx'

/** The downloads of one widget: its rows, made of what is in the page already, and pictures. */
export function WidgetMenu(props: { readonly widgetId: string; readonly title: string; readonly result: Result }) {
  const { widgetId, title, result } = props
  const { t } = useLocale()
  const { colors } = useTheme()
  const { frame } = useFrame()
  const board = useBoard()
  const [isBusy, setBusy] = useState(false)

  const report = (format: 'csv' | 'png' | 'pdf') =>
    frame.host.emit('download', {
      format,
      target: 'widget',
      widgetId,
      title,
      ...(format === 'csv' ? { rowCount: result.rows.length } : {}),
    })
  const csv = () => {
    download(fileName(title, 'csv'), new Blob([toCsv(result)], { type: 'text/csv;charset=utf-8' }))
    report('csv')
  }
  const picture = async (format: 'png' | 'pdf') => {
    setBusy(true)
    try {
      const element = document.querySelector<HTMLElement>(`[data-widget="${CSS.escape(widgetId)}"]`)
      const drawn = board.pictures.get(widgetId)
      if (format === 'png' && drawn !== undefined) download(fileName(title, 'png'), await drawn.toPng(2))
      else if (element !== null) {
        const { toPdf, toPng } = await import('../export/export-board.ts')
        const file = format === 'png' ? toPng(element, colors.surface) : toPdf(element, colors.surface, title)
        download(fileName(title, format), await file)
      }
      report(format)
    } catch (error) {
      frame.host.emit('error', { message: String(error), context: `download ${format}` })
    } finally {
      setBusy(false)
    }
  }
  return (
    <MenuButton
      icon="download"
      label={isBusy ? t('downloading') : `${t('download')}: ${title}`}
      isBusy={isBusy}
      items={[
        { label: t('downloadCsv'), run: csv },
        { label: t('downloadPng'), run: () => void picture('png') },
        { label: t('downloadPdf'), run: () => void picture('pdf') },
      ]}
    />
  )
}
