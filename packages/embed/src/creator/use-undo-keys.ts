import { useEffect, useRef } from 'react'

/**
 * Ctrl+Z, and Ctrl+Shift+Z for the way forward, wherever the focus is: what had it may have been deleted. In fields and dialogs these keys
 * are the browser's.
 */
export function useUndoKeys(step: (way: 'undo' | 'redo') => void): void {
  const latest = useRef(step)
  latest.current = step
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || event.defaultPrevented) return
      const { target } = event
      if (target instanceof HTMLElement && target.closest('input, textarea, select, dialog')) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      latest.current(event.shiftKey ? 'redo' : 'undo')
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
