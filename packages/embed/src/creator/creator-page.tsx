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
import { WorkspacePage } from './workspace/workspace-page.tsx'
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
  const [, kind, id] = /^\/(workbook|dashboard|duplicate|copy|folder)\/([\w-]+)$/.exec(place) ?? []
  return (
    <CreatorRoot value={creator}>
      {kind === 'workbook' ? (
        <WorkbookPage key={id} workbookId={Number(id)} />
      ) : kind === 'dashboard' && id !== undefined ? (
        <DashboardPage publicId={id} goToApp={router.go} goBack={() => router.go('')} />
      ) : kind === 'duplicate' || kind === 'copy' ? (
        <Duplicate key={place} workbookId={Number(id)} isShared={kind === 'duplicate'} />
      ) : (
        <WorkspacePage key={place} folderId={kind === 'folder' ? Number(id) : null} />
      )}
    </CreatorRoot>
  )
}

/** Makes a copy of one's own and goes there; of what the account shares, the copy is of what is published. */
function Duplicate({ workbookId, isShared }: { readonly workbookId: number; readonly isShared: boolean }) {
  const { frame } = useFrame()
  const [error, setError] = useState<Error | null>(null)
  const { t } = useLocale()
  const { deploymentId, router } = useCreator()
  useEffect(() => {
    const stop = new AbortController()
    const params = { deploymentId, workbookId }
    frame.api.duplicateWorkbook({ params, body: { shared: isShared } }, stop.signal).then(
      // Back from the copy would make another.
      ({ id }) => router.replace(`/workbook/${id}`),
      fault => stop.signal.aborted || setError(fault instanceof Error ? fault : new Error(String(fault))),
    )
    return () => stop.abort()
  }, [frame, deploymentId, workbookId, isShared, router])
  return error === null ? null : <CalmPage title={t('errorTitle')} body={error.message} />
}
