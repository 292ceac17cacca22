import { startCopying } from './copy.js'
import { element, served } from './elements.js'
import { watchHealth } from './health.js'
import { startKeys } from './keys.js'
import { LoadError, loadDocument } from './load-document.js'
import { readReference } from './operations.js'
import { showReference } from './reference.js'

const patience = 30_000
const [skeletonAfter, progressAfter] = [200, 2_000]

const list = served('reference', HTMLElement)
const filter = served('filter', HTMLInputElement)
const address = list.dataset.document ?? ''

// The address that reached the server is the one that works from here, whatever a proxy told it.
for (const base of document.querySelectorAll('[data-base]')) base.textContent = location.origin
startCopying(served('announcer', HTMLElement))
watchHealth(served('health', HTMLElement), served('asked', HTMLElement))
startKeys(filter)
void load()

async function load() {
  const cancel = new AbortController()
  const amount = element('span', {}, 'Waiting for the first byte.')
  list.setAttribute('aria-busy', 'true')
  list.replaceChildren()
  const skeletonTimer = setTimeout(() => list.replaceChildren(skeleton()), skeletonAfter)
  const progressTimer = setTimeout(() => list.prepend(progress()), progressAfter)
  try {
    const signal = AbortSignal.any([cancel.signal, AbortSignal.timeout(patience)])
    const onProgress = (/** @type {number} */ count) => {
      amount.textContent = `${Math.round(count / 1024)} KB so far.`
    }
    const spec = await loadDocument(address, { fetch: (url, options) => fetch(url, options), signal, onProgress })
    stopWaiting()
    const reference = readReference(spec)
    served('api', HTMLElement).textContent = `${reference.version}, ${reference.count} operations`
    const [contents, count] = [served('contents', HTMLElement), served('count', HTMLElement)]
    showReference(spec, reference, { list, contents, filter, count })
  } catch (error) {
    stopWaiting()
    if (!(error instanceof LoadError)) throw error
    list.replaceChildren(failure(error))
  }

  function stopWaiting() {
    clearTimeout(skeletonTimer)
    clearTimeout(progressTimer)
    list.removeAttribute('aria-busy')
  }

  function progress() {
    const button = element('button', { type: 'button' }, 'Cancel')
    button.addEventListener('click', () => cancel.abort())
    return element('p', { class: 'notice' }, 'Loading the reference. ', amount, ' ', button)
  }
}

/** Lines where lines will be. */
function skeleton() {
  const line = () => element('div', { class: 'line' }, element('span'), element('span'), element('span'))
  return element('div', { class: 'skeleton', 'aria-hidden': 'true' }, ...Array.from({ length: 8 }, line))
}

/** @param {LoadError} error */
function failure({ message, advice, code }) {
  const button = element('button', { type: 'button' }, 'Try again')
  button.addEventListener('click', () => void load())
  return element(
    'div',
    { class: 'notice failed', role: 'alert' },
    element('p', {}, element('strong', {}, `The reference cannot be shown: ${message}`)),
    element('p', {}, `${advice} Code to quote: `, element('code', {}, code)),
    button,
  )
}
