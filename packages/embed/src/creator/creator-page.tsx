import { useLocale } from '@hedron/ui'
import { useEffect, useMemo, useState } from 'react'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { useFrame } from '../frame/frame-context.tsx'
import { useStore } from '../frame/store.ts'
import { CalmPage } from '../states/calm-page.tsx'
import { type Creator, CreatorRoot, useCreator } from './creator-context.ts'
import { createRouter } from './router.ts'
import { englishCreatorTexts, loadCreatorTexts } from './texts.ts'
import { WorkbookPage } from './workbook-page.tsx'
import { WorkspacePage } from './workspace-page.tsx'
import './creator.css'

/** The app of creator mode: what its user and its embed tenant have, and the way to make more. */
export function CreatorPage({ deploymentId }: { readonly deploymentId: number }) {
  const { frame, claims } = useFrame()
  const { locale, t } = useLocale()
  const [texts, setTexts] = useState(englishCreatorTexts)
  const router = useMemo(() => createRouter(deploymentId, frame.host), [deploymentId, frame])
  const place = useStore(router.place)
  useEffect(() => () => router.close(), [router])
  useEffect(() => {
    let isGone = false
    void loadCreatorTexts(locale).then(loaded => isGone || setTexts(loaded))
    return () => {
      isGone = true
    }
  }, [locale])
  useEffect(() => {
    frame.host.emit('view', { surface: 'app', path: `/embed/d/${deploymentId}/app${place}` })
  }, [frame, deploymentId, place])
  const creator = useMemo((): Creator => ({ deploymentId, router, texts }), [deploymentId, router, texts])

  if (claims?.creatorMode !== true || claims.deploymentId !== deploymentId) {
    return <CalmPage title={t('noRightsTitle')} body={texts.lookingOnly} />
  }
  const [, kind, id] = /^\/(workbook|dashboard|duplicate)\/([\w-]+)$/.exec(place) ?? []
  return (
    <CreatorRoot value={creator}>
      {kind === 'workbook' ? (
        <WorkbookPage key={id} workbookId={Number(id)} />
      ) : kind === 'dashboard' && id !== undefined ? (
        <DashboardPage publicId={id} goToApp={router.go} goBack={() => router.go('')} />
      ) : kind === 'duplicate' ? (
        <Duplicate workbookId={Number(id)} />
      ) : (
        <WorkspacePage />
      )}
    </CreatorRoot>
  )
}

/** Makes a copy of one's own and goes there. */
function Duplicate({ workbookId }: { readonly workbookId: number }) {
  const { frame } = useFrame()
  const [error, setError] = useState<Error | null>(null)
  const { t } = useLocale()
  const { deploymentId, router } = useCreator()
  useEffect(() => {
    const stop = new AbortController()
    const params = { deploymentId, workbookId }
    frame.api.duplicateWorkbook({ params, body: { shared: true } }, stop.signal).then(
      ({ id }) => router.go(`/workbook/${id}`),
      fault => stop.signal.aborted || setError(fault instanceof Error ? fault : new Error(String(fault))),
    )
    return () => stop.abort()
  }, [frame, deploymentId, workbookId, router])
  return error === null ? null : <CalmPage title={t('errorTitle')} body={error.message} />
}
