import { Button, IconButton, useLocale } from '@hedron/ui'
import { type ReactNode, useEffect, useRef } from 'react'

/** A small form over the page. Without `onSave` everything in it holds at once. */
export function Sheet(props: {
  readonly label: string
  readonly onClose: () => void
  readonly onSave?: () => void
  readonly saveLabel?: string
  readonly canSave?: boolean
  readonly children: ReactNode
}) {
  const { label, onClose, onSave, saveLabel, canSave = true, children } = props
  const { t } = useLocale()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="drill creator-sheet" onClose={onClose} aria-label={label}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (canSave) onSave?.()
        }}
      >
        <header>
          <h2>{label}</h2>
          {onSave !== undefined && (
            <Button look="primary" type="submit" disabled={!canSave}>
              {saveLabel ?? t('save')}
            </Button>
          )}
          <IconButton icon="close" label={t('close')} onClick={() => dialog.current?.close()} />
        </header>
        {children}
      </form>
    </dialog>
  )
}
