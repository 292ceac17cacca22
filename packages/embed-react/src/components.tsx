import { type CSSProperties, createElement, type Ref, useCallback, useEffect, useRef } from 'react'
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
}

const names = {
  onReady: 'hedron-ready',
  onView: 'hedron-view',
  onNavigate: 'hedron-navigate',
  onDashboardLoaded: 'hedron-dashboard-loaded',
  onDownload: 'hedron-download',
  onDrilldown: 'hedron-drilldown',
  onAiQuery: 'hedron-ai-query',
  onError: 'hedron-error',
} as const

interface FrameProps extends Handlers {
  /** Of the Hedron server. */
  readonly baseUrl: string
  /** Asks your own server for a session id: at first, and whenever the session ends. */
  readonly renewSession: () => Promise<string>
  readonly locale?: string
  readonly timezone?: string
  readonly colorScheme?: 'light' | 'dark' | 'auto'
  readonly theme?: HedronTheme
  /** Name of the frame for screen readers. */
  readonly title?: string
  readonly style?: CSSProperties
  readonly className?: string
  readonly ref?: Ref<HedronFrameElement>
}

export interface HedronDashboardProps extends FrameProps {
  readonly publicId: string
  readonly allowExport?: boolean
  readonly showHeader?: boolean
  /** Presets of controls in the format of the address: `f_orders.status={"value":"shipped"}&tg_orders.created_at=month`. */
  readonly controls?: string
}
export interface HedronChatProps extends FrameProps {
  readonly showHistory?: boolean
}
export interface HedronAppProps extends FrameProps {
  readonly deploymentId: number
}

/** A published dashboard. */
export function HedronDashboard({ publicId, allowExport, showHeader, controls, ...frame }: HedronDashboardProps) {
  return createElement(Frame, {
    ...frame,
    element: 'hedron-dashboard',
    attributes: {
      'public-id': publicId,
      'allow-export': allowExport === true ? 'true' : undefined,
      'show-dashboard-header': showHeader === false ? 'false' : undefined,
      controls,
    },
  })
}

/** The chat alone. */
export function HedronChat({ showHistory, ...frame }: HedronChatProps) {
  const attributes = { 'show-chat-history': showHistory === false ? 'false' : undefined }
  return createElement(Frame, { ...frame, element: 'hedron-chat', attributes })
}

/** The whole app, for sessions in creator mode. */
export function HedronApp({ deploymentId, ...frame }: HedronAppProps) {
  return createElement(Frame, {
    ...frame,
    element: 'hedron-app',
    attributes: { 'deployment-id': String(deploymentId) },
  })
}

interface ElementProps extends FrameProps {
  readonly element: string
  readonly attributes: Readonly<Record<string, string | undefined>>
}

function Frame(props: ElementProps) {
  const { element, attributes, baseUrl, locale, timezone, title, style, className, colorScheme, theme, ref } = props
  const frame = useRef<HedronFrameElement | null>(null)
  // Handlers may be made anew at each render: the element is told of none of that.
  const latest = useRef(props)
  latest.current = props

  const attach = useCallback(
    (node: HedronFrameElement | null) => {
      frame.current = node
      if (typeof ref === 'function') ref(node)
      else if (ref) ref.current = node
      if (node === null) return
      node.renewSession = () => latest.current.renewSession()
    },
    [ref],
  )
  useEffect(() => {
    loadHedron(baseUrl).catch(error => latest.current.onError?.({ message: String(error), fatal: true }))
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
  }, [baseUrl])
  useEffect(
    () => whenDefined(element, () => colorScheme && frame.current?.setColorScheme(colorScheme)),
    [element, colorScheme],
  )
  useEffect(() => whenDefined(element, () => theme && frame.current?.setTheme(theme)), [element, theme])
  useEffect(() => whenDefined(element, () => locale && frame.current?.setLocale(locale)), [element, locale])
  return createElement(element, {
    ref: attach,
    base: baseUrl,
    locale,
    timezone,
    title,
    style,
    class: className,
    ...attributes,
  })
}

function whenDefined(element: string, run: () => void): () => void {
  let isGone = false
  void customElements.whenDefined(element).then(() => isGone || run())
  return () => {
    isGone = true
  }
}
