import type { ResourcePolicies, ShareAction } from '@hedron/contract'
import { Button, ErrorState, IconButton, Skeleton, useLocale } from '@hedron/ui'
import { useCallback, useEffect, useState } from 'react'
import { useFrame } from '../../frame/frame-context.tsx'
import { useCreator } from '../creator-context.ts'
import { Sheet } from '../sheet.tsx'
import { FindPeople } from './find-people.tsx'

type Policies = { readonly policies: ResourcePolicies; readonly isForEveryone: boolean }

/** Who else sees a workbook: everybody of the own embed tenant, and people and groups of it one by one. Each change holds at once. */
export function ShareDialog({ workbookId, onClose }: { readonly workbookId: number; readonly onClose: () => void }) {
  const { frame, claims } = useFrame()
  const { deploymentId, texts } = useCreator()
  const { t } = useLocale()
  const [state, setState] = useState<Policies | Error | null>(null)
  const [problem, setProblem] = useState('')
  const tenant = claims?.embedTenant ?? null

  const read = useCallback(async () => {
    const params = { deploymentId, workbookId }
    const [policies, access] = await Promise.all([
      frame.api.getResourcePolicies({ query: { resourceType: 'Workbook', resourceId: workbookId } }),
      frame.api.getEmbedAccess({ params }),
    ])
    const isForEveryone = access.tenants.some(each => each.embedTenantName === tenant && each.action === 'read')
    setState({ policies, isForEveryone })
  }, [frame, deploymentId, workbookId, tenant])
  const tell = async (work: () => Promise<unknown>) => {
    setProblem('')
    try {
      await work()
      await read()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  useEffect(() => {
    read().catch((error: unknown) => setState(error instanceof Error ? error : new Error(String(error))))
  }, [read])

  const shareWithAll = (isShared: boolean) =>
    tell(() =>
      frame.api.updateEmbedAccess({
        params: { deploymentId, workbookId },
        body: { embedTenantName: tenant, action: isShared ? 'read' : 'none' },
      }),
    )
  const what = { resourceType: 'Workbook', resourceId: workbookId } as const
  const setUser = (userId: number, action: ShareAction | null) =>
    tell(() => frame.api.setUserPolicy({ body: { ...what, userId, action } }))
  const setGroup = (groupId: number, action: ShareAction | null) =>
    tell(() => frame.api.setGroupPolicy({ body: { ...what, groupId, action } }))

  return (
    <Sheet label={texts.shareButton} onClose={onClose}>
      {state === null && <Skeleton shape="text" />}
      {state instanceof Error && <ErrorState message={state.message} />}
      {state !== null && !(state instanceof Error) && (
        <>
          <div className="creator-share-all">
            <span>{state.isForEveryone ? texts.sharedNow : texts.shareHint}</span>
            <Button
              look={state.isForEveryone ? 'plain' : 'primary'}
              onClick={() => void shareWithAll(!state.isForEveryone)}
            >
              {state.isForEveryone ? texts.unshare : texts.share}
            </Button>
          </div>
          <FindPeople
            workbookId={workbookId}
            onFound={(kind, id) => void (kind === 'user' ? setUser(id, 'WorkbookRead') : setGroup(id, 'WorkbookRead'))}
          />
          <ul className="creator-shares">
            {state.policies.userPolicies.map(({ userId, user, action }) => (
              <Share
                key={`user ${userId}`}
                name={user.firstName ?? user.email}
                action={action}
                onChange={next => void setUser(userId, next)}
              />
            ))}
            {state.policies.groupPolicies
              // That of the whole tenant stands above.
              .filter(({ group }) => !group.name.startsWith('system:'))
              .map(({ groupId, group, action }) => (
                <Share
                  key={`group ${groupId}`}
                  name={group.name}
                  action={action}
                  onChange={next => void setGroup(groupId, next)}
                />
              ))}
          </ul>
        </>
      )}
      {problem !== '' && (
        <p role="alert">
          {t('errorTitle')}: {problem}
        </p>
      )}
    </Sheet>
  )
}

const actions = ['WorkbookRead', 'WorkbookEdit', 'WorkbookManage'] as const

function Share(props: {
  readonly name: string
  readonly action: ShareAction
  readonly onChange: (action: ShareAction | null) => void
}) {
  const { name, action, onChange } = props
  const { texts } = useCreator()
  const { t } = useLocale()
  const words = { WorkbookRead: texts.mayView, WorkbookEdit: texts.mayEdit, WorkbookManage: texts.mayManage } as const
  return (
    <li>
      <span>{name}</span>
      <select
        aria-label={`${texts.shareButton}: ${name}`}
        value={action}
        onChange={({ target }) => onChange(actions.find(each => each === target.value) ?? null)}
      >
        {actions.map(each => (
          <option key={each} value={each}>
            {words[each]}
          </option>
        ))}
      </select>
      <IconButton icon="close" label={`${t('remove')}: ${name}`} onClick={() => onChange(null)} />
    </li>
  )
}
