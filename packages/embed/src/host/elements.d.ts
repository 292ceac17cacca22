/** Types of `/embed.js`: the elements that it defines, their events and methods. */
export interface HedronEvents {
  readonly ready: {
    readonly embedTenant: string | null
    readonly deploymentId: number | null
    readonly mode: 'signed' | 'private'
    readonly surface: 'dashboard' | 'chat' | 'app'
    readonly publicId?: string
  }
  readonly view: {
    readonly surface: string
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
  readonly drilldown: { readonly member: string; readonly value?: unknown; readonly widgetId?: string }
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
  readonly 'session-expiring': { readonly reason: 'ending' | 'ended' | 'used'; readonly secondsLeft: number }
  readonly resize: { readonly height: number }
}

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
  /** Asks your server for a new session id. Called when the frame has none, when its session ends soon, and when it has ended. */
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
