import { type CSSProperties, createElement, type ForwardedRef, forwardRef, useCallback, useEffect, useRef } from 'react'
import type { HedronEvents, HedronFrameElement, HedronTheme } from './elements.ts'
import { loadHedron } from './load.ts'

type Handlers = {
  readonly onReady?: (event: HedronEvents['ready']) => void
  readonly onView?: (event: HedronEvents['view']) => void
  readonly onNavigate?: (event: HedronEvents['navigate']) => void
  readonly onDashboardLoaded?: (event: HedronEvents['dashboard-loaded']) => void
  readonly onDownload?: (event: HedronEvents['download']) => void
  readonly onDrilldown?: (event: HedronEvents['drilldown']) => void
  readonly onAiQuery?: (event: HedronEvents['ai-query']) => void
  readonly onError?: (event: HedronEvents['error']) => void
  readonly onSessionExpiring?: (event: HedronEvents['session-expiring']) => void
  readonly onResize?: (event: HedronEvents['resize']) => void
}

const names: Readonly<Record<keyof Handlers, `hedron-${keyof HedronEvents}`>> = {
  onReady: 'hedron-ready',
  onView: 'hedron-view',
  onNavigate: 'hedron-navigate',
  onDashboardLoaded: 'hedron-dashboard-loaded',
  onDownload: 'hedron-download',
  onDrilldown: 'hedron-drilldown',
  onAiQuery: 'hedron-ai-query',
  onError: 'hedron-error',
  onSessionExpiring: 'hedron-session-expiring',
  onResize: 'hedron-resize',
}

interface FrameProps extends Handlers {
  /** Of the Hedron server. */
  readonly baseUrl: string
  /** Asks your own server for a session id: at first, and whenever the session ends. */
  readonly renewSession: () => Promise<string>
  /** Language and zone can be changed while the frame is shown. */
  readonly locale?: string
  readonly timezone?: string
  readonly colorScheme?: 'light' | 'dark' | 'auto'
  readonly theme?: HedronTheme
  /** Name of the frame for screen readers. */
  readonly title?: string
  /** `none`: as high as its style says; else as high as its content. */
  readonly fit?: 'none'
  readonly style?: CSSProperties
  readonly className?: string
}

export interface HedronDashboardProps extends FrameProps {
  /** Another id is another frame, with a session of its own. */
  readonly publicId: string
  readonly allowExport?: boolean
  readonly showHeader?: boolean
  readonly showTitle?: boolean
  readonly showBackButton?: boolean
  readonly showEditButton?: boolean
  readonly showDuplicateButton?: boolean
  readonly showExportMenu?: boolean
  /** Presets of controls in the format of the address: `f_orders.status={"value":"shipped"}&tg_orders.created_at=month`. */
  readonly controls?: string
}
export interface HedronChatProps extends FrameProps {
  readonly showNewChat?: boolean
  readonly showInput?: boolean
  readonly showHistory?: boolean
}
export interface HedronAppProps extends FrameProps {
  readonly deploymentId: number
  readonly showWorkbookBackButton?: boolean
}

/** A published dashboard. What shows and allows holds for the life of a frame: it is read once. */
export const HedronDashboard = forwardRef<HedronFrameElement, HedronDashboardProps>((props, ref) => {
  const { publicId, controls, allowExport, showHeader, showTitle, showBackButton, showEditButton, ...rest } = props
  const { showDuplicateButton, showExportMenu, ...frame } = rest
  const attributes = {
    'public-id': publicId,
    controls,
    'allow-export': allowExport === true ? 'true' : undefined,
    'show-dashboard-header': hidden(showHeader),
    'show-dashboard-title': hidden(showTitle),
    'show-dashboard-back-button': hidden(showBackButton),
    'show-dashboard-edit-button': hidden(showEditButton),
    'show-dashboard-duplicate-button': hidden(showDuplicateButton),
    'show-dashboard-export-menu': hidden(showExportMenu),
  }
  return createElement(Frame, { ...frame, element: 'hedron-dashboard', attributes, frameRef: ref })
})
HedronDashboard.displayName = 'HedronDashboard'

