import { Button, EmptyState, ErrorState, Notice, Skeleton, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { CommentForm } from './comment-form.tsx'
import { CommentThread } from './comment-thread.tsx'
import { useComments } from './use-comments.ts'
import './comments.css'

/** What people of one embed tenant say about a dashboard. */
export function Comments({ publicId }: { readonly publicId: string }) {
  const { t } = useLocale()
  const [showsResolved, setResolved] = useState(false)
  const comments = useComments(publicId, showsResolved)
  const { threads, error } = comments
  return (
    <div className="comments">
      <label className="comments-filter">
        <input type="checkbox" checked={showsResolved} onChange={({ target }) => setResolved(target.checked)} />{' '}
        {t('showResolved')}
      </label>
      <div className="comments-list">
        {error !== null && threads === null && <ErrorState message={error.message} onRetry={comments.retry} />}
        {error !== null && threads !== null && <Notice kind="warning">{error.message}</Notice>}
        {error === null && threads === null && <Skeleton shape="text" />}
        {threads?.length === 0 && <EmptyState title={t('noComments')} hint="" />}
        <ul>
          {threads?.map(thread => (
            <CommentThread key={thread.root.id} publicId={publicId} thread={thread} comments={comments} />
          ))}
        </ul>
        {comments.hasMore && (
          <Button look="quiet" onClick={comments.more}>
            {t('more')}
          </Button>
        )}
      </div>
      <CommentForm publicId={publicId} label={t('comment')} send={comments.begin} />
    </div>
  )
}
