import './tabs.css'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

export interface Tab {
  readonly id: string
  readonly title: string
}

/**
 * Panels of which one is seen (WAI-ARIA Tabs): arrows, Home and End go through them. What was seen once stays in the page, so that
 * going back shows it at once; what was not is not made.
 */
export function Tabs(props: {
  readonly tabs: readonly Tab[]
  readonly label: string
  readonly children: (tab: Tab) => ReactNode
  readonly selected?: string | undefined
  readonly onSelect?: ((id: string) => void) | undefined
}) {
  const { tabs, label, children, onSelect } = props
  const base = useId()
  const [own, setOwn] = useState(tabs[0]?.id ?? '')
  const wished = props.selected ?? own
  const selected = tabs.some(({ id }) => id === wished) ? wished : (tabs[0]?.id ?? '')
  const seen = useRef(new Set<string>())
  seen.current.add(selected)
  const buttons = useRef(new Map<string, HTMLButtonElement>())

  function select(id: string) {
    setOwn(id)
    onSelect?.(id)
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex(({ id }) => id === selected)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length]
    if (!tab) return
    event.preventDefault()
    select(tab.id)
    buttons.current.get(tab.id)?.focus()
  }

  return (
    <div className="hd-tabs">
      <div role="tablist" aria-label={label} className="hd-tab-list" onKeyDown={onKeyDown}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            ref={button => {
              if (button) buttons.current.set(id, button)
              else buttons.current.delete(id)
            }}
            type="button"
            role="tab"
            id={`${base}-tab-${id}`}
            aria-selected={id === selected}
            aria-controls={`${base}-panel-${id}`}
            tabIndex={id === selected ? 0 : -1}
            className="hd-tab"
            onClick={() => select(id)}
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(tab => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${base}-panel-${tab.id}`}
          aria-labelledby={`${base}-tab-${tab.id}`}
          hidden={tab.id !== selected}
          className="hd-tab-panel"
        >
          {seen.current.has(tab.id) && children(tab)}
        </div>
      ))}
    </div>
  )
}
