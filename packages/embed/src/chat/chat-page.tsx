import { EmptyState, useLocale } from '@hedron/ui'
import { useEffect } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { AgentChat } from './agent-chat.tsx'

/** The chat in a frame of its own (contract/behaviour/embed.md section 4): the default agent of the session's deployment. */
export function ChatPage() {
  const { frame, claims } = useFrame()
  const { t } = useLocale()
  useEffect(() => {
    frame.host.emit('view', { surface: 'chat', path: '/embed/chat', title: t('chat') })
  }, [frame, t])
  if (claims === null) return <EmptyState title={t('sessionMissingTitle')} hint={t('sessionMissingHint')} />
  return <AgentChat deploymentId={claims.deploymentId} isPanel={false} />
}
