import './states.css'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocale } from '../formats/locale-context.tsx'
import { Button } from '../parts/button.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'

function State(props: {
  readonly icon: IconName
  readonly title: string
  readonly isAlert?: boolean
  readonly children?: ReactNode
}) {
  const { icon, title, isAlert = false, children } = props
  return (
    <div className="hd-state" role={isAlert ? 'alert' : undefined}>
      <Icon name={icon} size={20} />
      <p className="hd-state-title">{title}</p>
      {children}
    </div>
  )
}

/** What happened, what to do, and a code to quote. */
export function ErrorState(props: {
  readonly message: string
  readonly title?: string | undefined
  readonly code?: string | undefined
  readonly onRetry?: (() => void) | undefined
  readonly children?: ReactNode
}) {
  const { message, title, code, onRetry, children } = props
  const { t } = useLocale()
  return (
    <State icon="warning" title={title ?? t('errorTitle')} isAlert>
      <p className="hd-state-text">{message}</p>
      {children}
      {code && <p className="hd-state-code hd-muted">{t('errorCode', { code })}</p>}
      {onRetry && <Button onClick={onRetry}>{t('retry')}</Button>}
    </State>
  )
}

/** Nothing is there, and what to do about it. */
export function EmptyState(props: {
  readonly title?: string | undefined
  readonly hint?: string | undefined
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}) {
  const { title, hint, action } = props
  const { t } = useLocale()
  return (
    <State icon="empty" title={title ?? t('emptyTitle')}>
      {hint !== '' && <p className="hd-state-text">{hint ?? t('emptyHint')}</p>}
      {action && <Button onClick={action.run}>{action.label}</Button>}
    </State>
  )
}

/** Which right is missing, and who can give it. */
export function NoRightsState({
  right,
  hint,
}: {
  readonly right?: string | undefined
  readonly hint?: string | undefined
}) {
  const { t } = useLocale()
  const text = hint ?? (right === undefined ? undefined : t('noRightsHint', { right }))
  return (
    <State icon="lock" title={t('noRightsTitle')}>
      {text && <p className="hd-state-text">{text}</p>}
    </State>
  )
}

/**
 * The shape of what is coming, after 200 ms; after 2 s with words, how far it is where that is known, and a way out.
 */
export function Skeleton(props: {
  readonly shape?: 'chart' | 'table' | 'number' | 'text' | 'block'
  readonly progress?: { readonly done: number; readonly all: number } | undefined
  readonly message?: string | undefined
  readonly onCancel?: (() => void) | undefined
}) {
  const { shape = 'block', progress, message, onCancel } = props
  const { t } = useLocale()
  const waited = useWaited()
  const words = progress ? t('loadedOf', progress) : (message ?? t('loading'))
  return (
    <div className="hd-skeleton" data-shape={shape} data-shown={waited > 0} aria-busy="true">
      <span className="hd-hidden" role="status">
        {waited > 0 ? words : ''}
      </span>
      <div className="hd-skeleton-bars" aria-hidden="true">
        {bars[shape].map((size, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars of a shape never change places
          <span key={index} style={shape === 'chart' ? { height: `${size}%` } : { width: `${size}%` }} />
        ))}
      </div>
      {waited > 1 && (
        <p className="hd-skeleton-words">
          <span aria-hidden="true">{words}</span>
          {onCancel && (
            <Button look="quiet" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

const bars = {
  chart: [35, 60, 45, 80, 65, 90, 55, 72],
  table: [100, 92, 97, 88, 95, 90],
  number: [40, 22],
  text: [96, 88, 92, 60],
  block: [100],
}

/** 0 at first, 1 after 200 ms, 2 after two seconds. */
function useWaited(): number {
  const [waited, setWaited] = useState(0)
  useEffect(() => {
    const timers = [setTimeout(setWaited, 200, 1), setTimeout(setWaited, 2000, 2)]
    return () => timers.forEach(clearTimeout)
  }, [])
  return waited
}

/** One line above what works, about what does not. */
export function Notice(props: {
  readonly kind?: 'note' | 'warning'
  readonly children: ReactNode
  readonly action?: ReactNode
}) {
  const { kind = 'note', children, action } = props
  return (
    <div className="hd-notice" data-kind={kind} role="status">
      {kind === 'warning' && <Icon name="warning" />}
      <span>{children}</span>
      {action}
    </div>
  )
}
