import type { DashboardWidget } from '@hedron/contract'
import { memberOf, namesOf, recordOf, textOf, type Widget } from './widgets.ts'

/** What a viewer has chosen in a filter. */
export interface FilterValue {
  readonly operator: string
  /** Texts, also of numbers; empty: nothing is filtered. */
  readonly values: readonly string[]
}

/** What a control is set to; a filter's value, a granularity or the name of a member. */
export type ControlValue = FilterValue | string

export type Control =
  | {
      readonly kind: 'filter'
      readonly parameter: string
      readonly member: string
      readonly title: string | null
      readonly operator: string
      readonly isMultiple: boolean
      /** The values to choose of, where they are given rather than looked up. */
      readonly options: readonly string[]
      readonly initial: FilterValue | null
    }
  | {
      readonly kind: 'grain' | 'field'
      readonly parameter: string
      /** Of a field control: the one that is replaced. */
      readonly member: string
      readonly title: string | null
      readonly options: readonly string[]
      readonly initial: string | null
    }

/** By parameter. What is not in it is as the dashboard has it. */
export type ControlValues = ReadonlyMap<string, ControlValue>

export const granularities = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const

/** Operators of the data API that take values of a filter control. */
const operators: ReadonlySet<string> = new Set(
  (
    'equals notEquals contains notContains startsWith notStartsWith endsWith notEndsWith gt gte lt lte set notSet ' +
    'inDateRange notInDateRange onTheDate beforeDate beforeOrOnDate afterDate afterOrOnDate'
  ).split(' '),
)

/** The controls of a dashboard by their parameters. */
export function readControls(widgets: readonly Widget[]): ReadonlyMap<string, Control> {
  const controls = widgets.flatMap(({ source, title }) => readControl(source, title) ?? [])
  return new Map(controls.map(control => [control.parameter, control]))
}

function readControl({ type, config }: DashboardWidget, title: string | null): Control | null {
  const given = config ?? {}
  const member = memberOf(given)
  if (member === '') return null
  if (type === 'FILTER') {
    const operator = textOf(given.operator) ?? 'equals'
    return {
      kind: 'filter',
      parameter: `f_${member}`,
      member,
      title,
      operator,
      isMultiple: given.multiple !== false,
      options: namesOf(given.options),
      initial: given.value === undefined || given.value === null ? null : filterOf(given.value, operator),
    }
  }
  if (type === 'TIME_GRAIN') {
    const allowed = namesOf(given.granularities).map(name => name.toLowerCase())
    const options = allowed.length > 0 ? allowed : ['day', 'week', 'month', 'quarter', 'year']
    return { kind: 'grain', parameter: `tg_${member}`, member, title, options, initial: textOf(given.value) }
  }
  if (type === 'FIELD') {
    const options = [...new Set([member, ...namesOf(given.options)])]
    return { kind: 'field', parameter: `ms_${member}`, member, title, options, initial: textOf(given.value) }
  }
  return null
}

/**
 * What a parameter sets a control to: for `f_…` JSON `{"value": …, "operator"?: …}`, else a granularity or the name of a member that the control
 * offers (contract/behaviour/embed.md section 4).
 *
 * @returns null for what the control does not offer and what cannot be read: it is passed over.
 */
export function readParameter(control: Control, text: string): ControlValue | null {
  if (control.kind !== 'filter') return control.options.includes(text) ? text : null
  try {
    const parsed = recordOf(JSON.parse(text))
    if (!('value' in parsed)) return null
    const value = filterOf(parsed.value, textOf(parsed.operator) ?? textOf(parsed.type) ?? 'equals')
    if (value === null || control.options.length === 0) return value
    return value.values.every(each => control.options.includes(each)) ? value : null
  } catch {
    return null
  }
}

/** The text of a parameter that sets a control to this; null where nothing is set. */
export function writeParameter(value: ControlValue): string | null {
  if (typeof value === 'string') return value
  const { operator, values } = value
  const takesNone = operator === 'set' || operator === 'notSet'
  if (values.length === 0 && !takesNone) return null
  const [only] = values
  return JSON.stringify({
    value: takesNone ? null : values.length === 1 ? only : values,
    ...(operator === 'equals' ? {} : { operator }),
  })
}

function filterOf(value: unknown, operator: string): FilterValue | null {
  if (!operators.has(operator)) return null
  if (value === null) return operator === 'set' || operator === 'notSet' ? { operator, values: [] } : null
  const given: unknown[] = Array.isArray(value) ? value : [value]
  const values = given.filter(each => typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean')
  return values.length === given.length ? { operator, values: values.map(String) } : null
}

/** What the controls are set to at first: by the address, else by the dashboard. */
export function initialValues(
  controls: ReadonlyMap<string, Control>,
  parameters: ReadonlyMap<string, string>,
): Map<string, ControlValue> {
  const values = new Map<string, ControlValue>()
  for (const control of controls.values()) {
    const text = parameters.get(control.parameter)
    const value = (text === undefined ? null : readParameter(control, text)) ?? control.initial
    if (value !== null) values.set(control.parameter, value)
  }
  return values
}
