import type { DashboardConfig } from '@hedron/contract'
import { useLocale } from '@hedron/ui'
import { useState } from 'react'
import { recordOf, textOf } from '../dashboard/model/widgets.ts'
import { useCreator } from './creator-context.ts'
import { Sheet } from './sheet.tsx'

/** What holds for a dashboard as a whole: how often it asks anew, in which zone, and its colours. */
export function SettingsEditor(props: {
  readonly draft: DashboardConfig
  readonly onSave: (change: (draft: DashboardConfig) => DashboardConfig) => void
  readonly onClose: () => void
}) {
  const { draft, onSave, onClose } = props
  const { texts } = useCreator()
  const { t } = useLocale()
  const settings = recordOf(draft.settings)
  const theme = recordOf(draft.theme)
  const widgets = recordOf(theme.widgets)
  const [refresh, setRefresh] = useState(Number(settings.refreshInterval) || 0)
  const [zone, setZone] = useState(textOf(settings.timezone) ?? '')
  const [background, setBackground] = useState(textOf(recordOf(theme.dashboard).backgroundColor) ?? '')
  const [widgetColor, setWidgetColor] = useState(textOf(widgets.backgroundColor) ?? '')
  const save = () =>
    onSave(before => {
      const { refreshInterval: _, timezone: __, ...others } = recordOf(before.settings)
      const look = recordOf(before.theme)
      return {
        ...before,
        settings: {
          ...others,
          ...(refresh > 0 ? { refreshInterval: refresh } : {}),
          ...(zone === '' ? {} : { timezone: zone }),
        },
        theme: {
          ...look,
          dashboard: { ...recordOf(look.dashboard), backgroundColor: background === '' ? null : background },
          widgets: { ...recordOf(look.widgets), backgroundColor: widgetColor === '' ? null : widgetColor },
        },
      }
    })
  return (
    <Sheet label={texts.settings} onClose={onClose} onSave={save}>
      <div className="creator-fields">
        <label>
          {texts.refreshEvery}
          <select value={refresh} onChange={({ target }) => setRefresh(Number(target.value))}>
            <option value={0}>{texts.never}</option>
            {[...new Set([30, 60, 300, 900, 3600, ...(refresh > 0 ? [refresh] : [])])].map(seconds => (
              <option key={seconds} value={seconds}>
                {seconds < 60 ? `${seconds} s` : `${seconds / 60} min`}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.timeZone}
          <select value={zone} onChange={({ target }) => setZone(target.value)}>
            <option value="">{texts.viewersZone}</option>
            {Intl.supportedValuesOf('timeZone').map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <ColorField label={texts.background} value={background} onChange={setBackground} clear={t('clear')} />
        <ColorField label={texts.widgetBackground} value={widgetColor} onChange={setWidgetColor} clear={t('clear')} />
      </div>
    </Sheet>
  )
}

function ColorField(props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly clear: string
}) {
  const { label, value, onChange, clear } = props
  return (
    <div className="creator-color">
      <label>
        {label}
        <input
          type="color"
          value={/^#[\da-f]{6}$/i.test(value) ? value : '#ffffff'}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      {value !== '' && (
        <button type="button" onClick={() => onChange('')}>
          {clear}: {value}
        </button>
      )}
    </div>
  )
}