/** The chat alone. */
export const HedronChat = forwardRef<HedronFrameElement, HedronChatProps>((props, ref) => {
  const { showNewChat, showInput, showHistory, ...frame } = props
  const attributes = {
    'show-new-chat': hidden(showNewChat),
    'show-chat-input': hidden(showInput),
    'show-chat-history': hidden(showHistory),
  }
  return createElement(Frame, { ...frame, element: 'hedron-chat', attributes, frameRef: ref })
})
HedronChat.displayName = 'HedronChat'

/** The whole app, for sessions in creator mode. */
export const HedronApp = forwardRef<HedronFrameElement, HedronAppProps>((props, ref) => {
  const { deploymentId, showWorkbookBackButton, ...frame } = props
  const attributes = {
    'deployment-id': String(deploymentId),
    'show-workbook-back-button': hidden(showWorkbookBackButton),
  }
  return createElement(Frame, { ...frame, element: 'hedron-app', attributes, frameRef: ref })
})
HedronApp.displayName = 'HedronApp'

/** What hides is the literal `false`. */
const hidden = (shows: boolean | undefined) => (shows === false ? 'false' : undefined)

interface ElementProps extends FrameProps {
  readonly element: 'hedron-dashboard' | 'hedron-chat' | 'hedron-app'
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly frameRef: ForwardedRef<HedronFrameElement>
}

function Frame(props: ElementProps) {
  const { element, attributes, baseUrl, locale, timezone, title, fit, style, className, colorScheme, theme } = props
  const { frameRef } = props
  const frame = useRef<HedronFrameElement | null>(null)
  // Handlers may be made anew at each render: the element is told of none of that.
  const latest = useRef(props)
  latest.current = props

  const attach = useCallback(
    (node: HedronFrameElement | null) => {
      frame.current = node
      if (typeof frameRef === 'function') frameRef(node)
      else if (frameRef) frameRef.current = node
      if (node !== null) node.renewSession = () => latest.current.renewSession()
    },
    [frameRef],
  )
  useEffect(() => {
    loadHedron(baseUrl).catch(error => latest.current.onError?.({ message: String(error), fatal: true }))
  }, [baseUrl])
  useEffect(() => {
    const node = frame.current
    if (node === null) return
    const stops = Object.entries(names).map(([prop, name]) => {
      const hear = (event: Event) => {
        if (!(event instanceof CustomEvent)) return
        const handlers: Readonly<Record<string, unknown>> = { ...latest.current }
        const handle = handlers[prop]
        if (typeof handle === 'function') handle(event.detail)
      }
      node.addEventListener(name, hear)
      return () => node.removeEventListener(name, hear)
    })
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  useWhenDefined(element, colorScheme, scheme => frame.current?.setColorScheme(scheme))
  useWhenDefined(element, theme, look => frame.current?.setTheme(look))
  useWhenDefined(element, locale, language => frame.current?.setLocale(language))
  useWhenDefined(element, timezone, zone => frame.current?.setTimezone(zone))
  const address = { base: baseUrl, locale, timezone, title, fit }
  return createElement(element, { ref: attach, style, class: className, ...address, ...attributes })
}

/** Tells the element of a value and of each that follows it, once the element is one: its script may come later than React. */
function useWhenDefined<T>(element: string, value: T | undefined, tell: (value: T) => void): void {
  const latest = useRef(tell)
  latest.current = tell
  // By its content: a value that is written in the markup is another object at each render.
  const key = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value
  useEffect(() => {
    let isGone = false
    void customElements.whenDefined(element).then(() => isGone || value === undefined || latest.current(value))
    return () => {
      isGone = true
    }
  }, [element, key])
}
