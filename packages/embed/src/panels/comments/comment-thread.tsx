import type { DashboardComment, DashboardCommentThread } from '@hedron/contract'
import { Avatar, Button, formatAge, formatMoment, IconButton, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { CommentForm } from './comment-form.tsx'
import type { Comments } from './use-comments.ts'

interface ThreadProps {
  readonly publicId: string
  readonly thread: DashboardCommentThread
  readonly comments: Comments
}

/** A comment with the replies to it, and the place to write one. */
export function CommentThread({ publicId, thread, comments }: ThreadProps) {
  const { t } = useLocale()
  const { root, replies, resolvedAt } = thread
  const isResolved = resolvedAt !== null
  const [isReplying, setReplying] = useState(false)
  return (
    <li className="comment-thread" data-resolved={isResolved}>
      <CommentView publicId={publicId} comment={root} comments={comments} />
      {replies.length > 0 && (
        <ul>
          {replies.map(reply => (
            <li key={reply.id}>
              <CommentView publicId={publicId} comment={reply} comments={comments} />
            </li>
          ))}
        </ul>
      )}
      {isReplying ? (
        <CommentForm
          publicId={publicId}
          label={t('reply')}
          takesFocus
          send={async body => {
            await comments.reply(root.id, body)
            setReplying(false)
          }}
          onCancel={() => setReplying(false)}
        />
      ) : (
        root.removedAt === null && (
          <div className="comment-thread-tools">
            <Button look="quiet" onClick={() => setReplying(true)}>
              {t('reply')}
            </Button>
            {root.isOwn && (
              <Failing
                label={isResolved ? t('reopen') : t('resolve')}
                work={() => comments.resolve(root.id, !isResolved)}
              />
            )}
          </div>
        )
      )}
    </li>
  )
}

/** A button whose work can fail, and says so beside it. */
function Failing({ label, work }: { readonly label: string; readonly work: () => Promise<void> }) {
  const [problem, setProblem] = useState('')
  return (
    <>
      <Button
        look="quiet"
        icon="check"
        onClick={() => {
          setProblem('')
          work().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
        }}
      >
        {label}
      </Button>
      {problem !== '' && <span role="alert">{problem}</span>}
    </>
  )
}

function CommentView(props: {
  readonly publicId: string
  readonly comment: DashboardComment
  readonly comments: Comments
}) {
  const { publicId, comment, comments } = props
  const { t, locale, timeZone } = useLocale()
  const [isEditing, setEditing] = useState(false)
  const [problem, setProblem] = useState('')
  const name = comment.isOwn ? t('you') : (comment.authorName ?? t('somebody'))
  const written = new Date(comment.createdAt)
  if (comment.removedAt !== null) return <p className="comment-removed hd-muted">{t('commentDeleted')}</p>
  return (
    <article className="comment" aria-label={`${t('comment')}: ${name}`}>
      <header>
        <Avatar name={comment.authorName ?? name} size={20} />
        <b>{name}</b>
        <time
          className="hd-muted"
          dateTime={comment.createdAt}
          title={formatMoment(written.getTime(), locale, timeZone)}
        >
          {formatAge(written.getTime(), Date.now(), locale)}
          {comment.editedAt !== null && ` · ${t('edited')}`}
        </time>
        {comment.isOwn && !isEditing && (
          <span className="comment-tools">
            <IconButton icon="pencil" label={t('edit')} onClick={() => setEditing(true)} />
            <IconButton
              icon="trash"
              label={t('remove')}
              onClick={() =>
                comments
                  .remove(comment.id)
                  .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
              }
            />
          </span>
        )}
      </header>
      {isEditing ? (
        <CommentForm
          publicId={publicId}
          label={t('edit')}
          initial={comment.body}
          takesFocus
          send={async body => {
            await comments.edit(comment.id, body)
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        // Plain text: markup of others is shown as it was typed.
        <p className="comment-body">{comment.body}</p>
      )}
      {problem !== '' && <p role="alert">{problem}</p>}
    </article>
  )
}
