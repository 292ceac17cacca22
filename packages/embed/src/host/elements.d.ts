/** Types of `/embed.js`: the elements that it defines, their events and methods. The one source of them: frames and the React package import it. */

/** What a frame tells its host (contract/behaviour/embed.md section 9), and two events of ours: `session-expiring` and `resize`. */
export interface HedronEvents {
  readonly ready: {
    readonly embedTenant: string | null
    readonly deploymentId: number | null
    readonly mode: 'signed' | 'private'
    readonly surface: 'dashboard' | 'chat' | 'app'
    readonly publicId?: string
  }
  readonly view: {
    readonly surface: 'dashboard' | 'chat' | 'app'
    readonly path: string
    readonly publicId?: string
    readonly title?: string
  }
  readonly navigate: { readonly path: string; readonly previousPath?: string }
  readonly 'dashboard-loaded': {
    readonly publicId?: string
    readonly widgetCount?: number
    readonly loadDurationMs?: number
  }
  readonly download: {
    readonly format: 'csv' | 'xlsx' | 'png' | 'pdf'
    readonly target: 'widget' | 'dashboard'
    readonly widgetId?: string
    readonly title?: string
    readonly rowCount?: number
  }
  readonly drilldown: {
    readonly member: string
    readonly value?: string | number | boolean | null
    readonly widgetId?: string
  }
  readonly 'ai-query': {
    readonly query: string
    readonly status: 'submitted' | 'completed' | 'error'
    readonly chatId?: string
    readonly agentId?: string
  }
  readonly error: {
    readonly message: string
    readonly name?: string
    readonly context?: string
    readonly fatal?: boolean
  }
  /** The session ends soon, or has: a new session id is wanted, which `renewSession` gives by itself. */
  readonly 'session-expiring': { readonly reason: 'ending' | 'ended' | 'used'; readonly secondsLeft: number }
  /** How high the content is, in pixels. */
  readonly resize: { readonly height: number }
}

/** The look of one frame; any CSS colours. */
export interface HedronTheme {
  readonly primaryColor?: string
  readonly font?: string
  readonly borderRadius?: string | number
  readonly analyticsChat?: {
    readonly backgroundColor?: string
    readonly chatInput?: { readonly backgroundColor?: string; readonly borderColor?: string }
  }
  readonly chat?: { readonly inputColor?: string }
}

export interface HedronFrameElement extends HTMLElement {
  /**
   * Asks your server for a new session id. Called when the frame has none, when its session ends soon, and when it has ended; called again, ever
   * less often, where it fails or has no answer within half a minute.
   */
  renewSession: (() => Promise<string> | string) | null
  setColorScheme(scheme: 'light' | 'dark' | 'auto'): void
  setTheme(theme: HedronTheme): void
  setLocale(locale: string): void
  setTimezone(timezone: string): void
  /** @param member `<view>.<dimension>` of a filter on the dashboard. @param value null: nothing is filtered. */
  setFilter(member: string, value: unknown, operator?: string): void
  navigate(path: string): void
  /** Asks everything anew. */
  refresh(): void
  addEventListener<E extends keyof HedronEvents>(
    type: `hedron-${E}`,
    listener: (event: CustomEvent<HedronEvents[E]>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

declare global {
  interface HTMLElementTagNameMap {
    'hedron-dashboard': HedronFrameElement
    'hedron-chat': HedronFrameElement
    'hedron-app': HedronFrameElement
  }
}
