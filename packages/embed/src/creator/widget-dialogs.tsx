import { useLocale } from '@hedron/ui'
import { useCreator } from './creator-context.ts'
import type { TabPlace } from './draft-tabs.ts'
import { Sheet } from './sheet.tsx'

/** Where a widget is to go: the page, or a tab. */
export function MoveSheet(props: {
  readonly name: string
  readonly places: readonly { readonly place: TabPlace | null; readonly name: string }[]
  readonly onMove: (place: TabPlace | null) => void
  readonly onClose: () => void
}) {
  const { name, places, onMove, onClose } = props
  const { texts } = useCreator()
  return (
    <Sheet label={`${texts.moveTo} ${name}`} onClose={onClose}>
      <ul className="creator-folders">
        {places.map(({ place, name: placeName }) => (
          <li key={place === null ? '' : `${place.containerId} ${place.tabId}`}>
            <button type="button" onClick={() => onMove(place)}>
              {placeName}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

/** Before more than one widget is lost. Undo brings them back. */
export function RemoveSheet(props: {
  readonly name: string
  readonly held: readonly string[]
  readonly onRemove: () => void
  readonly onClose: () => void
}) {
  const { name, held, onRemove, onClose } = props
  const { texts } = useCreator()
  const { t } = useLocale()
  return (
    <Sheet label={`${t('remove')}: ${name}`} saveLabel={texts.removeWidgets} onSave={onRemove} onClose={onClose}>
      <p>
        {texts.removeWithAll} {held.join(', ')}
      </p>
    </Sheet>
  )
}
