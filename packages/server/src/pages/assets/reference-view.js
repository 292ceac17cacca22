/** @import { Group, Operation, Reference } from './types.d.ts' */
import { element } from './elements.js'
import { matches } from './filter.js'
import { operationFold } from './render-operation.js'

/**
 * The reference on the page, and what may be done to it. It knows nothing of addresses.
 *
 * @param {unknown} document the OpenAPI document
 * @param {Reference} reference
 * @param {object} places
 * @param {HTMLElement} places.list
 * @param {HTMLElement} places.contents links to the groups
 * @param {HTMLElement} places.count says how many operations are shown
 * @param {object} events
 * @param {(id: string, isOpening: boolean) => void} events.onToggle the reader opens or closes an operation
 * @param {() => void} events.onShowAll the reader has filtered everything away and wants it back
 */
export function createView(document, reference, { list, contents, count }, { onToggle, onShowAll }) {
  const groups = reference.groups.map(group => renderGroup(document, group, onToggle))
  const lines = new Map(groups.flatMap(group => group.lines.map(line => [line.operation.id, line])))
  const showAll = element('button', { type: 'button' }, 'Show all')
  showAll.addEventListener('click', onShowAll)
  const missed = element('span')
  const nothing = element('div', { class: 'notice', hidden: true }, missed, ' ', showAll)
  const unknown = element('p', { class: 'notice', role: 'status', hidden: true })
  list.replaceChildren(unknown, ...groups.map(({ section }) => section), nothing)
  contents.replaceChildren(...groups.map(({ link }) => link))
  list.addEventListener('keydown', event => moveFocus(event, list))

  return {
    /** @param {string} id @returns {Operation | undefined} */
    operation: id => lines.get(id)?.operation,

    openIds: () => [...lines].filter(([, { fold }]) => fold.open).map(([id]) => id),

    /** @param {ReadonlySet<string>} ids what is to be open; all else is closed */
    setOpen(ids) {
      for (const [id, { fold }] of lines) fold.open = ids.has(id)
    },

    /** Marks the operation that the address names. @param {string} id */
    mark(id) {
      for (const [other, { fold }] of lines) fold.classList.toggle('current', other === id)
    },

    /** @param {string} id */
    goTo(id) {
      const fold = lines.get(id)?.fold
      fold?.scrollIntoView()
      fold?.querySelector('summary')?.focus({ preventScroll: true })
    },

    /** @param {string} id the name of no operation; empty: nothing is to be said */
    sayUnknown(id) {
      unknown.hidden = id === ''
      unknown.textContent = `There is no operation “${id}” on this server. Its name may have changed: filter for a part of it.`
    },

    /** @param {string} filter */
    showMatches(filter) {
      let shown = 0
      for (const { section, link, tally, lines: members } of groups) {
        let found = 0
        for (const { operation, fold } of members) {
          fold.hidden = !matches(operation, filter)
          if (!fold.hidden) found++
        }
        section.hidden = found === 0
        link.hidden = found === 0
        tally.textContent = String(found)
        shown += found
      }
      const { count: all } = reference
      count.textContent = shown === all ? `${all} operations` : `${shown} of ${all} operations`
      missed.textContent = `No operation has “${filter.trim()}” in its method, path, summary or id.`
      nothing.hidden = shown > 0
    },
  }
}

/** @param {unknown} document @param {Group} group @param {(id: string, isOpening: boolean) => void} onToggle */
function renderGroup(document, { name, slug, description, operations }, onToggle) {
  const heading = element('h3', { id: `group-${slug}` }, name)
  const lines = operations.map(operation => {
    const fold = operationFold(document, operation, location.origin)
    // Not `toggle`, which also follows what the page itself opens.
    fold.querySelector('summary')?.addEventListener('click', () => onToggle(operation.id, !fold.open))
    return { operation, fold }
  })
  const section = element(
    'section',
    { class: 'group', 'aria-labelledby': heading.id },
    heading,
    description === '' ? null : element('p', { class: 'prose' }, description),
    element('div', { class: 'operations' }, ...lines.map(({ fold }) => fold)),
  )
  const tally = element('span', { class: 'tally' })
  const link = element('li', {}, element('a', { href: `#${heading.id}` }, name, ' ', tally))
  return { section, link, tally, lines }
}

/**
 * Arrow keys go from operation to operation; from outside the list, to the first one.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLElement} list
 */
export function moveFocus(event, list) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const { target } = event
  if (step === 0 || !(target instanceof HTMLElement)) return
  const isInside = list.contains(target)
  if (isInside && !target.matches('.operation > summary')) return
  const lines = [...list.querySelectorAll('.operation > summary')].filter(line => line.checkVisibility())
  const next = lines[isInside ? lines.indexOf(target) + step : 0]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
