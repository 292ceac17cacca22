import { served } from './elements.js'
import { clearFilter } from './reference.js'

const setting = 'hedron.single-keys'

/**
 * Keyboard shortcuts. Those of a single key can be turned off, since people who speak to their computer trigger them by accident
 * (WCAG 2.1.4).
 *
 * @param {HTMLInputElement} filter
 */
export function startKeys(filter) {
  const dialog = served('keys', HTMLDialogElement)
  const enabled = served('single-keys', HTMLInputElement)
  enabled.checked = readSetting() !== 'off'
  enabled.addEventListener('change', () => writeSetting(enabled.checked ? 'on' : 'off'))
  served('show-keys', HTMLButtonElement).addEventListener('click', () => dialog.showModal())

  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && event.target === filter && filter.value !== '') {
      event.preventDefault()
      clearFilter(filter)
    }
    const isFind =
      event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    const isSingle = enabled.checked && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)
    if (dialog.open) return
    if (isFind || (isSingle && event.key === '/')) {
      event.preventDefault()
      filter.focus()
      filter.select()
    } else if (isSingle && event.key === '?') {
      event.preventDefault()
      dialog.showModal()
    }
  })
}

/** @param {EventTarget | null} target */
const isTyping = target =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable)

/** Storage is refused in some private windows; the shortcuts then work as they come. */
function readSetting() {
  try {
    return localStorage.getItem(setting)
  } catch {
    return null
  }
}

/** @param {string} value */
function writeSetting(value) {
  try {
    localStorage.setItem(setting, value)
  } catch {
    // The choice then holds until the page is left.
  }
}
