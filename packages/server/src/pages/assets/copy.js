import { element } from './elements.js'

/**
 * A command or address with its copy button, as the served page has them too.
 *
 * @param {string} text
 * @param {string} what is copied, for the button's name
 * @returns {HTMLElement}
 */
export const copyable = (text, what) =>
  element(
    'div',
    { class: 'command', 'data-copyable': true },
    element('pre', {}, element('code', { 'data-copy-source': true }, text)),
    element('button', { type: 'button', class: 'copy', 'data-copy': true, 'aria-label': `Copy ${what}` }, 'Copy'),
  )

/**
 * Makes every copy button work, also those that are added later.
 *
 * @param {HTMLElement} announcer a live region that says what was copied
 */
export function startCopying(announcer) {
  document.addEventListener('click', async event => {
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
    const source = button?.closest('[data-copyable]')?.querySelector('[data-copy-source]')
    if (!(button instanceof HTMLElement) || !(source instanceof HTMLElement)) return
    const copied = await copy(source)
    const label = copied ? 'Copied' : 'Selected'
    button.textContent = label
    button.dataset.copy = copied ? 'done' : 'selected'
    announcer.textContent = copied ? 'Copied' : 'The text is selected. Copy it with the keyboard.'
    setTimeout(() => {
      if (button.textContent === label) button.textContent = 'Copy'
      button.dataset.copy = ''
      announcer.textContent = ''
    }, 2_000)
  })
}

/** Copies an element's text, or at least selects it: over plain HTTP browsers keep the clipboard to themselves. @param {HTMLElement} source */
async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    return document.execCommand('copy')
  }
}
