import { useState } from 'react'
import { useCreator } from './creator-context.ts'
import { Sheet } from './sheet.tsx'

/** The words of a text widget, in Markdown. */
export function TextEditor(props: {
  readonly text: string
  readonly onSave: (text: string) => void
  readonly onClose: () => void
}) {
  const { texts } = useCreator()
  const [value, setValue] = useState(props.text)
  return (
    <Sheet label={texts.addText} onClose={props.onClose} onSave={() => props.onSave(value)}>
      <textarea aria-label={texts.addText} rows={12} value={value} onChange={({ target }) => setValue(target.value)} />
    </Sheet>
  )
}
