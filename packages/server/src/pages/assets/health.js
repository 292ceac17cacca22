/** @import { HealthKey } from './types.d.ts' */
import { asObject, asText } from './json.js'

const [interval, patience] = [5_000, 4_000]

/**
 * What the answer of `/readyz` says.
 *
 * @param {number | null} status null: no answer came
 * @returns {HealthKey}
 */
export function healthOf(status) {
  if (status === null || status === 502 || status === 504) return 'silent'
  return status === 200 ? 'ready' : 'starting'
}

/**
 * Asks `/readyz` every few seconds while the page is visible and shows the answer. The words come with the page.
 *
 * @param {HTMLElement} place where the server wrote the state
 * @param {HTMLElement} clock where the time of the last answer goes; outside the live region, so that nothing is read out
 */
export function watchHealth(place, clock) {
  /** @type {unknown} */
  const words = JSON.parse(place.dataset.words ?? '{}')
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let asking = false
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (!document.hidden) void check()
  })
  void check()

  async function check() {
    if (asking) return
    asking = true
    const started = performance.now()
    const status = await ask()
    const milliseconds = Math.max(1, Math.round(performance.now() - started))
    asking = false
    show(healthOf(status))
    const time = new Date().toLocaleTimeString([], {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    clock.textContent = status === null ? `asked ${time}` : `asked ${time}, ${milliseconds} ms`
    clearTimeout(timer)
    if (!document.hidden) timer = setTimeout(check, interval)
  }

  /** @param {HealthKey} key */
  function show(key) {
    if (place.dataset.health === key) return
    place.dataset.health = key
    const { label, explanation } = asObject(asObject(words)[key])
    for (const [part, text] of Object.entries({ label, explanation })) {
      const element = place.querySelector(`[data-part="${part}"]`)
      if (element !== null) element.textContent = asText(text)
    }
  }
}

async function ask() {
  try {
    const response = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(patience) })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}
