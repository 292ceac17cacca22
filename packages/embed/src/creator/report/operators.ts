/** Conditions that a member of a type can have (docs/data-api.md), the most usual first. */
export function operatorsOf(type: string): readonly FilterOperator[] {
  if (type === 'time') return ['inDateRange', 'notInDateRange', 'beforeDate', 'afterDate', 'set', 'notSet']
  if (type === 'boolean') return ['equals', 'notEquals', 'set', 'notSet']
  if (type === 'string') {
    return ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'set', 'notSet']
  }
  // Measures and numbers.
  return ['equals', 'notEquals', 'gt', 'gte', 'lt', 'lte', 'set', 'notSet']
}

export type FilterOperator =
  | 'equals'
  | 'notEquals'
  | 'contains'
  | 'notContains'
  | 'startsWith'
  | 'endsWith'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'inDateRange'
  | 'notInDateRange'
  | 'beforeDate'
  | 'afterDate'
  | 'set'
  | 'notSet'

/** Conditions that look at no value. */
export const takesValues = (operator: string): boolean => operator !== 'set' && operator !== 'notSet'
/** Conditions that hold one value alone. */
export const takesOne = (operator: string): boolean => /^(?:gte?|lte?|beforeDate|afterDate)$/.test(operator)
