import type { DashboardWidget } from '@hedron/contract'
import { useLocale } from '@hedron/ui'
import { useCreator } from './creator-context.ts'

/** How a widget is called where it is not seen: by its title, else by its kind. */
export function useWidgetNames(): (type: DashboardWidget['type'], title: string | null) => string {
  const { texts } = useCreator()
  const { t } = useLocale()
  const kinds: Readonly<Record<DashboardWidget['type'], string>> = {
    CHART: t('chartOther'),
    TEXT: texts.text,
    AI: texts.summary,
    FILTER: texts.filters,
    TIME_GRAIN: t('grain'),
    FIELD: t('field'),
    CONTAINER: texts.tabs,
    PARENT: texts.tabs,
    SPACER: texts.space,
    DIVIDER: texts.divider,
  }
  return (type, title) => (title === null || title === '' ? kinds[type] : title)
}
