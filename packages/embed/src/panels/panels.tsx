import { IconButton, Skeleton, useLocale } from '@hedron/ui'
import { lazy, Suspense, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { SidePanel } from './side-panel.tsx'

const AgentChat = lazy(() => import('../chat/agent-chat.tsx').then(({ AgentChat }) => ({ default: AgentChat })))
const Comments = lazy(() => import('./comments/comments.tsx').then(({ Comments }) => ({ default: Comments })))

type PanelKind = 'chat' | 'comments'

/** What can stand beside a page, and what does. */
export interface Panels {
  readonly kinds: readonly PanelKind[]
  readonly opened: PanelKind | null
  open(kind: PanelKind | null): void
}

/** What the account and the session let stand beside a dashboard; the server decides at each request again. */
export function useDashboardPanels(): Panels {
  const { config, claims } = useFrame()
  const { allowAi, showDashboardChat, enableDashboardComments } = config.embedding
  const mayComment = enableDashboardComments && claims !== null && claims.embedTenant !== null && claims.isKnownByHost
  return usePanels([
    ...(allowAi && showDashboardChat ? (['chat'] as const) : []),
    ...(mayComment ? (['comments'] as const) : []),
  ])
}

/** In creator mode: the assistant beside a workbook. */
export function useWorkbookPanels(): Panels {
  const { allowAi, showWorkbookChat } = useFrame().config.embedding
  return usePanels(allowAi && showWorkbookChat ? ['chat'] : [])
}

function usePanels(kinds: readonly PanelKind[]): Panels {
  const [opened, open] = useState<PanelKind | null>(null)
  return { kinds, opened: opened !== null && kinds.includes(opened) ? opened : null, open }
}

/** The buttons that open and close them. */
export function PanelButtons({
  panels,
  isFloating = false,
}: {
  readonly panels: Panels
  readonly isFloating?: boolean
}) {
  const { t } = useLocale()
  const { kinds, opened } = panels
  if (kinds.length === 0) return null
  return (
    <div className="panel-buttons" data-floating={isFloating} data-export="no">
      {kinds.map(kind => (
        <IconButton
          key={kind}
          icon={kind === 'chat' ? 'spark' : 'comment'}
          label={t(kind)}
          aria-expanded={opened === kind}
          onClick={() => panels.open(opened === kind ? null : kind)}
        />
      ))}
    </div>
  )
}

/** The one that is opened. */
export function OpenedPanel(props: {
  readonly panels: Panels
  readonly deploymentId: number
  /** Of the dashboard that is commented on; null: nothing is. */
  readonly publicId: string | null
}) {
  const { panels, deploymentId, publicId } = props
  const { t } = useLocale()
  const { opened } = panels
  if (opened === null) return null
  return (
    <SidePanel key={opened} title={t(opened)} onClose={() => panels.open(null)}>
      <Suspense fallback={<Skeleton shape="text" />}>
        {opened === 'chat' && <AgentChat deploymentId={deploymentId} isPanel />}
        {opened === 'comments' && publicId !== null && <Comments publicId={publicId} />}
      </Suspense>
    </SidePanel>
  )
}
