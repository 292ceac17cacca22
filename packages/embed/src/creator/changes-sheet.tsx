import { useLocale } from '@hedron/ui'
import type { Change } from './changes.ts'
import { useCreator } from './creator-context.ts'
import { Sheet } from './sheet.tsx'
import { useWidgetNames } from './widget-names.ts'

/** What viewers do not see yet, and the way to show it to them. */
export function ChangesSheet(props: {
  readonly changes: readonly Change[]
  readonly onPublish: () => void
  readonly onClose: () => void
}) {
  const { changes, onPublish, onClose } = props
  const { texts } = useCreator()
  const { t } = useLocale()
  const nameOf = useWidgetNames()
  const kinds = {
    added: texts.changeAdded,
    removed: texts.changeRemoved,
    changed: texts.changeChanged,
    moved: texts.changeMoved,
  }
  return (
    <Sheet label={texts.whatChanged} saveLabel={texts.publish} onSave={onPublish} onClose={onClose}>
      {changes.length === 0 ? (
        <p>{t('changeNone')}</p>
      ) : (
        <ul className="creator-changes">
          {changes.map((change, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two widgets may be named the same
            <li key={at}>
              {'type' in change ? (
                <>
                  <span>{nameOf(change.type, change.title)}</span>
                  <em>{kinds[change.what]}</em>
                </>
              ) : (
                <>
                  <span>{change.what === 'title' ? texts.title : texts.settings}</span>
                  <em>{texts.changeChanged}</em>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}
