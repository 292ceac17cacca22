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

/** How long a host may take to give a session id, in milliseconds: one that never answers must not hold the frame for ever. */
const longestWait = 30_000
/** Waits between attempts to get one; after the last the frame asks again itself, when somebody looks at it. */
const pauses = [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000]

abstract class HedronFrame extends HTMLElement {
  static readonly observedAttributes = ['public-id', 'deployment-id', 'base']

  /**
   * Asks the host's server for a new session id: when the frame has none, when its session ends soon, and when it has ended. One that was set before
   * this script came is kept; without one `session-url` is asked.
   */
  renewSession: (() => Promise<string> | string) | null = Reflect.get(this, 'renewSession') ?? null
  #frame: HTMLIFrameElement | null = null
  #origin = home
  /** Counts openings: what began for an earlier one is of no use any more. */
  #opening = 0
  /** The opening that a session is being got for. */
  #renewing = 0
  /** The `session` attribute that an earlier frame was opened with: an id is good once. */
  #spent: string | null = null
  /** Messages that were sent before the frame could hear them. */
  #waiting: [type: string, payload: object][] = []
  /** Look and language that were asked for last, for a frame that is loaded again. */
  #lasting = new Map<string, object>()
  #isReady = false

  abstract get path(): string

  connectedCallback(): void {
    addEventListener('message', this.#hear)
    this.style.display ||= 'block'
    void this.#open()
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#hear)
    this.#close()
  }

  /** Another dashboard in the same element is another frame, with a session of its own. */
  attributeChangedCallback(_name: string, before: string | null, now: string | null): void {
    if (this.#frame === null || before === now) return
    this.#close()
    void this.#open()
  }

  setColorScheme(scheme: string): void {
    this.#last('set-color-scheme', { scheme })
  }
  setTheme(theme: object): void {
    this.#last('set-theme', { ...this.#lasting.get('set-theme'), ...theme })
  }
  setLocale(locale: string): void {
    this.#last('set-locale', { locale })
  }
  setTimezone(timezone: string): void {
    this.#last('set-timezone', { timezone })
  }
  setFilter(member: string, value: unknown, operator?: string): void {
    const text = value === null ? '' : JSON.stringify({ value, ...(operator ? { operator } : {}) })
    this.#send('set-filter', { filterUrlParameter: `f_${member}=${text}` })
  }
  navigate(path: string): void {
    this.#send('navigate', { path })
  }
  refresh(): void {
    this.#send('refresh', {})
  }

  /** For what holds until it is set anew. */
  #last(type: string, payload: object): void {
    this.#lasting.set(type, payload)
    if (this.#isReady) this.#post(`cube:action:${type}`, payload)
  }

  #send(type: string, payload: object): void {
    if (this.#isReady) this.#post(`cube:action:${type}`, payload)
    else this.#waiting.push([type, payload])
  }

  #post(type: string, payload: object): void {
    const message = { source: 'cube-embed', direction: 'action', type, payload, timestamp: Date.now() }
    this.#frame?.contentWindow?.postMessage(message, this.#origin)
  }

  async #open(): Promise<void> {
    const opening = ++this.#opening
    // What makes the element sets its properties right after it is put into the page.
    await null
    const given = this.getAttribute('session')
    let session = given === this.#spent ? null : given
    let isLate = false
    try {
      session ??= await this.#newSession()
    } catch (error) {
      isLate = true
      this.#tell('error', { message: String(error), context: 'renewSession', fatal: true })
    }
    if (!this.isConnected || opening !== this.#opening) return
    this.#spent = given
    this.#origin = new URL(this.getAttribute('base') ?? home, location.href).origin
    const frame = document.createElement('iframe')
    frame.src = this.#address(session ?? given)
    frame.title = this.getAttribute('title') ?? 'Hedron'
    frame.allow = 'clipboard-write; fullscreen'
    frame.style.cssText = 'display:block;width:100%;height:100%;min-height:240px;border:0'
    frame.addEventListener('load', () => {
      // The first message tells the frame whose page it is in, where the browser does not.
      this.#post('hedron:action:hello', {})
      if (isLate) void this.#renew()
      // Loaded once more, such as by a button in it, its address has no session any more.
      isLate = true
    })
    this.#frame = frame
    this.append(frame)
  }

  #close(): void {
    this.#opening++
    this.#frame?.remove()
    this.#frame = null
    this.#isReady = false
  }

  #address(session: string | null): string {
    const url = new URL(this.path, this.#origin)
    for (const { name, value } of Array.from(this.attributes)) {
      const parameter = parameters[name]
      if (parameter !== undefined) url.searchParams.set(parameter, value)
    }
    const controls = new URLSearchParams(this.getAttribute('controls') ?? '')
    for (const [name, value] of controls) if (/^(?:f|tg|ms)_/.test(name)) url.searchParams.set(name, value)
    if (session !== null) url.searchParams.set('session', session)
    return url.href
  }

  #hear = (event: MessageEvent): void => {
    const { data, origin, source } = event
    if (this.#frame === null || source !== this.#frame.contentWindow || origin !== this.#origin) return
    if (data?.source !== 'cube-embed' || data.direction !== 'event' || typeof data.type !== 'string') return
    const type = data.type.replace(/^(?:cube|hedron):event:/, '')
    const payload = data.payload ?? {}
    if (type === 'resize') {
      if (this.getAttribute('fit') !== 'none') this.#frame.style.height = `${payload.height}px`
    } else if (type === 'session-expiring') void this.#renew()
    else if (type === 'ready') this.#becomeReady()
    this.#tell(type, payload)
  }

  #becomeReady(): void {
    this.#isReady = true
    for (const [type, payload] of this.#lasting) this.#post(`cube:action:${type}`, payload)
    for (const [type, payload] of this.#waiting.splice(0)) this.#post(`cube:action:${type}`, payload)
  }

  /** Until there is a session id or the frame is gone; the host's server may be away for a while, as after a laptop slept. */
  async #renew(): Promise<void> {
    const opening = this.#opening
    if (this.#renewing === opening) return
    this.#renewing = opening
    try {
      for (const pause of pauses) {
        try {
          const sessionId = await this.#newSession()
          if (sessionId !== null && opening === this.#opening) this.#post('hedron:action:renew-session', { sessionId })
          return
        } catch (error) {
          this.#tell('error', { message: String(error), context: 'renewSession' })
        }
        await new Promise(resolve => setTimeout(resolve, pause))
        if (opening !== this.#opening) return
      }
    } finally {
      if (this.#renewing === opening) this.#renewing = 0
    }
  }

  /**
   * By the callback, else by a POST to `session-url` of the host's server, which answers `{ "sessionId": … }`. Null: the host gives none.
   *
   * @throws {Error} where it fails, answers something else, or takes too long.
   */
  async #newSession(): Promise<string | null> {
    const url = this.getAttribute('session-url')
    if (this.renewSession === null && url === null) return null
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`no session within ${longestWait / 1000} s`)), longestWait)
    try {
      const sessionId = await Promise.race([this.renewSession?.() ?? askHost(url ?? ''), late])
      if (typeof sessionId !== 'string' || sessionId === '') throw new Error('the host gave no session id')
      return sessionId
    } finally {
      clearTimeout(timer)
    }
  }

  #tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(`hedron-${type}`, { detail, bubbles: true, composed: true }))
  }
}

async function askHost(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(longestWait)
  const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' }, signal })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  const { sessionId }: { sessionId?: unknown } = await response.json()
  return sessionId
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
