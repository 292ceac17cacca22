import type { Comparison, ContextExpression, ContextMethod } from '../shapes/access.ts'
import type { QueryContext } from '../shapes/query.ts'

/** What an expression of a policy is for one caller. `undefined`: the context doesn't have it. */
export type ContextValue = unknown

/**
 * Evaluates an expression over the caller's context. It reads own properties of plain data only and runs nothing: what is not there,
 * and whatever is asked of it, is `undefined`.
 */
export function evaluateExpression(expression: ContextExpression, context: QueryContext): ContextValue {
  const evaluate = (inner: ContextExpression) => evaluateExpression(inner, context)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'list':
      return expression.items.map(evaluate)
    case 'context':
      return context[expression.root]
    case 'property':
      return propertyOf(evaluate(expression.of), expression.name)
    case 'item':
      return itemOf(evaluate(expression.of), evaluate(expression.key))
    case 'not':
      return !isTrue(evaluate(expression.operand))
    case 'and':
    case 'or': {
      const left = evaluate(expression.left)
      return isTrue(left) === (expression.kind === 'or') ? left : evaluate(expression.right)
    }
    case 'compare':
      return compare(expression.operator, evaluate(expression.left), evaluate(expression.right))
    case 'choice':
      return evaluate(isTrue(evaluate(expression.condition)) ? expression.value : expression.otherwise)
    case 'call':
      return call(evaluate(expression.of), expression.method, expression.arguments.map(evaluate))
  }
}

/** As in Python, what is empty is not true, so that `a or b` gives `b` where there is no `a`. */
function isTrue(value: ContextValue): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function propertyOf(value: ContextValue, name: string): ContextValue {
  if (name === 'length' && (typeof value === 'string' || Array.isArray(value))) return value.length
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
    return undefined
  }
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

function itemOf(value: ContextValue, key: ContextValue): ContextValue {
  if (typeof key === 'string') return propertyOf(value, key)
  return Array.isArray(value) && typeof key === 'number' ? value.at(key) : undefined
}

function compare(operator: Comparison, left: ContextValue, right: ContextValue): boolean {
  switch (operator) {
    case '==':
      return isSame(left, right)
    case '!=':
      return !isSame(left, right)
    case 'in':
      return isIn(left, right)
    case 'not in':
      return !isIn(left, right)
    default:
      return isOrdered(operator, left, right)
  }
}

/** What is absent is nothing, as `None`. */
const isSame = (left: ContextValue, right: ContextValue) => (left ?? null) === (right ?? null)

function isIn(value: ContextValue, list: ContextValue): boolean {
  if (Array.isArray(list)) return list.includes(value)
  if (typeof list === 'string') return typeof value === 'string' && list.includes(value)
  return typeof value === 'string' && typeof list === 'object' && list !== null && Object.hasOwn(list, value)
}

function isOrdered(operator: '<' | '<=' | '>' | '>=', left: ContextValue, right: ContextValue): boolean {
  const isComparable =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string')
  if (!isComparable) return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

const isSimple = (value: ContextValue) =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'

function call(of: ContextValue, method: ContextMethod, [argument]: readonly ContextValue[]): ContextValue {
  if (method === 'includes') return isIn(argument, of)
  if (method === 'join') {
    // A list inside of a list would be written as if its items were the list's own.
    return Array.isArray(of) && of.every(isSimple) ? of.join(typeof argument === 'string' ? argument : ',') : undefined
  }
  if (method === 'toString') return isSimple(of) ? String(of) : undefined
  if (typeof of !== 'string') return undefined
  switch (method) {
    case 'startsWith':
      return typeof argument === 'string' && of.startsWith(argument)
    case 'endsWith':
      return typeof argument === 'string' && of.endsWith(argument)
    case 'toLowerCase':
      return of.toLowerCase()
    case 'toUpperCase':
      return of.toUpperCase()
    case 'trim':
      return of.trim()
  }
}
