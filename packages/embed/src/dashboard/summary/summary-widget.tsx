import { Button, ErrorState, IconButton, Notice, Skeleton, TextWidget, useLocale } from '@hedron/ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { createChatClient } from '../../chat/chat-client.ts'
import { useAgent } from '../../chat/use-agent.ts'
import { useFrame } from '../../frame/frame-context.tsx'
import { timeZoneOf } from '../../frame/frame-settings.ts'
import { useBoard } from '../board.ts'
import { textOf, type Widget } from '../model/widgets.ts'
import { WidgetBox } from '../widgets/widget-box.tsx'
import { type Summary, writeSummary } from './write-summary.ts'

/**
 * A text about the data. One that the dashboard holds is shown as it is; one that it only asks for is written for whoever looks, of the rows that he
 * may see, and kept nowhere.
 */
export function SummaryWidget({ widget }: { readonly widget: Widget & { readonly kind: 'summary' } }) {
  const { config } = useFrame()
  const board = useBoard()
  const { t } = useLocale()
  const prompt = textOf(widget.source.config?.prompt)
  const { allowAi, showAiWidgets } = config.embedding
  const mayWrite = allowAi && showAiWidgets && prompt !== null
  const [isWanted, setWanted] = useState(widget.source.config?.auto === true)
  useEffect(() => board.settled(widget.id, null), [board, widget.id])
  return (
    <WidgetBox id={widget.id} title={widget.title}>
      {mayWrite && isWanted ? (
        <Written prompt={prompt} />
      ) : (
        <>
          {widget.markdown !== '' && <TextWidget markdown={widget.markdown} />}
          {mayWrite && (
            <div className="summary-ask">
              {widget.markdown === '' && <p className="hd-muted">{prompt}</p>}
              <Button icon="spark" onClick={() => setWanted(true)}>
                {t('summarize')}
              </Button>
              <span className="hd-muted">{t('summaryHint')}</span>
            </div>
          )}
          {!mayWrite && widget.markdown === '' && <p className="hd-muted">{t('aiOff')}</p>}
        </>
      )}
    </WidgetBox>
  )
}

function Written({ prompt }: { readonly prompt: string }) {
  const { frame, config, claims } = useFrame()
  const { deploymentId } = useBoard()
  const { t } = useLocale()
  const { agent, retry } = useAgent(deploymentId)
  const [state, setState] = useState<Summary | Error | null>(null)
  const writing = useRef<AbortController | null>(null)
  const chatUrl = agent === null || agent instanceof Error ? null : agent.chatUrl

  const write = useCallback(() => {
    if (chatUrl === null) return
    writing.current?.abort()
    const stop = new AbortController()
    writing.current = stop
    setState(null)
    const client = createChatClient({
      chatUrl,
      session: frame.session,
      fetch: (...request) => window.fetch(...request),
      timezone: () => timeZoneOf(frame.wishes.get(), frame.address, claims, config, null),
    })
    writeSummary({ client, api: frame.api, deploymentId, prompt, signal: stop.signal }).then(
      summary => stop.signal.aborted || setState(summary),
      (error: unknown) => stop.signal.aborted || setState(error instanceof Error ? error : new Error(String(error))),
    )
  }, [chatUrl, frame, claims, config, deploymentId, prompt])
  useEffect(() => {
    write()
    return () => writing.current?.abort()
  }, [write])

  if (agent instanceof Error) return <ErrorState title={t('summaryFailed')} message={agent.message} onRetry={retry} />
  if (state instanceof Error) return <ErrorState title={t('summaryFailed')} message={state.message} onRetry={write} />
  if (state === null) return <Skeleton shape="text" message={t('summaryWriting')} />
  const isProven = state.unproven.length === 0
  return (
    <div className="summary" aria-live="polite">
      {isProven ? (
        <TextWidget markdown={state.markdown} />
      ) : (
        <Notice kind="warning">{t('summaryUnproven', { figures: state.unproven.join(', ') })}</Notice>
      )}
      <IconButton icon="refresh" label={t('refresh')} onClick={write} />
    </div>
  )
}
