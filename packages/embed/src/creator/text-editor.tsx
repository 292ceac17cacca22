import { Button, IconButton, useLocale } from '@hedron/ui'
import { useEffect, useRef, useState } from 'react'
import { useBoard } from '../dashboard/board.ts'
import type { MetaMember } from '../frame/data-client.ts'
import { useCreator } from './creator-context.ts'

interface EditorProps {
  readonly onSave: (value: string) => void
  readonly onClose: () => void
}

/** The words of a text widget. */
export function TextEditor({ text, onSave, onClose }: EditorProps & { readonly text: string }) {
  const { texts } = useCreator()
  const [value, setValue] = useState(text)
  return (
    <Sheet label={texts.addText} onClose={onClose} onSave={() => onSave(value)}>
      <textarea aria-label={texts.addText} rows={12} value={value} onChange={({ target }) => setValue(target.value)} />
    </Sheet>
  )
}

/** The dimension that a filter is about. */
export function FilterEditor({ onSave, onClose }: EditorProps) {
  const { data } = useBoard()
  const { texts } = useCreator()
  const [dimensions, setDimensions] = useState<readonly MetaMember[]>([])
  const [value, setValue] = useState('')
  useEffect(() => {
    let isGone = false
    data.meta(new AbortController().signal).then(
      ({ cubes }) => {
        const visible = cubes.filter(({ isVisible }) => isVisible !== false)
        const views = visible.filter(({ type }) => type === 'view')
        const all = (views.length > 0 ? views : visible).flatMap(cube => cube.dimensions)
        if (!isGone) setDimensions(all.filter(member => member.isVisible !== false))
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [data])
  return (
    <Sheet label={texts.addFilter} onClose={onClose} onSave={() => value !== '' && onSave(value)}>
      <select aria-label={texts.dimensions} value={value} onChange={({ target }) => setValue(target.value)}>
        <option value="">{texts.dimensions}</option>
        {dimensions.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </Sheet>
  )
}

function Sheet(props: {
  readonly label: string
  readonly onSave: () => void
  readonly onClose: () => void
  readonly children: React.ReactNode
}) {
  const { t } = useLocale()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="drill creator-sheet" onClose={props.onClose} aria-label={props.label}>
      <header>
        <h2>{props.label}</h2>
        <Button look="primary" onClick={props.onSave}>
          {t('save')}
        </Button>
        <IconButton icon="close" label={t('close')} onClick={() => dialog.current?.close()} />
      </header>
      {props.children}
    </dialog>
  )
}
