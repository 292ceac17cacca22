/** What the elements of `/embed.js` tell and take; the same as its own `embed.d.ts`. */
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
  }
  readonly error: {
    readonly message: string
    readonly name?: string
    readonly context?: string
    readonly fatal?: boolean
  }
  readonly 'session-expiring': { readonly reason: 'ending' | 'ended' | 'used'; readonly secondsLeft: number }
}

export interface HedronTheme {
  readonly primaryColor?: string
  readonly font?: string
  readonly borderRadius?: string | number
}

/** An element of `/embed.js`. */
export interface HedronFrameElement extends HTMLElement {
  renewSession: (() => Promise<string> | string) | null
  setColorScheme(scheme: 'light' | 'dark' | 'auto'): void
  setTheme(theme: HedronTheme): void
  setLocale(locale: string): void
  setTimezone(timezone: string): void
  setFilter(member: string, value: unknown, operator?: string): void
  navigate(path: string): void
  refresh(): void
}
