import { useLocale } from '@hedron/ui'
import { useState } from 'react'
import { textOf } from '../dashboard/model/widgets.ts'
import { useCreator } from './creator-context.ts'
import { Sheet } from './sheet.tsx'
import { TitleField } from './title-field.tsx'

/** What a summary is about. Its words are not kept: each viewer's are written of what he may see. */
export function SummaryEditor(props: {
  readonly config: Readonly<Record<string, unknown>>
  readonly onSave: (config: Record<string, unknown>) => void
  readonly onClose: () => void
}) {
  const { config, onSave, onClose } = props
  const { texts } = useCreator()
  const { t } = useLocale()
  const [prompt, setPrompt] = useState(textOf(config.prompt) ?? '')
  const [title, setTitle] = useState(textOf(config.title) ?? '')
  const [isAuto, setAuto] = useState(config.auto === true)
  return (
    <Sheet
      label={texts.addSummary}
      onClose={onClose}
      canSave={prompt.trim() !== ''}
      onSave={() => onSave({ prompt: prompt.trim(), auto: isAuto, title: title.trim() === '' ? null : title.trim() })}
    >
      <div className="creator-fields">
        <TitleField value={title} onChange={setTitle} />
        <textarea
          aria-label={texts.summaryAbout}
          placeholder={texts.summaryAbout}
          rows={4}
          maxLength={4000}
          value={prompt}
          onChange={({ target }) => setPrompt(target.value)}
        />
        <label>
          <input type="checkbox" checked={isAuto} onChange={({ target }) => setAuto(target.checked)} />{' '}
          {texts.summaryAuto}
        </label>
        <p className="hd-muted">{t('summaryHint')}</p>
      </div>
    </Sheet>
  )
}
