/** @import { Operation, Place, Reference } from './types.d.ts' */
import { element } from './elements.js'
import { matches } from './filter.js'
import { addressOf, readPlace } from './place.js'
import { operationFold } from './render-operation.js'

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
export function showReference(document, reference, { list, contents, filter, count }) {
  /** @type {Map<string, { operation: Operation, fold: HTMLDetailsElement }>} */
  const byId = new Map()
  const sections = reference.groups.map(({ name, slug, description, operations }) => {
    const heading = element('h3', { id: `group-${slug}` }, name)
    const section = element('section', { class: 'group', 'aria-labelledby': heading.id }, heading)
    if (description !== '') section.append(element('p', { class: 'prose' }, description))
    const folds = operations.map(operation => {
      const fold = operationFold(document, operation, location.origin)
      fold.querySelector('summary')?.addEventListener('click', () => remember(operation.id, !fold.open))
      byId.set(operation.id, { operation, fold })
      return fold
    })
    section.append(element('div', { class: 'operations' }, ...folds))
    const tally = element('span', { class: 'tally' })
    const link = element('li', {}, element('a', { href: `#${heading.id}` }, name, ' ', tally))
    return { section, link, tally, operations }
  })
  const nothing = element('div', { class: 'notice', hidden: true })
  const unknown = element('p', { class: 'notice', role: 'status', hidden: true })
  list.replaceChildren(unknown, ...sections.map(({ section }) => section), nothing)
  contents.replaceChildren(...sections.map(({ link }) => link))

  filter.addEventListener('input', () => {
    const before = readPlace(location)
    const address = addressOf(location.pathname, { ...before, filter: filter.value })
    // One step back undoes the whole filter rather than one letter.
    if (before.filter === '' && filter.value !== '') history.pushState({ open: openIds() }, '', address)
    else history.replaceState({ open: openIds() }, '', address)
    showMatches(filter.value)
  })
  let isArriving = false
  addEventListener('popstate', ({ state }) => {
    const open = openIn(state)
    isArriving = open === null
    show(readPlace(location), open)
  })
  // A followed link leads somewhere new; going back, the browser restores where the reader was. Only now is the focus ours to move.
  addEventListener('hashchange', () => {
    if (isArriving) goTo(readPlace(location).target)
  })
  list.addEventListener('keydown', event => moveFocus(event, list))
  filter.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') moveFocus(event, list)
  })
  filter.disabled = false
  show(readPlace(location), openIn(history.state))
  goTo(readPlace(location).target)

  /** @param {Place} place @param {ReadonlySet<string> | null} open what history knows to have been open */
  function show({ filter: wanted, target }, open) {
    const aimed = byId.get(target)
    // An address that names both shows the operation, even where the filter would hide it.
    const filterText = aimed !== undefined && !matches(aimed.operation, wanted) ? '' : wanted
    if (filterText !== wanted)
      history.replaceState(history.state, '', addressOf(location.pathname, { filter: '', target }))
    filter.value = filterText
    showMatches(filterText)
    for (const [id, { fold }] of byId) {
      if (open !== null) fold.open = open.has(id)
      else if (id === target) fold.open = true
    }
    mark(target)
    const isUnknown = target !== '' && aimed === undefined && window.document.getElementById(target) === null
    unknown.hidden = !isUnknown
    history.replaceState({ open: openIds() }, '')
    unknown.textContent = `There is no operation “${target}” on this server. Its name may have changed: filter for a part of it.`
  }

  /** @param {string} target */
  function goTo(target) {
    const fold = byId.get(target)?.fold
    fold?.scrollIntoView()
    fold?.querySelector('summary')?.focus({ preventScroll: true })
  }

  /** @param {string} id @param {boolean} isOpening */
  function remember(id, isOpening) {
    const open = openIds().filter(other => other !== id)
    const { filter: text, target } = readPlace(location)
    if (isOpening) {
      history.pushState({ open: [...open, id] }, '', addressOf(location.pathname, { filter: text, target: id }))
      mark(id)
    } else {
      const left = target === id ? '' : target
      history.replaceState({ open }, '', addressOf(location.pathname, { filter: text, target: left }))
      mark(left)
    }
  }

  /** @param {string} text */
  function showMatches(text) {
    let shown = 0
    for (const { section, link, tally, operations } of sections) {
      const found = operations.filter(operation => matches(operation, text))
      for (const operation of operations) {
        const fold = byId.get(operation.id)?.fold
        if (fold !== undefined) fold.hidden = !found.includes(operation)
      }
      section.hidden = found.length === 0
      link.hidden = found.length === 0
      tally.textContent = String(found.length)
      shown += found.length
    }
    const { count: all } = reference
    count.textContent = shown === all ? `${all} operations` : `${shown} of ${all} operations`
    nothing.hidden = shown > 0
    if (shown === 0)
      nothing.replaceChildren(`No operation has “${text.trim()}” in its method, path, summary or id. `, clearButton())
  }

  function clearButton() {
    const button = element('button', { type: 'button' }, 'Show all')
    button.addEventListener('click', () => {
      clearFilter(filter)
      filter.focus()
    })
    return button
  }

  function openIds() {
    return [...byId].filter(([, { fold }]) => fold.open).map(([id]) => id)
  }

  /** @param {string} target */
  function mark(target) {
    for (const [id, { fold }] of byId) fold.classList.toggle('current', id === target)
  }
}

/** @param {HTMLInputElement} filter */
export function clearFilter(filter) {
  filter.value = ''
  filter.dispatchEvent(new Event('input'))
}

/** @param {unknown} state @returns {ReadonlySet<string> | null} */
const openIn = state =>
  typeof state === 'object' && state !== null && 'open' in state && Array.isArray(state.open)
    ? new Set(state.open)
    : null

/** Arrow keys go from operation to operation. @param {KeyboardEvent} event @param {HTMLElement} list */
function moveFocus(event, list) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const { target } = event
  if (step === 0 || !(target instanceof HTMLElement)) return
  if (list.contains(target) && !target.matches('.operation > summary')) return
  const lines = [...list.querySelectorAll('.operation > summary')].filter(
    line => line instanceof HTMLElement && line.checkVisibility(),
  )
  const next = lines[list.contains(target) ? lines.indexOf(target) + step : 0]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
