import { IconButton, useLocale } from '@hedron/ui'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import './side-panel.css'

interface SidePanelProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What stands beside a dashboard: not in its way, so no dialog; over it where there is no room. Escape closes it. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  const { t } = useLocale()
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      // Who closes it goes on where it was opened.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    onClose()
  }
  return (
    <aside ref={panel} className="side-panel" aria-labelledby={id} tabIndex={-1} onKeyDown={onKeyDown} data-export="no">
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={t('close')} onClick={onClose} />
      </header>
      <div className="side-panel-body">{children}</div>
    </aside>
  )
}
