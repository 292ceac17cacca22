/**
 * `/embed.js`: the frames of Hedron as elements for the pages of hosts. One script without imports, that knows nothing of React or of the frames'
 * insides: it writes the address of a frame, hears its events and sends it messages (contract/behaviour/embed.md sections 4 and 9). Types for
 * TypeScript are in `elements.d.ts`, served as `/embed.d.ts`.
 */
type Attributes = Readonly<Record<string, string>>

const script = document.currentScript
const home = script instanceof HTMLScriptElement ? new URL(script.src).origin : location.origin

/** Attributes that stand in the address under the name of a parameter; the rest of an element's attributes is its own. */
const parameters: Attributes = {
  locale: 'locale',
  timezone: 'timezone',
  'allow-export': 'allowExport',
  'show-dashboard-export-menu': 'showDashboardExportMenu',
  'show-dashboard-header': 'showDashboardHeader',
  'show-dashboard-back-button': 'showDashboardBackButton',
  'show-dashboard-title': 'showDashboardTitle',
  'show-dashboard-edit-button': 'showDashboardEditButton',
  'show-dashboard-duplicate-button': 'showDashboardDuplicateButton',
  'show-workbook-back-button': 'showWorkbookBackButton',
  'show-new-chat': 'showNewChat',
  'show-chat-input': 'showChatInput',
  'show-chat-history': 'showChatHistory',
}

abstract class HedronFrame extends HTMLElement {
  /**
   * Asks the host's server for a new session id: when the frame has none, when its session ends soon, and when it has ended. One that was set before
   * this script came is kept; without one `session-url` is asked.
   */
  renewSession: (() => Promise<string> | string) | null = Reflect.get(this, 'renewSession') ?? null
  #frame: HTMLIFrameElement | null = null
  #origin = home
  #isRenewing = false
  /** Messages that were sent before the frame could hear them. */
  #waiting: [type: string, payload: object][] = []
  #isReady = false

  abstract get path(): string

  connectedCallback(): void {
    this.#origin = new URL(this.getAttribute('base') ?? home, location.href).origin
    addEventListener('message', this.#hear)
    this.style.display ||= 'block'
    void this.#open()
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#hear)
    this.#frame?.remove()
    this.#frame = null
    this.#isReady = false
  }

  setColorScheme(scheme: string): void {
    this.send('set-color-scheme', { scheme })
  }
  setTheme(theme: object): void {
    this.send('set-theme', theme)
  }
  setLocale(locale: string): void {
    this.send('set-locale', { locale })
  }
  setTimezone(timezone: string): void {
    this.send('set-timezone', { timezone })
  }
  setFilter(member: string, value: unknown, operator?: string): void {
    const text = value === null ? '' : JSON.stringify({ value, ...(operator ? { operator } : {}) })
    this.send('set-filter', { filterUrlParameter: `f_${member}=${text}` })
  }
  navigate(path: string): void {
    this.send('navigate', { path })
  }
  refresh(): void {
    this.send('refresh', {})
  }

  send(type: string, payload: object): void {
    if (!this.#isReady) {
      this.#waiting.push([type, payload])
      return
    }
    this.#post(`cube:action:${type}`, payload)
  }

  #post(type: string, payload: object): void {
    const message = { source: 'cube-embed', direction: 'action', type, payload, timestamp: Date.now() }
    this.#frame?.contentWindow?.postMessage(message, this.#origin)
  }

  async #open(): Promise<void> {
    // What makes the element sets its properties right after it is put into the page.
    await null
    let session = this.getAttribute('session')
    try {
      session ??= await this.#newSession()
    } catch (error) {
      this.#tell('error', { message: String(error), context: 'renewSession', fatal: true })
    }
    if (!this.isConnected || this.#frame !== null) return
    const url = new URL(this.path, this.#origin)
    for (const { name, value } of Array.from(this.attributes)) {
      const parameter = parameters[name]
      if (parameter !== undefined) url.searchParams.set(parameter, value)
    }
    const filters = new URLSearchParams(this.getAttribute('controls') ?? '')
    for (const [name, value] of filters) if (/^(?:f|tg|ms)_/.test(name)) url.searchParams.set(name, value)
    if (session !== null) url.searchParams.set('session', session)
    const frame = document.createElement('iframe')
    frame.src = url.href
    frame.title = this.getAttribute('title') ?? 'Hedron'
    frame.allow = 'clipboard-write; fullscreen'
    frame.style.cssText = 'display:block;width:100%;height:100%;min-height:240px;border:0'
    // The first message tells the frame whose page it is in, where the browser does not.
    frame.addEventListener('load', () => this.#post('hedron:action:hello', {}))
    this.#frame = frame
    this.append(frame)
  }

  #hear = (event: MessageEvent): void => {
    const { data, origin, source } = event
    if (source !== this.#frame?.contentWindow || origin !== this.#origin) return
    if (data?.source !== 'cube-embed' || data.direction !== 'event' || typeof data.type !== 'string') return
    const type = data.type.replace(/^(?:cube|hedron):event:/, '')
    const payload = data.payload ?? {}
    if (type === 'resize') {
      if (this.getAttribute('fit') !== 'none' && this.#frame !== null) this.#frame.style.height = `${payload.height}px`
    } else if (type === 'session-expiring') void this.#renew()
    else this.#becomeReady()
    this.#tell(type, payload)
  }

  #becomeReady(): void {
    this.#isReady = true
    for (const [type, payload] of this.#waiting.splice(0)) this.send(type, payload)
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    try {
      const sessionId = await this.#newSession()
      if (sessionId === null) return
      this.#post('hedron:action:renew-session', { sessionId })
    } catch (error) {
      this.#tell('error', { message: String(error), context: 'renewSession' })
    } finally {
      this.#isRenewing = false
    }
  }

  /** By the callback, else by a POST to `session-url` of the host's server, which answers `{ "sessionId": … }`. */
  async #newSession(): Promise<string | null> {
    if (this.renewSession !== null) return this.renewSession()
    const url = this.getAttribute('session-url')
    if (url === null) return null
    const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    const { sessionId }: { sessionId?: unknown } = await response.json()
    return String(sessionId)
  }

  #tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(`hedron-${type}`, { detail, bubbles: true, composed: true }))
  }
}

const segment = (text: string | null) => encodeURIComponent(text ?? '')

class HedronDashboard extends HedronFrame {
  get path() {
    return `/embed/dashboard/${segment(this.getAttribute('public-id'))}`
  }
}
class HedronChat extends HedronFrame {
  get path() {
    return '/embed/chat'
  }
}
class HedronApp extends HedronFrame {
  get path() {
    return `/embed/d/${segment(this.getAttribute('deployment-id'))}/app`
  }
}

for (const [name, element] of [
  ['hedron-dashboard', HedronDashboard],
  ['hedron-chat', HedronChat],
  ['hedron-app', HedronApp],
] as const) {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}
