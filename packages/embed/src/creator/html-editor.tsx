import { TextWidget } from '@hedron/ui'
import { useState } from 'react'
import { useCreator } from './creator-context.ts'
import { Sheet } from './sheet.tsx'

/** As much as the service keeps (docs/content.md). */
const longest = 200_000

/** HTML and what is left of it, beside each other. */
export function HtmlEditor(props: {
  /** Null: it has no name of its own. */
  readonly name: string | null
  readonly html: string
  readonly save: (name: string, html: string) => Promise<void>
  readonly onClose: () => void
}) {
  const { save, onClose } = props
  const { texts } = useCreator()
  const [name, setName] = useState(props.name ?? '')
  const [html, setHtml] = useState(props.html)
  const [problem, setProblem] = useState('')
  const [isSaving, setSaving] = useState(false)
  const onSave = () => {
    setSaving(true)
    setProblem('')
    save(name.trim() === '' ? texts.untitled : name.trim(), html).catch((error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error))
      setSaving(false)
    })
  }
  return (
    <Sheet label={texts.html} canSave={html.trim() !== '' && !isSaving} onSave={onSave} onClose={onClose}>
      {props.name !== null && (
        <input
          aria-label={texts.name}
          placeholder={texts.name}
          maxLength={255}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      )}
      <textarea
        aria-label={texts.html}
        rows={10}
        spellCheck={false}
        maxLength={longest}
        value={html}
        onChange={({ target }) => setHtml(target.value)}
      />
      <p className="hd-muted">{texts.htmlHint}</p>
      {problem !== '' && <p role="alert">{problem}</p>}
      <div className="creator-html">
        <TextWidget html={html} />
      </div>
    </Sheet>
  )
}
