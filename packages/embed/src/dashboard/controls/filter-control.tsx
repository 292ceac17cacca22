import { useLocale } from '@hedron/ui'
import { useId, useState } from 'react'
import type { Control, FilterValue } from '../model/controls.ts'
import { useSuggestions } from './use-suggestions.ts'

interface FilterControlProps {
  readonly control: Control & { readonly kind: 'filter' }
  readonly title: string
  /** Of the member in the model. */
  readonly type: string
  readonly value: FilterValue
  readonly onChange: (value: FilterValue | null) => void
  /** Its title stands elsewhere already, and is only heard here. */
  readonly isTitleHidden?: boolean
  /** Values are looked up while one is typed; of measures there are none. */
  readonly hasSuggestions?: boolean
}

/** A filter in the form that its member's type asks for. */
export function FilterControl(props: FilterControlProps) {
  if (props.type === 'time') return <DateFilter {...props} />
  return <ValueFilter {...props} />
}

/** Values are typed with suggestions of what there is; each that is chosen can be taken away again. */
function ValueFilter(props: FilterControlProps) {
  const { control, title, type, value, onChange, isTitleHidden = false, hasSuggestions = true } = props
  const { t } = useLocale()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { suggestions, failed } = useSuggestions(control, type, typed, isOpen && hasSuggestions)
  const add = (text: string) => {
    const chosen = text.trim()
    if (chosen === '') return
    setTyped('')
    const values = control.isMultiple ? [...new Set([...value.values, chosen])] : [chosen]
    onChange({ operator: value.operator, values })
  }
  const remove = (text: string) => {
    const values = value.values.filter(each => each !== text)
    onChange(values.length === 0 ? null : { operator: value.operator, values })
  }
  return (
    <div className="control">
      <label htmlFor={id} className={isTitleHidden ? 'hd-hidden' : undefined}>
        {title}
      </label>
      <div className="control-values">
        {value.values.map(each => (
          <button
            key={each}
            type="button"
            className="control-chip"
            onClick={() => remove(each)}
            aria-label={`${t('remove')}: ${each}`}
          >
            {each} <span aria-hidden="true">×</span>
          </button>
        ))}
        <input
          id={id}
          list={`${id}-list`}
          value={typed}
          placeholder={value.values.length === 0 ? t('any') : ''}
          autoComplete="off"
          onFocus={() => setOpen(true)}
          onChange={({ target, nativeEvent }) => {
            // A suggestion that was chosen comes as a whole, not as a key.
            const isChosen = !('inputType' in nativeEvent) || nativeEvent.inputType === 'insertReplacementText'
            if (isChosen && suggestions.includes(target.value)) add(target.value)
            else setTyped(target.value)
          }}
          onKeyDown={event => {
            if (event.key === 'Enter') add(typed)
            else if (event.key === 'Backspace' && typed === '') remove(value.values.at(-1) ?? '')
          }}
          onBlur={() => suggestions.includes(typed) && add(typed)}
        />
        <datalist id={`${id}-list`}>
          {suggestions.map(each => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </div>
      {failed && <p className="control-note">{t('suggestionsFailed')}</p>}
    </div>
  )
}

const ranges = [
  ['today', 'today'],
  ['yesterday', 'yesterday'],
  ['last7Days', 'last 7 days'],
  ['last30Days', 'last 30 days'],
  ['thisMonth', 'this month'],
  ['lastMonth', 'last month'],
  ['thisQuarter', 'this quarter'],
  ['thisYear', 'this year'],
  ['lastYear', 'last year'],
] as const

/** A range of dates: one by name, or from and to. */
function DateFilter({ title, value, onChange, isTitleHidden = false }: FilterControlProps) {
  const { t } = useLocale()
  const id = useId()
  const [first = '', second] = value.values
  const isOwn = second !== undefined
  const [isChoosing, setChoosing] = useState(isOwn)
  const [from, setFrom] = useState(isOwn ? first : '')
  const [to, setTo] = useState(second ?? '')
  const named = ranges.find(([, range]) => range === first.toLowerCase())
  const selected = isChoosing ? 'own' : (named?.[1] ?? (value.values.length === 0 ? '' : first))
  const setRange = (start: string, end: string) => {
    setFrom(start)
    setTo(end)
    if (start !== '' && end !== '' && start <= end) onChange({ operator: 'inDateRange', values: [start, end] })
  }
  return (
    <div className="control">
      <label htmlFor={id} className={isTitleHidden ? 'hd-hidden' : undefined}>
        {title}
      </label>
      <select
        id={id}
        value={selected}
        onChange={({ target }) => {
          setChoosing(target.value === 'own')
          if (target.value === '') onChange(null)
          else if (target.value !== 'own') onChange({ operator: 'inDateRange', values: [target.value] })
        }}
      >
        <option value="">{t('anyTime')}</option>
        {ranges.map(([key, range]) => (
          <option key={range} value={range}>
            {t(key)}
          </option>
        ))}
        {named === undefined && !isOwn && first !== '' && <option value={first}>{first}</option>}
        <option value="own">{t('customRange')}</option>
      </select>
      {isChoosing && (
        <div className="control-range">
          <input
            type="date"
            aria-label={t('from')}
            value={from}
            max={to}
            onChange={({ target }) => setRange(target.value, to)}
          />
          <input
            type="date"
            aria-label={t('to')}
            value={to}
            min={from}
            onChange={({ target }) => setRange(from, target.value)}
          />
        </div>
      )}
      {from !== '' && to !== '' && from > to && <p className="control-note">{t('badRange')}</p>}
    </div>
  )
}
