import { ErrorState, Skeleton, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { granularities } from '../dashboard/model/controls.ts'
import type { Meta, MetaCube, MetaMember } from '../frame/data-client.ts'
import { useCreator } from './creator-context.ts'
import type { ReportForm } from './report-form.ts'

interface MemberPickerProps {
  readonly meta: Meta | Error | null
  readonly form: ReportForm
  readonly onChange: (part: Partial<ReportForm>) => void
}

/** The members that whoever looks may ask: views where the model has some, else cubes. Once one is chosen, only its own kin are left. */
export function MemberPicker({ meta, form, onChange }: MemberPickerProps) {
  const { t } = useLocale()
  const [search, setSearch] = useState('')
  if (meta === null) return <Skeleton shape="text" />
  if (meta instanceof Error) return <ErrorState message={meta.message} />
  const visible = meta.cubes.filter(({ isVisible }) => isVisible !== false)
  const views = visible.filter(({ type }) => type === 'view')
  const chosen = [...form.measures, ...form.dimensions, ...Object.keys(form.grains)][0]?.split('.')[0]
  const shown = (views.length > 0 ? views : visible).filter(({ name }) => chosen === undefined || name === chosen)
  return (
    <div className="creator-members">
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {shown.map(cube => (
        <Members key={cube.name} cube={cube} search={search.trim().toLowerCase()} form={form} onChange={onChange} />
      ))}
    </div>
  )
}

function Members({
  cube,
  search,
  form,
  onChange,
}: Omit<MemberPickerProps, 'meta'> & { readonly cube: MetaCube; readonly search: string }) {
  const { texts } = useCreator()
  const matching = (members: readonly MetaMember[]) =>
    members.filter(({ isVisible, title }) => isVisible !== false && title.toLowerCase().includes(search))
  const toggled = (names: readonly string[], name: string) =>
    names.includes(name) ? names.filter(each => each !== name) : [...names, name]
  const box = (member: MetaMember, isChosen: boolean, toggle: () => void) => (
    <label key={member.name} title={member.description ?? member.name}>
      <input type="checkbox" checked={isChosen} onChange={toggle} /> {member.shortTitle}
    </label>
  )
  const measures = matching(cube.measures)
  const dimensions = matching(cube.dimensions)
  if (measures.length + dimensions.length === 0) return null
  return (
    <fieldset>
      <legend>{cube.title}</legend>
      {measures.length > 0 && <p>{texts.measures}</p>}
      {measures.map(member =>
        box(member, form.measures.includes(member.name), () =>
          onChange({ measures: toggled(form.measures, member.name) }),
        ),
      )}
      {dimensions.length > 0 && <p>{texts.dimensions}</p>}
      {dimensions.map(member =>
        member.type === 'time' ? (
          <Time key={member.name} member={member} form={form} onChange={onChange} />
        ) : (
          box(member, form.dimensions.includes(member.name), () =>
            onChange({ dimensions: toggled(form.dimensions, member.name) }),
          )
        ),
      )}
    </fieldset>
  )
}

/** A time is asked in steps. */
function Time({ member, form, onChange }: Omit<MemberPickerProps, 'meta'> & { readonly member: MetaMember }) {
  const { t } = useLocale()
  const grain = form.grains[member.name]
  const set = (next: string | null) => {
    const { [member.name]: _, ...others } = form.grains
    onChange({ grains: next === null ? others : { ...others, [member.name]: next } })
  }
  return (
    <div className="creator-time">
      <label title={member.description ?? member.name}>
        <input
          type="checkbox"
          checked={grain !== undefined}
          onChange={() => set(grain === undefined ? 'month' : null)}
        />{' '}
        {member.shortTitle}
      </label>
      {grain !== undefined && (
        <select
          aria-label={`${t('grain')}: ${member.shortTitle}`}
          value={grain}
          onChange={({ target }) => set(target.value)}
        >
          {granularities.map(each => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
