import { Avatar, Button, ErrorState, IconButton, Notice, TextWidget, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { answerOf, stepsOf, type Turn } from './conversation.ts'
import { CopyButton } from './copy-button.tsx'
import { StepView } from './step-view.tsx'
import type { Chat } from './use-chat.ts'
import { usePaced } from './use-paced.ts'

/** How often an answer that is being written is drawn anew, in milliseconds. */
const wordPace = 80

interface TurnViewProps {
  readonly turn: Turn
  readonly deploymentId: number
  readonly person: { readonly name: string; readonly picture: string | null }
  readonly chat: Pick<Chat, 'resume' | 'rate' | 'isReconnecting' | 'isRunning'>
  /** Only the last answer can be gone on with. */
  readonly isLast: boolean
  readonly canAsk: boolean
}

/** A question and its answer: steps in their order, then the words, then what can be done with them. */
export function TurnView({ turn, deploymentId, person, chat, isLast, canAsk }: TurnViewProps) {
  const { t } = useLocale()
  const isRunning = turn.status === 'running'
  const whole = answerOf(turn)
  const paced = usePaced(whole, wordPace)
  const answer = isRunning ? paced : whole
  return (
    <article className="chat-turn" aria-busy={isRunning}>
      <div className="chat-question">
        <span className="hd-hidden">{t('you')}</span>
        <p>{turn.input}</p>
        <Avatar name={person.name} picture={person.picture} size={28} />
      </div>
      <div className="chat-answer">
        <span className="hd-hidden">{t('assistant')}</span>
        {stepsOf(turn).map(part =>
          part.kind === 'tool' ? (
            <StepView key={part.id} part={part} deploymentId={deploymentId} />
          ) : (
            <div key={part.id}>
              {part.thinking !== '' && (
                <details className="chat-thinking">
                  <summary>{t('thinking')}</summary>
                  <p>{part.thinking}</p>
                </details>
              )}
              {part.content !== '' && <TextWidget markdown={part.content} />}
            </div>
          ),
        )}
        {answer !== '' && <TextWidget markdown={answer} />}
        {isRunning && (
          <p className="chat-running hd-muted" role="status">
            {chat.isReconnecting ? t('connectionLost') : t('answering')}
          </p>
        )}
        <Ending turn={turn} chat={chat} canResume={isLast && canAsk && !chat.isRunning} />
        {!isRunning && answer !== '' && <AnswerTools turn={turn} answer={answer} chat={chat} />}
      </div>
    </article>
  )
}

/** How an answer ended that did not end by itself, and what to do about it. */
function Ending({ turn, chat, canResume }: Pick<TurnViewProps, 'turn' | 'chat'> & { readonly canResume: boolean }) {
  const { t } = useLocale()
  const resume = () => chat.resume(turn.messageId)
  if (turn.status === 'aborted') return <Notice>{t('answerStopped')}</Notice>
  if (turn.status === 'suspended') {
    return (
      <Notice kind="warning" action={canResume && <Button onClick={resume}>{t('resume')}</Button>}>
        {t('answerSuspended')}
      </Notice>
    )
  }
  if (turn.status !== 'failed') return null
  return (
    <ErrorState
      title={t('answerFailed')}
      message={turn.error ?? ''}
      code={turn.messageId}
      onRetry={canResume ? resume : undefined}
    />
  )
}

function AnswerTools({ turn, answer, chat }: Pick<TurnViewProps, 'turn' | 'chat'> & { readonly answer: string }) {
  const { t } = useLocale()
  const [rating, setRating] = useState(turn.rating)
  const [isTelling, setTelling] = useState(false)
  const [wasTold, setTold] = useState(false)
  const [text, setText] = useState('')

  function rate(next: 'up' | 'down') {
    const wish = rating === next ? null : next
    setRating(wish)
    setTelling(wish === 'down')
    setTold(false)
    chat.rate(turn.messageId, wish).catch(() => setRating(turn.rating))
  }

  return (
    <div className="chat-tools">
      <CopyButton text={answer} />
      <IconButton icon="thumbUp" label={t('goodAnswer')} aria-pressed={rating === 'up'} onClick={() => rate('up')} />
      <IconButton
        icon="thumbDown"
        label={t('badAnswer')}
        aria-pressed={rating === 'down'}
        onClick={() => rate('down')}
      />
      {isTelling && !wasTold && (
        <form
          className="chat-feedback"
          onSubmit={event => {
            event.preventDefault()
            const feedback = text.trim()
            if (feedback !== '')
              chat.rate(turn.messageId, 'down', feedback).then(
                () => setTold(true),
                () => undefined,
              )
          }}
        >
          <input
            aria-label={t('feedbackPrompt')}
            placeholder={t('feedbackPrompt')}
            maxLength={5000}
            value={text}
            onChange={event => setText(event.target.value)}
          />
          <Button type="submit">{t('send')}</Button>
        </form>
      )}
      <span role="status" className="hd-muted">
        {wasTold ? t('feedbackThanks') : ''}
      </span>
    </div>
  )
}
