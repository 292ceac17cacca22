import './chat.css'
import type { Agent } from '@hedron/contract'
import { Button, EmptyState, ErrorState, IconButton, Mark, SeriesColorsRoot, Skeleton, useLocale } from '@hedron/ui'
import { useMemo, useRef, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { timeZoneOf } from '../frame/frame-settings.ts'
import { createChatClient } from './chat-client.ts'
import { ChatHistory } from './chat-history.tsx'
import { ChatInput } from './chat-input.tsx'
import { TurnView } from './turn-view.tsx'
import { useAgent } from './use-agent.ts'
import { useAtEnd } from './use-at-end.ts'
import { useChat } from './use-chat.ts'

interface AgentChatProps {
  readonly deploymentId: number
  /** It stands beside something else, under a heading of its own. */
  readonly isPanel: boolean
}

const allShown = { showNewChat: true, showChatInput: true, showChatHistory: true } as const

/** A conversation with the default agent of a deployment. */
export function AgentChat({ deploymentId, isPanel }: AgentChatProps) {
  const { config } = useFrame()
  const { t } = useLocale()
  const { allowAi } = config.embedding
  const { agent, retry } = useAgent(allowAi ? deploymentId : null)
  if (!allowAi) return <EmptyState title={t('aiOff')} hint="" />
  if (agent === null) return <Skeleton shape="text" />
  if (agent instanceof Error) return <ErrorState message={agent.message} onRetry={retry} />
  return (
    <SeriesColorsRoot>
      <ChatSurface agent={agent} deploymentId={deploymentId} isPanel={isPanel} />
    </SeriesColorsRoot>
  )
}

function ChatSurface({ agent, deploymentId, isPanel }: AgentChatProps & { readonly agent: Agent }) {
  const { frame, config, claims } = useFrame()
  const { t } = useLocale()
  // The address speaks of the chat in a frame of its own.
  const { showNewChat, showChatInput, showChatHistory } = isPanel ? allShown : frame.address.switches
  const client = useMemo(
    () =>
      createChatClient({
        chatUrl: agent.chatUrl,
        session: frame.session,
        fetch: (...request) => window.fetch(...request),
        timezone: () => timeZoneOf(frame.wishes.get(), frame.address, claims, config, null),
      }),
    [agent.chatUrl, frame, claims, config],
  )
  // A page has one main part, and of a panel it is not this.
  const Main = isPanel ? 'div' : 'main'
  const chat = useChat({ frame, client, deploymentId, agentId: agent.id })
  const [hasHistory, setHistory] = useState(false)
  const { turns, chatId } = chat.conversation
  const scroller = useRef<HTMLDivElement>(null)
  const { isAtEnd, goToEnd } = useAtEnd(scroller, turns.length + chat.queued.length)
  const person = { name: claims?.displayName ?? claims?.email ?? t('you'), picture: claims?.picture ?? null }
  // A thread moves up in the history when something is asked in it and when it is answered.
  const version = turns.length * 2 + (chat.isRunning ? 1 : 0)

  function open(id: string) {
    chat.open(id)
    if (isPanel || window.innerWidth < 900) setHistory(false)
  }

  return (
    <div className="chat" data-history={hasHistory} data-panel={isPanel}>
      <header className="chat-header">
        <span className="chat-name">
          {!isPanel && (
            <>
              <Mark size={18} />
              <h1>{agent.agentConfigName === 'auto' ? t('chat') : agent.name}</h1>
            </>
          )}
        </span>
        {showChatHistory && (
          <IconButton
            icon="history"
            label={t('chatHistory')}
            aria-expanded={hasHistory}
            onClick={() => setHistory(!hasHistory)}
          />
        )}
        {showNewChat && (
          <Button icon="plus" onClick={chat.startNew} disabled={turns.length === 0 && chat.opening === false}>
            {t('newChat')}
          </Button>
        )}
      </header>
      {hasHistory && showChatHistory && (
        <ChatHistory
          frame={frame}
          deploymentId={deploymentId}
          current={chatId}
          version={version}
          onOpen={open}
          onDeleted={chat.startNew}
        />
      )}
      <Main className="chat-main">
        <div className="chat-scroll" ref={scroller}>
          <div className="chat-column" role="log" aria-label={t('chat')} aria-live="polite" aria-busy={chat.isRunning}>
            {chat.opening === true && <Skeleton shape="text" />}
            {chat.opening instanceof Error && (
              <ErrorState title={t('chatUnavailable')} message={chat.opening.message} />
            )}
            {turns.length === 0 && chat.opening === false && (
              <div className="chat-greeting">
                <h2>{t('chatGreeting')}</h2>
                <p className="hd-muted">{t('chatGreetingHint')}</p>
              </div>
            )}
            {turns.map((turn, at) => (
              <TurnView
                key={turn.messageId}
                turn={turn}
                deploymentId={deploymentId}
                person={person}
                chat={chat}
                isLast={at === turns.length - 1}
                canAsk={showChatInput}
              />
            ))}
            {chat.queued.map((text, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a queue only loses its first
              <div key={at} className="chat-question chat-queued">
                <p>{text}</p>
              </div>
            ))}
          </div>
        </div>
        <div className="chat-foot">
          {!isAtEnd && (
            <Button icon="down" onClick={goToEnd}>
              {t('scrollToEnd')}
            </Button>
          )}
          {showChatInput ? <ChatInput chat={chat} /> : <p className="hd-muted chat-read-only">{t('chatReadOnly')}</p>}
        </div>
      </Main>
    </div>
  )
}
