import { ErrorState, Skeleton, useLocale } from '@hedron/ui'
import { useState } from 'react'
import { granularities } from '../../dashboard/model/controls.ts'
import type { Meta, MetaCube, MetaMember } from '../../frame/data-client.ts'
import { useFrame } from '../../frame/frame-context.tsx'
import { useCreator } from '../creator-context.ts'
import { cubesOf } from './model-members.ts'
import type { ReportForm } from './report-form.ts'

interface MemberPickerProps {
  readonly meta: Meta | Error | null
  readonly form: ReportForm
  readonly onChange: (part: Partial<ReportForm>) => void
}

/** The members that whoever looks may ask: views where the model has some, else cubes. Once one is chosen, only its own kin are left. */
export function MemberPicker({ meta, form, onChange }: MemberPickerProps) {
  const { t } = useLocale()
  const { texts } = useCreator()
  const { claims } = useFrame()
  const [search, setSearch] = useState('')
  // A session without the switches has what they are set to first (contract/behaviour/embed.md section 5).
  const { showMemberNames, showGroupByCube } = claims?.settings ?? {}
  const [hasNames, setNames] = useState(false)
  const [isGrouped, setGrouped] = useState(true)
  if (meta === null) return <Skeleton shape="text" />
  if (meta instanceof Error) return <ErrorState message={meta.message} />
  const chosen = [...form.measures, ...form.dimensions, ...Object.keys(form.grains)][0]?.split('.')[0]
  const shown = cubesOf(meta).filter(({ name }) => chosen === undefined || name === chosen)
  const wanted = search.trim().toLowerCase()
  const common = { search: wanted, hasNames, form, onChange }
  const joined = {
    measures: shown.flatMap(({ measures }) => measures),
    dimensions: shown.flatMap(({ dimensions }) => dimensions),
  }
  const found = [...joined.measures, ...joined.dimensions].some(member => matches(member, wanted))
  return (
    <div className="creator-members">
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {(showMemberNames !== false || showGroupByCube !== false) && (
        <div className="creator-switches">
          {showMemberNames !== false && (
            <label>
              <input type="checkbox" checked={hasNames} onChange={({ target }) => setNames(target.checked)} />{' '}
              {texts.memberNames}
            </label>
          )}
          {showGroupByCube !== false && (
            <label>
              <input type="checkbox" checked={isGrouped} onChange={({ target }) => setGrouped(target.checked)} />{' '}
              {texts.groupByCube}
            </label>
          )}
        </div>
      )}
      {isGrouped ? (
        shown.map(cube => <Members key={cube.name} title={cube.title} members={cube} {...common} />)
      ) : (
        <Members title={null} members={joined} {...common} />
      )}
      {!found && <p className="hd-muted">{texts.nothingFound}</p>}
    </div>
  )
}

const matches = ({ isVisible, title, name }: MetaMember, search: string): boolean =>
  isVisible !== false && (title.toLowerCase().includes(search) || name.toLowerCase().includes(search))

interface MembersProps {
  readonly title: string | null
  readonly members: Pick<MetaCube, 'measures' | 'dimensions'>
  readonly search: string
  readonly hasNames: boolean
  readonly form: ReportForm
  readonly onChange: (part: Partial<ReportForm>) => void
}

function Members({ title, members, search, hasNames, form, onChange }: MembersProps) {
  const { texts } = useCreator()
  const toggled = (names: readonly string[], name: string) =>
    names.includes(name) ? names.filter(each => each !== name) : [...names, name]
  const nameOf = (member: MetaMember) =>
    hasNames ? <code>{member.name}</code> : title === null ? member.title : member.shortTitle
  const box = (member: MetaMember, isChosen: boolean, toggle: () => void) => (
    <label key={member.name} title={member.description ?? member.name}>
      <input type="checkbox" checked={isChosen} onChange={toggle} /> {nameOf(member)}
    </label>
  )
  const measures = members.measures.filter(member => matches(member, search))
  const dimensions = members.dimensions.filter(member => matches(member, search))
  if (measures.length + dimensions.length === 0) return null
  return (
    <fieldset>
      {title !== null && <legend>{title}</legend>}
      {measures.length > 0 && <p>{texts.measures}</p>}
      {measures.map(member =>
        box(member, form.measures.includes(member.name), () =>
          onChange({ measures: toggled(form.measures, member.name) }),
        ),
      )}
      {dimensions.length > 0 && <p>{texts.dimensions}</p>}
      {dimensions.map(member =>
        member.type === 'time' ? (
          <Time key={member.name} member={member} form={form} onChange={onChange}>
            {nameOf(member)}
          </Time>
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
function Time(props: {
  readonly member: MetaMember
  readonly form: ReportForm
  readonly onChange: (part: Partial<ReportForm>) => void
  readonly children: React.ReactNode
}) {
  const { member, form, onChange, children } = props
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
        {children}
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
