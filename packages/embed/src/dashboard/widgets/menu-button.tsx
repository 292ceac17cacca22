import { IconButton, type IconName } from '@hedron/ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

export interface MenuItem {
  readonly label: string
  readonly run: () => void
}

interface MenuButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly isBusy?: boolean
}

/** A button that opens a few commands (WAI-ARIA menu button): arrows go through them, Escape closes and gives the focus back. */
export function MenuButton({ icon, label, items, isBusy = false }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = () => root.current?.querySelector<HTMLElement>(':scope > button')
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  useEffect(() => {
    if (!isOpen) return
    entries()[0]?.focus()
    const close = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    const all = entries()
    const at = all.findIndex(entry => entry.matches(':focus'))
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to !== undefined) all.at(to % all.length)?.focus()
    else if (event.key === 'Escape') {
      setOpen(false)
      button()?.focus()
    } else if (event.key === 'Tab') setOpen(false)
    if (to !== undefined || event.key === 'Escape') event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu inside
    <div className="widget-menu" ref={root} onKeyDown={onKeyDown} data-export="no">
      <IconButton
        icon={icon}
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        disabled={isBusy}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div role="menu" aria-label={label}>
          {items.map(item => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setOpen(false)
                button()?.focus()
                item.run()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
