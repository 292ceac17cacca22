import { useSyncExternalStore } from 'react'
import type { Frame } from './frame/frame.ts'
import { CalmPage } from './states/calm-page.tsx'
import { english } from './texts/en-US.ts'

/** The page of a frame: what its session allows, or why there is nothing. */
export function EmbedRoot({ frame }: { readonly frame: Frame }) {
  const { session } = frame
  const state = useSyncExternalStore(session.subscribe, () => session.state)
  const t = english
  switch (state.kind) {
    case 'opening':
      return null
    case 'used':
      return <CalmPage title={t.usedTitle} body={t.usedBody} />
    case 'ended':
      return <CalmPage title={t.endedTitle} body={t.endedBody} />
    case 'off':
      return <CalmPage title={t.offTitle} body={t.offBody} />
    case 'none':
      return <CalmPage title={t.signInTitle} body={t.signInBody} />
    case 'failed':
      return (
        <CalmPage title={t.failedTitle} body={t.failedBody} code={state.message}>
          <button type="button" onClick={() => location.reload()}>
            {t.tryAgain}
          </button>
        </CalmPage>
      )
    case 'open':
      return <p>{state.claims.deploymentId}</p>
  }
}
