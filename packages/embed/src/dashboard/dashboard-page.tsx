import type { Dashboard } from '@hedron/contract'
import { ApiError } from '@hedron/contract/client'
import { SeriesColorsRoot, Skeleton, useLocale } from '@hedron/ui'
import { useEffect, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { CalmPage } from '../states/calm-page.tsx'
import { BoardView } from './board-view.tsx'
import type { WaysOut } from './ways-out.ts'

/** The published dashboard at the address of the frame. */
export function DashboardPage({ publicId, ...ways }: WaysOut & { readonly publicId: string }) {
  const { frame } = useFrame()
  const { t } = useLocale()
  const [state, setState] = useState<Dashboard | Error | null>(null)
  const [turn, setTurn] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks anew
  useEffect(() => {
    const stop = new AbortController()
    frame.api.getDashboard({ params: { publicId } }, stop.signal).then(
      read => setState(before => (isShown(before) && before.versionId === read.versionId ? before : read)),
      error => {
        if (stop.signal.aborted) return
        const fault = error instanceof Error ? error : new Error(String(error))
        // What is shown stays: its widgets say themselves what does not work.
        setState(before => (isShown(before) ? before : fault))
        frame.host.emit('error', { message: fault.message, name: fault.name, context: 'dashboard', fatal: true })
      },
    )
    return () => stop.abort()
  }, [frame, publicId, turn])

  // Whoever has a session again gets what could not be read without.
  const hasFailed = state instanceof Error
  useEffect(() => {
    if (!hasFailed) return
    return frame.session.subscribe(() => frame.session.state.kind === 'open' && setTurn(count => count + 1))
  }, [frame, hasFailed])

  if (state === null) return <Skeleton shape="chart" />
  if (state instanceof Error) {
    const code = state instanceof ApiError ? state.code : undefined
    return (
      <CalmPage
        title={t('errorTitle')}
        body={code === 'dashboard_not_found' ? t('dashboardMissing') : state.message}
        code={code}
      >
        <button
          type="button"
          onClick={() => {
            setState(null)
            setTurn(turn + 1)
          }}
        >
          {t('retry')}
        </button>
      </CalmPage>
    )
  }
  return (
    <SeriesColorsRoot>
      <BoardView key={state.versionId} dashboard={state} ways={ways} reload={() => setTurn(turn + 1)} />
    </SeriesColorsRoot>
  )
}

const isShown = (state: Dashboard | Error | null): state is Dashboard => state !== null && !(state instanceof Error)
