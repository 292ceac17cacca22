import { useLocale } from '@hedron/ui'
import { useState } from 'react'
import { granularities } from '../dashboard/model/controls.ts'
import { memberOf, namesOf, textOf } from '../dashboard/model/widgets.ts'
import { useCreator } from './creator-context.ts'
import { cubesOf, useMeta, visibleOf } from './report/model-members.ts'
import { operatorsOf, takesValues } from './report/operators.ts'
import { Sheet } from './sheet.tsx'
import { TitleField } from './title-field.tsx'

export type ControlType = 'FILTER' | 'TIME_GRAIN' | 'FIELD'
const types = ['FILTER', 'TIME_GRAIN', 'FIELD'] as const

interface ControlEditorProps {
  /** What is changed; null: a new one. */
  readonly control: { readonly type: ControlType; readonly config: Readonly<Record<string, unknown>> } | null
  readonly onSave: (type: ControlType, config: Record<string, unknown>) => void
  readonly onClose: () => void
}

/** A control of a dashboard: what its viewers may choose. */
export function ControlEditor({ control, onSave, onClose }: ControlEditorProps) {
  const { texts } = useCreator()
  const { t } = useLocale()
  const meta = useMeta()
  const given = control?.config ?? {}
  const [type, setType] = useState<ControlType>(control?.type ?? 'FILTER')
  const [member, setMember] = useState(memberOf(given))
  const [title, setTitle] = useState(textOf(given.title) ?? '')
  const [operator, setOperator] = useState(textOf(given.operator) ?? '')
  const [options, setOptions] = useState<readonly string[]>(
    namesOf(control?.type === 'TIME_GRAIN' ? given.granularities : given.options),
  )
  const cubes = meta === null || meta instanceof Error ? [] : cubesOf(meta)
  const members = cubes.flatMap(cube => {
    const dimensions = visibleOf(cube.dimensions)
    if (type === 'FILTER') return dimensions
    if (type === 'TIME_GRAIN') return dimensions.filter(each => each.type === 'time')
    return [...visibleOf(cube.measures), ...dimensions.filter(each => each.type !== 'time')]
  })
  const chosen = members.find(({ name }) => name === member)
  const cube = cubes.find(({ name }) => name === member.split('.')[0])
  const isMeasure = cube?.measures.some(({ name }) => name === member) === true
  // What may stand in the place of a member is of its own kind.
  const others = (isMeasure ? cube?.measures : cube?.dimensions) ?? []
  const choices: readonly (readonly [string, string])[] =
    type === 'TIME_GRAIN'
      ? granularities.map(name => [name, t(name)] as const)
      : type === 'FIELD'
        ? visibleOf(others)
            .filter(each => each.name !== member && each.type !== 'time')
            .map(each => [each.name, each.shortTitle] as const)
        : []
  const save = () => {
    const named = title.trim() === '' ? {} : { title: title.trim() }
    if (type === 'FILTER') {
      const [usual = 'equals'] = operatorsOf(chosen?.type ?? 'string')
      onSave(type, { member, operator: operator === '' ? usual : operator, ...named })
    } else if (type === 'TIME_GRAIN') {
      const known: readonly string[] = granularities
      onSave(type, {
        member,
        ...(options.length > 0 ? { granularities: known.filter(each => options.includes(each)) } : {}),
        ...named,
      })
    } else onSave(type, { member, options: [...options], ...named })
  }
  return (
    <Sheet
      label={texts.addControl}
      onClose={onClose}
      onSave={save}
      canSave={member !== '' && (type !== 'FIELD' || options.length > 0)}
    >
      <div className="creator-fields">
        {control === null && (
          <select
            aria-label={texts.controlKind}
            value={type}
            onChange={({ target }) => {
              setType(types.find(each => each === target.value) ?? 'FILTER')
              setMember('')
              setOptions([])
            }}
          >
            <option value="FILTER">{t('filters')}</option>
            <option value="TIME_GRAIN">{t('grain')}</option>
            <option value="FIELD">{t('field')}</option>
          </select>
        )}
        <select
          aria-label={texts.member}
          value={member}
          onChange={({ target }) => {
            setMember(target.value)
            setOperator('')
            if (type === 'FIELD') setOptions([])
          }}
        >
          <option value="">{texts.member}</option>
          {members.map(each => (
            <option key={each.name} value={each.name}>
              {each.title}
            </option>
          ))}
        </select>
        {type === 'FILTER' && chosen !== undefined && (
          <select aria-label={texts.comparison} value={operator} onChange={({ target }) => setOperator(target.value)}>
            {operatorsOf(chosen.type)
              .filter(takesValues)
              .map((each, at) => (
                <option key={each} value={at === 0 && operator === '' ? '' : each}>
                  {texts[each]}
                </option>
              ))}
          </select>
        )}
        {member !== '' && choices.length > 0 && (
          <fieldset>
            <legend>{texts.choices}</legend>
            {choices.map(([name, label]) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={options.includes(name)}
                  onChange={({ target }) =>
                    setOptions(target.checked ? [...options, name] : options.filter(each => each !== name))
                  }
                />{' '}
                {label}
              </label>
            ))}
          </fieldset>
        )}
        <TitleField value={title} onChange={setTitle} />
      </div>
      {meta instanceof Error && <p role="alert">{meta.message}</p>}
    </Sheet>
  )
}
