import type { AppConfig } from '@hedron/contract'
import { type Locale, LocaleRoot, loadMessages, type Messages, Skeleton, ThemeRoot, useLocale } from '@hedron/ui'
import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { SessionClaims } from './frame/claims.ts'
import type { Frame } from './frame/frame.ts'
import { FrameRoot } from './frame/frame-context.tsx'
import { localeOf } from './frame/frame-settings.ts'
import type { SessionState } from './frame/session.ts'
import { useStore } from './frame/store.ts'
import { onDemand } from './on-demand.tsx'
import { CalmPage } from './states/calm-page.tsx'
import { PageBreaker } from './states/page-breaker.tsx'
import './page.css'

const DashboardPage = onDemand(() => import('./dashboard/dashboard-page.tsx').then(page => page.DashboardPage))
const ChatPage = onDemand(() => import('./chat/chat-page.tsx').then(page => page.ChatPage))
const CreatorPage = onDemand(() => import('./creator/creator-page.tsx').then(page => page.CreatorPage))

interface EmbedRootProps {
  readonly frame: Frame
  /** Of the language that the page begins with. */
  readonly messages: Messages
}

/** The page of a frame: what its session allows, or why there is nothing; in the language, zone and look that hold for it. */
export function EmbedRoot({ frame, messages }: EmbedRootProps) {
  const { session, address } = frame
  const state = useSyncExternalStore(session.subscribe, () => session.state)
  const wishes = useStore(frame.wishes)
  const [config, setConfig] = useState<AppConfig | Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  // What was open stays on the page, under what is to be said, so that nothing that was chosen is lost.
  const last = useRef<SessionClaims | null>(null)
  if (state.kind === 'open') last.current = state.claims
  const claims = last.current
  const hasOpened = claims !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks anew
  useEffect(() => {
    if (!hasOpened) return
    setConfig(null)
    frame.config().then(setConfig, error => setConfig(error instanceof Error ? error : new Error(String(error))))
  }, [frame, hasOpened, attempt])
  const known = config instanceof Error ? null : config
  const isReady = claims !== null && known !== null
  useEffect(() => {
    const { state: open } = session
    // Once in the life of the frame: a session that is renewed changes nothing of it.
    if (!isReady || open.kind !== 'open') return
    frame.host.emit('ready', {
      embedTenant: open.claims.embedTenant,
      deploymentId: open.claims.deploymentId,
      mode: open.claims.isPrivate ? 'private' : 'signed',
      surface: address.surface,
      ...(address.publicId === null ? {} : { publicId: address.publicId }),
    })
  }, [frame, session, address, isReady])
  const theme = { ...claims?.theme, ...wishes.theme }
  return (
    <Language locale={localeOf(wishes, address, known)} first={messages}>
      <ThemeRoot scheme={wishes.scheme} app={known?.appTheme} session={theme} isPage>
        <PageBreaker
          onError={error => frame.host.emit('error', { message: error.message, name: error.name, fatal: true })}
        >
          {state.kind !== 'open' && <NotOpen state={state} surface={address.surface} isCover={hasOpened} />}
          {config instanceof Error && <ConfigFailed error={config} onRetry={() => setAttempt(attempt + 1)} />}
          {state.kind === 'open' && config === null && <Skeleton shape="chart" />}
          {claims !== null && known !== null && (
            <FrameRoot value={{ frame, config: known, claims }}>
              <Suspense fallback={<Skeleton shape="chart" />}>
                <Surface frame={frame} claims={claims} />
              </Suspense>
            </FrameRoot>
          )}
        </PageBreaker>
      </ThemeRoot>
    </Language>
  )
}

/** What the address names; a dashboard leads into the app where the session may make something. */
function Surface({ frame, claims }: { readonly frame: Frame; readonly claims: SessionClaims }) {
  const { address } = frame
  const [isInApp, setInApp] = useState(false)
  const { deploymentId, creatorMode } = claims
  const app = `/embed/d/${deploymentId}/app`
  useEffect(() => {
    const look = () => setInApp(location.pathname.startsWith(app))
    addEventListener('popstate', look)
    return () => removeEventListener('popstate', look)
  }, [app])
  if (address.publicId !== null && !isInApp) {
    const goToApp = (place: string) => {
      const previousPath = location.pathname
      history.pushState(null, '', app + place + location.search)
      frame.host.emit('navigate', { path: app + place, previousPath })
      setInApp(true)
    }
    return <DashboardPage publicId={address.publicId} goToApp={creatorMode ? goToApp : undefined} />
  }
  if (address.surface === 'chat') return <ChatPage />
  return <CreatorPage deploymentId={address.deploymentId ?? deploymentId} />
}

/** The texts of a language are read before anything is said in it. */
function Language(props: { readonly locale: Locale; readonly first: Messages; readonly children: ReactNode }) {
  const [spoken, setSpoken] = useState({ locale: props.locale, messages: props.first })
  useEffect(() => {
    if (spoken.locale === props.locale) return
    let isGone = false
    loadMessages(props.locale).then(
      messages => isGone || setSpoken({ locale: props.locale, messages }),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [props.locale, spoken.locale])
  useEffect(() => {
    document.documentElement.lang = spoken.locale
  }, [spoken.locale])
  return (
    <LocaleRoot locale={spoken.locale} messages={spoken.messages}>
      {props.children}
    </LocaleRoot>
  )
}

interface NotOpenProps {
  readonly state: SessionState
  readonly surface: Frame['address']['surface']
  /** It stands over a page that was open. */
  readonly isCover: boolean
}

function NotOpen({ state, surface, isCover }: NotOpenProps) {
  const { t } = useLocale()
  const page = (() => {
    switch (state.kind) {
      case 'opening':
        return <CalmPage title={t('renewing')} body="" />
      case 'used':
        return <CalmPage title={t('sessionUsedTitle')} body={t('sessionUsedHint')} />
      case 'none':
        // Signing in would not help: in the app, whoever makes something is a user of a host (embed.md section 3).
        if (surface === 'app') return <CalmPage title={t('sessionOfHostTitle')} body={t('sessionOfHostHint')} />
        return (
          <CalmPage title={t('sessionMissingTitle')} body={t('sessionMissingHint')}>
            <a
              href={`/auth/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`}
              // In a frame the sign-in page would not be shown; the page looks again when it is seen again.
              target={window.parent === window ? '_self' : '_blank'}
              rel="noreferrer"
            >
              {t('signIn')}
            </a>
          </CalmPage>
        )
      case 'off':
        return <CalmPage title={t('noRightsTitle')} body="" code="embedding_disabled" />
      case 'failed':
        return (
          <CalmPage title={t('errorTitle')} body={t('offline')} code={state.message}>
            <button type="button" onClick={() => location.reload()}>
              {t('retry')}
            </button>
          </CalmPage>
        )
      default:
        return <CalmPage title={t('sessionEndedTitle')} body={t('sessionEndedHint')} />
    }
  })()
  return isCover ? <div className="page-cover">{page}</div> : page
}

function ConfigFailed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useLocale()
  return (
    <CalmPage title={t('errorTitle')} body={error.message}>
      <button type="button" onClick={onRetry}>
        {t('retry')}
      </button>
    </CalmPage>
  )
}
