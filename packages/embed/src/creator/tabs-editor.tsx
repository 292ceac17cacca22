import { Button, IconButton, useLocale } from '@hedron/ui'
import { useState } from 'react'
import type { Tab } from '../dashboard/model/widgets.ts'
import { useCreator } from './creator-context.ts'
import { newTab, reordered } from './draft-tabs.ts'
import { Sheet } from './sheet.tsx'
import { TitleField } from './title-field.tsx'

interface TabsEditorProps {
  readonly title: string
  /** Null: new ones. */
  readonly tabs: readonly Tab[] | null
  /** What a widget is called that stands in one of them. */
  readonly nameOf: (widgetId: string) => string
  readonly onSave: (title: string, tabs: readonly Tab[]) => void
  readonly onClose: () => void
}

/** The tabs of a container: their names, their order, more and fewer of them. */
export function TabsEditor({ title: given, tabs: before, nameOf, onSave, onClose }: TabsEditorProps) {
  const { texts } = useCreator()
  const { t } = useLocale()
  const [title, setTitle] = useState(given)
  const another = (tabs: readonly Tab[]) => newTab(tabs, `${texts.tab} ${tabs.length + 1}`)
  const [tabs, setTabs] = useState<readonly Tab[]>(() => {
    if (before !== null) return before
    const first = another([])
    return [first, another([first])]
  })
  const [doomed, setDoomed] = useState<Tab | null>(null)
  const remove = ({ id }: Tab) => {
    setTabs(tabs.filter(tab => tab.id !== id))
    setDoomed(null)
  }
  return (
    <Sheet
      label={texts.tabs}
      canSave={tabs.every(tab => tab.title.trim() !== '')}
      onSave={() =>
        onSave(
          title.trim(),
          tabs.map(tab => ({ ...tab, title: tab.title.trim() })),
        )
      }
      onClose={onClose}
    >
      <div className="creator-fields">
        <TitleField value={title} onChange={setTitle} />
        <ol className="creator-tabs">
          {tabs.map((tab, at) => (
            <li key={tab.id}>
              <input
                aria-label={`${texts.tab} ${at + 1}`}
                maxLength={255}
                value={tab.title}
                onChange={({ target }) =>
                  setTabs(tabs.map(each => (each === tab ? { ...tab, title: target.value } : each)))
                }
              />
              <IconButton
                icon="up"
                label={`${texts.moveUp}: ${tab.title}`}
                disabled={at === 0}
                onClick={() => setTabs(reordered(tabs, at, at - 1))}
              />
              <IconButton
                icon="down"
                label={`${texts.moveDown}: ${tab.title}`}
                disabled={at === tabs.length - 1}
                onClick={() => setTabs(reordered(tabs, at, at + 1))}
              />
              <IconButton
                icon="trash"
                label={`${t('remove')}: ${tab.title}`}
                disabled={tabs.length === 1}
                onClick={() => (tab.widgetIds.length === 0 ? remove(tab) : setDoomed(tab))}
              />
            </li>
          ))}
        </ol>
        {doomed !== null && (
          <div className="creator-doomed" role="alert">
            <p>
              {doomed.title}: {texts.removeWithAll} {doomed.widgetIds.map(nameOf).join(', ')}
            </p>
            <Button look="danger" onClick={() => remove(doomed)}>
              {texts.removeWidgets}
            </Button>
            <Button look="quiet" onClick={() => setDoomed(null)}>
              {t('cancel')}
            </Button>
          </div>
        )}
        <Button icon="plus" onClick={() => setTabs([...tabs, another(tabs)])}>
          {texts.addTab}
        </Button>
      </div>
    </Sheet>
  )
}
