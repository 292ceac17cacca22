import { Button, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
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
  const { workbook, draft, published } = open
  const title = draft.title ?? workbook.name
  const showsShare = claims?.settings.showWorkbookShare !== false && claims?.embedTenant !== null
  const params = { deploymentId, workbookId: workbook.id }
  const isCurrent = published !== null && isSame(published.config, draft)

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
        {published === null ? texts.notPublished : isCurrent ? texts.published : texts.changesNotPublished}
      </span>
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
      {isSharing && <ShareDialog workbookId={workbook.id} onClose={() => setSharing(false)} />}
    </>
  )
}

/** Whether a version shows the same as the draft; reports that changed since are told by publishing again. */
function isSame(one: object, other: object): boolean {
  return canonical(one) === canonical(other)
}

/** JSON whose keys stand in one order and that leaves out what is not said. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === null) return undefined
    if (typeof part !== 'object' || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
