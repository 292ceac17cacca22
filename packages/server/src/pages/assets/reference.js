/** @import { Reference } from './types.d.ts' */
import { matches } from './filter.js'
import { asObject, asTexts } from './json.js'
import { addressOf, readPlace } from './place.js'
import { createView, moveFocus } from './reference-view.js'

/**
 * Shows the reference and keeps it and the address of the page in step: the filter and the operation last opened stand in the
 * address, all that is open in the history's state, so that back and forward restore it.
 *
 * @param {unknown} document the OpenAPI document
 * @param {Reference} reference
 * @param {object} places
 * @param {HTMLElement} places.list
 * @param {HTMLElement} places.contents links to the groups
 * @param {HTMLInputElement} places.filter
 * @param {HTMLElement} places.count says how many operations are shown
 */
export function showReference(document, reference, { filter, ...places }) {
  const view = createView(document, reference, places, {
    onToggle: remember,
    onShowAll() {
      clearFilter(filter)
      filter.focus()
    },
  })
  let isArriving = false
  filter.addEventListener('input', () => {
    const before = readPlace(location)
    const address = addressOf(location.pathname, { ...before, filter: filter.value })
    const state = { open: view.openIds() }
    // One step back undoes the whole filter rather than one letter.
    if (before.filter === '' && filter.value !== '') history.pushState(state, '', address)
    else history.replaceState(state, '', address)
    view.showMatches(filter.value)
  })
  filter.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') moveFocus(event, places.list)
  })
  addEventListener('popstate', ({ state }) => {
    isArriving = openIn(state) === null
    follow(state)
  })
  // A followed link leads somewhere new; going back, the browser restores where the reader was. Only now may the focus move.
  addEventListener('hashchange', () => {
    if (isArriving) view.goTo(readPlace(location).target)
  })
  filter.disabled = false
  follow(history.state)
  view.goTo(readPlace(location).target)

  /** Shows what the address and the state of the history say. @param {unknown} state */
  function follow(state) {
    const { filter: wanted, target } = readPlace(location)
    const operation = view.operation(target)
    // An address that names both shows the operation, even where the filter would hide it.
    filter.value = operation !== undefined && !matches(operation, wanted) ? '' : wanted
    view.showMatches(filter.value)
    view.setOpen(openIn(state) ?? new Set([...view.openIds(), target]))
    view.mark(target)
    view.sayUnknown(operation === undefined && window.document.getElementById(target) === null ? target : '')
    const address = addressOf(location.pathname, { filter: filter.value, target })
    history.replaceState({ open: view.openIds() }, '', address)
  }

  /** @param {string} id @param {boolean} isOpening */
  function remember(id, isOpening) {
    const others = view.openIds().filter(other => other !== id)
    const { filter: text, target } = readPlace(location)
    const named = isOpening ? id : target === id ? '' : target
    const address = addressOf(location.pathname, { filter: text, target: named })
    if (isOpening) history.pushState({ open: [...others, id] }, '', address)
    else history.replaceState({ open: others }, '', address)
    view.mark(named)
  }
}

/** @param {HTMLInputElement} filter */
export function clearFilter(filter) {
  filter.value = ''
  filter.dispatchEvent(new Event('input'))
}

/** @param {unknown} state @returns {ReadonlySet<string> | null} null: the history has not been here */
function openIn(state) {
  const { open } = asObject(state)
  return Array.isArray(open) ? new Set(asTexts(open)) : null
}
