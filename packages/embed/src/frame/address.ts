/** The three pages that hosts put into frames (contract/behaviour/embed.md section 4). */
export type Surface = 'dashboard' | 'chat' | 'app'

/** What the address of a frame says, read once when it loads; it holds for the life of the frame. */
export interface FrameAddress {
  readonly surface: Surface
  /** Of a dashboard. */
  readonly publicId: string | null
  /** Of the app. */
  readonly deploymentId: number | null
  /** Good for one exchange; null: whoever looks is signed in, or nobody. */
  readonly sessionId: string | null
  readonly locale: string | null
  readonly timezone: string | null
  /** Presets of controls by parameter, such as `f_orders.status`. */
  readonly controls: ReadonlyMap<string, string>
  readonly switches: FrameSwitches
}

/** What parameters grant or hide. A grant is the literal `true`, a hiding the literal `false`; anything else does nothing. */
export interface FrameSwitches {
  readonly allowExport: boolean
  readonly showDashboardExportMenu: boolean
  readonly showDashboardHeader: boolean
  readonly showDashboardBackButton: boolean
  readonly showDashboardTitle: boolean
  readonly showDashboardEditButton: boolean
  readonly showDashboardDuplicateButton: boolean
  readonly showWorkbookBackButton: boolean
  readonly showNewChat: boolean
  readonly showChatInput: boolean
  readonly showChatHistory: boolean
}

const controlPrefix = /^(?:f|tg|ms)_/

export function readAddress({
  pathname,
  search,
}: {
  readonly pathname: string
  readonly search: string
}): FrameAddress {
  const query = new URLSearchParams(search)
  const [, publicId] = /^\/embed\/dashboard\/([^/]+)\/?$/.exec(pathname) ?? []
  const [, deploymentId] = /^\/embed\/d\/(\d+)\/app(?:\/|$)/.exec(pathname) ?? []
  return {
    surface: publicId !== undefined ? 'dashboard' : deploymentId !== undefined ? 'app' : 'chat',
    publicId: publicId === undefined ? null : decodeURIComponent(publicId),
    deploymentId: deploymentId === undefined ? null : Number(deploymentId),
    // Published pages name it differently; each takes both.
    sessionId: query.get('session') ?? query.get('sessionId'),
    locale: query.get('locale'),
    timezone: query.get('timezone'),
    controls: new Map([...query].filter(([name]) => controlPrefix.test(name))),
    switches: readSwitches(query),
  }
}

function readSwitches(query: URLSearchParams): FrameSwitches {
  const isShown = (name: string) => query.get(name) !== 'false'
  // Chat has an older spelling of each.
  const isShownOrOld = (name: string) => isShown(`show${name}`) && query.get(`hide${name}`) !== 'true'
  const showDashboardHeader = isShown('showDashboardHeader')
  const inHeader = (name: string) => showDashboardHeader && isShown(name)
  return {
    allowExport: query.get('allowExport') === 'true',
    showDashboardExportMenu: isShown('showDashboardExportMenu'),
    showDashboardHeader,
    showDashboardBackButton: inHeader('showDashboardBackButton'),
    showDashboardTitle: inHeader('showDashboardTitle'),
    showDashboardEditButton: inHeader('showDashboardEditButton'),
    showDashboardDuplicateButton: inHeader('showDashboardDuplicateButton'),
    showWorkbookBackButton: isShown('showWorkbookBackButton'),
    showNewChat: isShownOrOld('NewChat'),
    showChatInput: isShownOrOld('ChatInput'),
    showChatHistory: isShownOrOld('ChatHistory'),
  }
}

/** The same address without the session id: it is spent, and must not stand in histories, referrers and copied links. */
export function withoutSession(href: string): string {
  const url = new URL(href)
  url.searchParams.delete('session')
  url.searchParams.delete('sessionId')
  return url.pathname + url.search + url.hash
}

/** The same address with other presets of controls, in the format that they are read in. */
export function withControls(href: string, controls: ReadonlyMap<string, string>): string {
  const url = new URL(href)
  for (const name of [...url.searchParams.keys()]) if (controlPrefix.test(name)) url.searchParams.delete(name)
  for (const [name, value] of controls) url.searchParams.set(name, value)
  return url.pathname + url.search + url.hash
}
