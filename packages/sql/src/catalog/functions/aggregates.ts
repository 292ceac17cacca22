import { compareValues, isArray, keyOf, type Value } from '../values/value.ts'

/** An aggregate over the values of a group. */
export interface AggregateDefinition {
  readonly gives: (type: string) => string
  /** @param values of its arguments, one list for each row of the group. */
  readonly compute: (values: readonly (readonly Value[])[]) => Value
}

const known = (values: readonly (readonly Value[])[]) =>
  values.map(([value = null]) => value).filter(value => value !== null)
const extreme = (sign: number) => (values: readonly (readonly Value[])[]) =>
  known(values).reduce<Value>(
    (best, value) => (best === null || compareValues(value, best) * sign > 0 ? value : best),
    null,
  )
const same = (type: string) => type

/** All aggregates that statements over the catalogs can use. */
export const aggregates: ReadonlyMap<string, AggregateDefinition> = new Map<string, AggregateDefinition>([
  ['count', { gives: () => 'int8', compute: values => values.filter(([value]) => value !== null).length }],
  ['min', { gives: same, compute: extreme(-1) }],
  ['max', { gives: same, compute: extreme(1) }],
  [
    'sum',
    {
      gives: type => (type === 'float4' || type === 'float8' ? type : 'int8'),
      compute: values =>
        known(values).length === 0 ? null : known(values).reduce<number>((sum, value) => sum + Number(value), 0),
    },
  ],
  [
    'bool_and',
    {
      gives: () => 'bool',
      compute: values => (known(values).length === 0 ? null : known(values).every(value => value === true)),
    },
  ],
  [
    'every',
    {
      gives: () => 'bool',
      compute: values => (known(values).length === 0 ? null : known(values).every(value => value === true)),
    },
  ],
  [
    'bool_or',
    { gives: () => 'bool', compute: values => (known(values).length === 0 ? null : known(values).includes(true)) },
  ],
  [
    'string_agg',
    {
      gives: () => 'text',
      compute: values => {
        const present = values.filter(([value]) => value !== null)
        if (present.length === 0) return null
        return present
          .map(([value, by], index) => (index === 0 ? String(value) : `${by ?? ''}${String(value)}`))
          .join('')
      },
    },
  ],
])

/** Apart, because its values keep what is NULL. */
export const arrayAggregate = (values: readonly (readonly Value[])[]): Value =>
  values.length === 0 ? null : values.map(([value = null]) => value)

export function distinctValues(values: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  const byKey = new Map(
    values.map(row => [JSON.stringify(row.map(value => (isArray(value) ? keyOf(value) : value))), row]),
  )
  return [...byKey.values()].sort(([a = null], [b = null]) => (a === null || b === null ? 0 : compareValues(a, b)))
}
