import { Button, useLocale } from '@hedron/ui'
import { useMemo, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { changesSince } from './changes.ts'
import { ChangesSheet } from './changes-sheet.tsx'
import { useCreator } from './creator-context.ts'
import { ShareDialog } from './share/share-dialog.tsx'
import type { OpenWorkbook, useWorkbook } from './use-workbook.ts'

interface PublishToolsProps {
  readonly open: OpenWorkbook
  readonly editing: ReturnType<typeof useWorkbook>
}

/** Publishing the draft, what stands published, and sharing it inside the own embed tenant. */
export function PublishTools({ open, editing }: PublishToolsProps) {
  const { frame, claims } = useFrame()
  const { deploymentId, router, texts } = useCreator()
  const { t } = useLocale()
  const [problem, setProblem] = useState('')
  const [isPublishing, setPublishing] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const [isComparing, setComparing] = useState(false)
  const { workbook, draft, reports, published } = open
  const title = draft.title ?? workbook.name
  const showsShare = claims?.settings.showWorkbookShare !== false && claims?.embedTenant !== null
  const params = { deploymentId, workbookId: workbook.id }
  const changes = useMemo(
    () => (published === null ? [] : changesSince(published, draft, reports)),
    [published, draft, reports],
  )

  const publish = async () => {
    setPublishing(true)
    setProblem('')
    try {
      await editing.save()
      editing.setPublished(await frame.api.publishDashboard({ params, body: { workbookId: workbook.id, title } }))
      await frame.api.updateWorkbook({ params, body: { name: title } })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setPublishing(false)
    }
  }
  return (
    <>
      <span className="creator-state" role="status">
        {published === null ? texts.notPublished : changes.length === 0 ? texts.published : texts.changesNotPublished}
      </span>
      {changes.length > 0 && (
        <Button look="quiet" onClick={() => setComparing(true)}>
          {texts.whatChanged}
        </Button>
      )}
      {published !== null && (
        <Button
          look="quiet"
          onClick={() => void editing.save().then(() => router.go(`/dashboard/${published.publicId}`))}
        >
          {texts.viewPublished}
        </Button>
      )}
      {showsShare && (
        <Button icon="share" onClick={() => setSharing(true)}>
          {texts.shareButton}
        </Button>
      )}
      <Button look="primary" disabled={isPublishing} onClick={() => void publish()}>
        {texts.publish}
      </Button>
      {problem !== '' && (
        <p className="creator-problem" role="alert">
          {t('errorTitle')}: {problem}
        </p>
      )}
      {isComparing && (
        <ChangesSheet
          changes={changes}
          onPublish={() => {
            setComparing(false)
            void publish()
          }}
          onClose={() => setComparing(false)}
        />
      )}
      {isSharing && <ShareDialog workbookId={workbook.id} onClose={() => setSharing(false)} />}
    </>
  )
}
