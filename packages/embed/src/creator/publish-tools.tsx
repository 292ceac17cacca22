import { Button } from '@hedron/ui'
import { useEffect, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { useCreator } from './creator-context.ts'

interface PublishToolsProps {
  readonly workbookId: number
  readonly title: string
  /** Saves what is not saved yet. */
  readonly save: () => Promise<void>
}

/** Publishing the draft, and sharing it with everybody of the own embed tenant. */
export function PublishTools({ workbookId, title, save }: PublishToolsProps) {
  const { frame, claims } = useFrame()
  const { deploymentId, texts } = useCreator()
  const [said, setSaid] = useState('')
  const [isShared, setShared] = useState<boolean | null>(null)
  const tenant = claims?.embedTenant ?? null
  const showsShare = claims?.settings.showWorkbookShare !== false && tenant !== null
  const params = { deploymentId, workbookId }

  useEffect(() => {
    if (!showsShare) return
    const stop = new AbortController()
    frame.api.getEmbedAccess({ params: { deploymentId, workbookId } }, stop.signal).then(
      ({ tenants }) => setShared(tenants.some(each => each.embedTenantName === tenant && each.action === 'read')),
      // Who may not share it is not shown how.
      () => undefined,
    )
    return () => stop.abort()
  }, [frame, deploymentId, workbookId, tenant, showsShare])

  const tell = async (work: () => Promise<string>) => {
    try {
      setSaid(await work())
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    }
  }
  const publish = () =>
    tell(async () => {
      await save()
      await frame.api.publishDashboard({ params, body: { workbookId, title } })
      await frame.api.updateWorkbook({ params, body: { name: title } })
      return texts.published
    })
  const share = () =>
    tell(async () => {
      const action = isShared === true ? 'none' : 'read'
      await frame.api.updateEmbedAccess({ params, body: { embedTenantName: tenant, action } })
      setShared(action === 'read')
      return action === 'read' ? texts.sharedNow : ''
    })
  return (
    <>
      {showsShare && isShared !== null && (
        <Button onClick={() => void share()}>{isShared ? texts.unshare : texts.share}</Button>
      )}
      <Button look="primary" onClick={() => void publish()}>
        {texts.publish}
      </Button>
      <span className="creator-state" role="status">
        {said}
      </span>
    </>
  )
}
