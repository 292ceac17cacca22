import { useLocale } from '@hedron/ui'
import { useEffect, useId, useState } from 'react'
import { useStore } from '../../frame/store.ts'
import { useBoard } from '../board.ts'
import type { Control, FilterValue } from '../model/controls.ts'
import type { Widget } from '../model/widgets.ts'
import { WidgetBox } from '../widgets/widget-box.tsx'
import { FilterControl } from './filter-control.tsx'
import { useMember } from './use-member.ts'
import './controls.css'

/** A control on the dashboard: what is chosen here changes every widget that it concerns, and stands in the address. */
export function ControlWidget({ widget }: { readonly widget: Widget & { readonly kind: 'control' } }) {
  const board = useBoard()
  const control = board.controls.get(widget.parameter)
  useEffect(() => board.settled(widget.id, null), [board, widget.id])
  return (
    <WidgetBox id={widget.id} title={null}>
      {control !== undefined &&
        (control.kind === 'filter' ? <Filter control={control} /> : <Choice control={control} />)}
    </WidgetBox>
  )
}

function Filter({ control }: { readonly control: Control & { readonly kind: 'filter' } }) {
  const board = useBoard()
  const value = useStore(board.values).get(control.parameter)
  const member = useMember(control.member)
  const set: FilterValue = typeof value === 'object' ? value : { operator: control.operator, values: [] }
  return (
    <FilterControl
      control={control}
      title={control.title ?? member?.shortTitle ?? control.member}
      type={member?.type ?? 'string'}
      value={set}
      onChange={next => board.change(control.parameter, next)}
    />
  )
}

/** One of a few: a granularity, or which member is shown. */
function Choice({ control }: { readonly control: Control & { readonly kind: 'grain' | 'field' } }) {
  const board = useBoard()
  const { t } = useLocale()
  const id = useId()
  const value = useStore(board.values).get(control.parameter)
  const titles = useTitles(control)
  const title = control.title ?? (control.kind === 'grain' ? t('grain') : t('field'))
  return (
    <div className="control">
      <label htmlFor={id}>{title}</label>
      <select
        id={id}
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => board.change(control.parameter, target.value === '' ? null : target.value)}
      >
        {control.kind === 'grain' && <option value="">{t('any')}</option>}
        {control.kind === 'field' && typeof value !== 'string' && (
          <option value="">{titles.get(control.member) ?? control.member}</option>
        )}
        {control.options
          .filter(option => !(control.kind === 'field' && typeof value !== 'string' && option === control.member))
          .map(option => (
            <option key={option} value={option}>
              {titles.get(option) ?? option}
            </option>
          ))}
      </select>
    </div>
  )
}

function useTitles(control: Control & { readonly kind: 'grain' | 'field' }): ReadonlyMap<string, string> {
  const board = useBoard()
  const { t } = useLocale()
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    if (control.kind === 'grain') {
      const known = {
        second: t('second'),
        minute: t('minute'),
        hour: t('hour'),
        day: t('day'),
        week: t('week'),
        month: t('month'),
        quarter: t('quarter'),
        year: t('year'),
      }
      setTitles(new Map(Object.entries(known)))
      return
    }
    let isGone = false
    board.data.meta(new AbortController().signal).then(
      ({ cubes }) => {
        const members = cubes.flatMap(cube => [...cube.measures, ...cube.dimensions])
        if (!isGone) setTitles(new Map(members.map(member => [member.name, member.shortTitle])))
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [board, control, t])
  return titles
}
