import { IconButton, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { FilterControl } from '../../dashboard/controls/filter-control.tsx'
import type { MetaMember } from '../../frame/data-client.ts'
import { useCreator } from '../creator-context.ts'
import { operatorsOf, takesOne, takesValues } from './operators.ts'
import type { FilterRow } from './report-form.ts'

interface FilterRowsProps {
  /** Those that can be asked beside what is picked. */
  readonly members: readonly MetaMember[]
  /** Names of those that have values to suggest. */
  readonly dimensions: ReadonlySet<string>
  readonly filters: readonly FilterRow[]
  readonly onChange: (filters: readonly FilterRow[]) => void
}

/** Conditions of a report: of which member, how compared, and with what; values are suggested as whoever looks may see them. */
export function FilterRows({ members, dimensions, filters, onChange }: FilterRowsProps) {
  const { texts } = useCreator()
  const typeOf = (name: string) => {
    const found = members.find(member => member.name === name)
    return found?.type ?? 'string'
  }
  const put = (at: number, row: FilterRow | null) =>
    onChange(filters.flatMap((each, index) => (index === at ? (row ?? []) : each)))
  return (
    <section className="creator-filters" aria-label={texts.filters}>
      {filters.map((row, at) => (
        <FilterLine
          // biome-ignore lint/suspicious/noArrayIndexKey: a member may have several conditions, which stand in their order
          key={`${at} ${row.member} ${row.operator}`}
          row={row}
          type={typeOf(row.member)}
          title={members.find(({ name }) => name === row.member)?.shortTitle ?? row.member}
          hasSuggestions={dimensions.has(row.member)}
          onChange={next => put(at, next)}
        />
      ))}
      <select
        aria-label={texts.addCondition}
        value=""
        onChange={({ target }) => {
          const [operator = 'equals'] = operatorsOf(typeOf(target.value))
          if (target.value !== '') onChange([...filters, { member: target.value, operator, values: [] }])
        }}
      >
        <option value="">{texts.addCondition}</option>
        {members.map(({ name, shortTitle }) => (
          <option key={name} value={name}>
            {shortTitle}
          </option>
        ))}
      </select>
    </section>
  )
}

function FilterLine(props: {
  readonly row: FilterRow
  readonly type: string
  readonly title: string
  readonly hasSuggestions: boolean
  readonly onChange: (row: FilterRow | null) => void
}) {
  const { row, type, title, hasSuggestions, onChange } = props
  const { texts } = useCreator()
  const { t } = useLocale()
  return (
    <fieldset className="creator-filter" aria-label={title}>
      <div>
        <b>{title}</b>
        <select
          aria-label={`${texts.comparison}: ${title}`}
          value={row.operator}
          onChange={({ target }) => {
            const operator = target.value
            // Names of ranges are for ranges, one bound for one.
            const keeps = type !== 'time' && takesValues(operator)
            const values = keeps ? (takesOne(operator) ? row.values.slice(0, 1) : row.values) : []
            onChange({ ...row, operator, values })
          }}
        >
          {operatorsOf(type).map(operator => (
            <option key={operator} value={operator}>
              {texts[operator]}
            </option>
          ))}
        </select>
        <IconButton icon="close" label={`${t('remove')}: ${title}`} onClick={() => onChange(null)} />
      </div>
      {takesValues(row.operator) && (
        <Values row={row} type={type} title={title} hasSuggestions={hasSuggestions} onChange={onChange} />
      )}
    </fieldset>
  )
}

function Values({ row, type, title, hasSuggestions, onChange }: Parameters<typeof FilterLine>[0]) {
  const { t } = useLocale()
  const [only = ''] = row.values
  const [typed, setTyped] = useState(only)
  const set = (values: readonly string[]) => onChange({ ...row, values })
  if (type === 'boolean') {
    return (
      <select aria-label={title} value={only} onChange={({ target }) => set(target.value === '' ? [] : [target.value])}>
        <option value="">{t('any')}</option>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    )
  }
  if (type === 'time' && takesOne(row.operator)) {
    return (
      <input
        type="date"
        aria-label={title}
        value={only}
        onChange={({ target }) => set(target.value === '' ? [] : [target.value])}
      />
    )
  }
  if (takesOne(row.operator)) {
    const isWrong = typed.trim() !== '' && !/^-?\d+(?:\.\d+)?$/.test(typed.trim())
    return (
      <>
        <input
          inputMode="decimal"
          aria-label={title}
          aria-invalid={isWrong}
          value={typed}
          onChange={({ target }) => {
            const text = target.value.trim()
            setTyped(target.value)
            if (text === '') set([])
            else if (/^-?\d+(?:\.\d+)?$/.test(text)) set([text])
          }}
        />
        {isWrong && <p role="alert">{t('badNumber', { value: typed })}</p>}
      </>
    )
  }
  const control = {
    kind: 'filter' as const,
    parameter: '',
    member: row.member,
    title,
    operator: row.operator,
    isMultiple: true,
    options: [],
    initial: null,
  }
  return (
    <FilterControl
      control={control}
      title={title}
      isTitleHidden
      hasSuggestions={hasSuggestions}
      type={type}
      value={row}
      onChange={next => set(next?.values ?? [])}
    />
  )
}
