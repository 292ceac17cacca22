import type { DimensionType, FilterOperator, MeasureType } from '../shapes/vocabulary.ts'
import { filterOperators } from '../shapes/vocabulary.ts'

type ValueType = 'text' | 'number' | 'boolean' | 'time'

const dateOperators: readonly FilterOperator[] = [
  'inDateRange',
  'notInDateRange',
  'onTheDate',
  'beforeDate',
  'beforeOrOnDate',
  'afterDate',
  'afterOrOnDate',
]
const likeOperators: readonly FilterOperator[] = [
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
]
const comparisons: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte']
const withoutValues: readonly FilterOperator[] = ['set', 'notSet', 'measureFilter']

export const isDateOperator = (operator: FilterOperator) => dateOperators.includes(operator)
export const isLikeOperator = (operator: FilterOperator) => likeOperators.includes(operator)
export const takesNoValues = (operator: FilterOperator) => withoutValues.includes(operator)

/** The type that a member's values have in a filter. */
export function filterValueType(kind: 'dimension' | 'measure', type: DimensionType | MeasureType): ValueType {
  if (type === 'time' || type === 'boolean') return type
  if (type === 'string' || type === 'geo') return 'text'
  return kind === 'measure' || type === 'number' ? 'number' : 'text'
}

export interface FilterInput {
  readonly operator: string
  readonly values: readonly (string | null)[]
  readonly kind: 'dimension' | 'measure'
  readonly type: DimensionType | MeasureType
}

export type CheckedFilter =
  | { readonly operator: FilterOperator }
  | { readonly problem: 'operator' | 'values_missing' | 'values'; readonly reason: string }

const numberPattern = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/
const booleans = ['true', 'false', '1', '0']

/** Whether an operator fits a member and its values (contract/behaviour/query.md, section 4, Operators). */
export function checkFilter({ operator: written, values, kind, type }: FilterInput): CheckedFilter {
  const operator = filterOperators.find(known => known === written)
  if (!operator) return { problem: 'operator', reason: `Operators are ${filterOperators.join(', ')}.` }
  const valueType = filterValueType(kind, type)
  const misfit = misfitOf(operator, kind, valueType)
  if (misfit) return { problem: 'operator', reason: misfit }
  if (takesNoValues(operator) || isDateOperator(operator)) return { operator }
  if (values.length === 0) return { problem: 'values_missing', reason: 'It has no values.' }
  if (comparisons.includes(operator) && (values[0] === null || values[0] === '')) {
    return { problem: 'values_missing', reason: 'It has no value to compare with.' }
  }
  const checked = comparisons.includes(operator) ? values.slice(0, 1) : values
  for (const value of checked) {
    if (value === null) continue
    if (valueType === 'number' && !numberPattern.test(value)) {
      return { problem: 'values', reason: `'${value}' is not a number.` }
    }
    if (valueType === 'boolean' && !booleans.includes(value)) {
      return { problem: 'values', reason: `'${value}' is neither true nor false.` }
    }
  }
  return { operator }
}

function misfitOf(operator: FilterOperator, kind: 'dimension' | 'measure', valueType: ValueType): string | null {
  if (operator === 'measureFilter') return kind === 'measure' ? null : 'measureFilter is for measures.'
  if (isDateOperator(operator)) {
    return kind === 'dimension' && valueType === 'time' ? null : `${operator} is for dimensions of type time.`
  }
  if (isLikeOperator(operator)) {
    const fits = kind === 'dimension' && (valueType === 'text' || valueType === 'number')
    return fits ? null : `${operator} is for dimensions of type string.`
  }
  if (comparisons.includes(operator) && valueType === 'boolean') return `${operator} is for numbers.`
  return null
}
