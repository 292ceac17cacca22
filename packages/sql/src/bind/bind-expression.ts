import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import type { Constant, Expression, TypeName } from '../shapes/tree.ts'
import { arrayOf, elementOf, isArray, type SqlType, typeNamed } from '../shapes/types.ts'
import { bindCall, scalarCall } from './bind-call.ts'
import type { Binding } from './binding.ts'
import { alike, coerce } from './coerce.ts'
import { functions } from './functions.ts'
import { findColumn, type Scope } from './scope.ts'

/** Looks up what an expression names and decides its type. */
export function bindExpression(binding: Binding, expression: Expression, scope: Scope): Bound {
  const { at } = expression
  const bind = (inner: Expression) => binding.expression(inner, scope)
  const condition = (inner: Expression) => coerce(bind(inner), 'bool')
  switch (expression.kind) {
    case 'column':
      return findColumn(scope, expression.names, at)
    case 'constant':
      return bindConstant(expression.value, at)
    case 'parameter':
      return bindParameter(binding, expression.number, at)
    case 'call':
      return bindCall(binding, expression, scope)
    case 'operator':
      return bindOperator(expression.operator, expression.left && bind(expression.left), bind(expression.right), at)
    case 'logical':
      return {
        kind: 'logical',
        operator: expression.operator,
        operands: expression.operands.map(condition),
        type: 'bool',
        at,
      }
    case 'not':
      return { kind: 'not', operand: condition(expression.operand), type: 'bool', at }
    case 'isNull':
      return { kind: 'isNull', operand: bind(expression.operand), negated: expression.negated, type: 'bool', at }
    case 'isTruth': {
      const { truth, negated } = expression
      return { kind: 'isTruth', operand: condition(expression.operand), truth, negated, type: 'bool', at }
    }
    case 'between': {
      const { values } = alike([bind(expression.operand), bind(expression.low), bind(expression.high)], 'BETWEEN')
      const [operand, low, high] = values
      if (!operand || !low || !high) throw new Error('BETWEEN has three operands')
      return { kind: 'between', operand, low, high, negated: expression.negated, type: 'bool', at }
    }
    case 'in': {
      const { values } = alike([bind(expression.operand), ...expression.items.map(bind)], 'IN')
      const [operand, ...items] = values
      if (!operand) throw new Error('IN has an operand')
      return { kind: 'in', operand, items, negated: expression.negated, type: 'bool', at }
    }
    case 'inQuery': {
      const query = binding.query(expression.query, scope, scope.common)
      if (query.columns.length !== 1) throw new SqlError('42601', 'subquery must return one column', at)
      const operand = coerce(bind(expression.operand), query.columns[0]?.type ?? 'text')
      return { kind: 'inQuery', operand, query, negated: expression.negated, type: 'bool', at }
    }
    case 'anyOf':
      return bindAnyOf(binding, expression, bind)
    case 'exists':
      return { kind: 'exists', query: binding.query(expression.query, scope, scope.common), type: 'bool', at }
    case 'scalarQuery': {
      const query = binding.query(expression.query, scope, scope.common)
      const [column, more] = query.columns
      if (!column || more) throw new SqlError('42601', 'subquery must return only one column', at)
      return { kind: 'scalarQuery', query, type: column.type, at }
    }
    case 'case':
      return bindCase(expression, bind)
    case 'cast':
      return bindCast(bind(expression.operand), expression.type, at)
    case 'array': {
      const { values, type } = alike(expression.items.map(bind), 'ARRAY')
      const array = arrayOf(type)
      if (!array) throw unsupported(`An array of ${type}`, at)
      return { kind: 'array', items: values, type: array, at }
    }
  }
}

function bindConstant(value: Constant, at: number): Bound {
  switch (value.type) {
    case 'null':
      return { kind: 'constant', type: 'unknown', value: null, at }
    case 'boolean':
      return { kind: 'constant', type: 'bool', value: String(value.value), at }
    case 'text':
      return { kind: 'constant', type: 'unknown', value: value.value, at }
    case 'decimal':
      return { kind: 'constant', type: 'numeric', value: value.value, at }
    case 'integer': {
      const number = BigInt(value.value)
      const type = number < 2n ** 31n ? 'int4' : number < 2n ** 63n ? 'int8' : 'numeric'
      return { kind: 'constant', type, value: number.toString(), at }
    }
  }
}

const mostParameters = 65_535

function bindParameter(binding: Binding, number: number, at: number): Bound {
  const { parameters } = binding
  if (number < 1 || number > mostParameters) throw new SqlError('42P02', `there is no parameter $${number}`, at)
  if (parameters && number > parameters.length) throw new SqlError('42P02', `there is no parameter $${number}`, at)
  const value = parameters?.[number - 1] ?? null
  const constant: Bound = { kind: 'constant', type: 'unknown', value, at, parameter: number }
  return binding.zonedParameters?.has(number) ? coerce(constant, 'timestamptz') : constant
}

const comparing = new Set(['=', '<>', '<', '<=', '>', '>=', 'is distinct from', 'is not distinct from'])

function bindOperator(operator: string, left: Bound | null, right: Bound, at: number): Bound {
  const name = left ? `operator ${operator === '!=' ? '<>' : operator}` : `unary ${operator}`
  const spec = functions.get(name)
  if (!spec)
    throw new SqlError('42883', `operator ${operator} does not exist, or is not one that statements may use`, at)
  if (!left) {
    if (right.kind === 'constant' && operator === '-' && right.value !== null && right.type !== 'unknown') {
      return { ...right, value: right.value.startsWith('-') ? right.value.slice(1) : `-${right.value}`, at }
    }
    return scalarCall(name, spec, [right], at)
  }
  if (comparing.has(operator === '!=' ? '<>' : operator)) {
    const { values } = alike([left, right], operator)
    return { kind: 'call', call: name, arguments: values, type: 'bool', at }
  }
  const other = (value: Bound, beside: Bound): Bound => {
    if (value.type !== 'unknown') return value
    const isTime = beside.type === 'timestamp' || beside.type === 'date' || beside.type === 'timestamptz'
    const wanted: SqlType =
      operator === '||' ? 'text' : isTime ? 'interval' : beside.type === 'unknown' ? 'text' : beside.type
    return coerce(value, spec.takes[0] === 'text' ? 'text' : wanted)
  }
  const operands = [other(left, right), other(right, left)] as const
  checkArithmetic(operator, operands, at)
  return scalarCall(name, spec, operands, at)
}

const arithmeticTypes: readonly SqlType[] = [
  'int4',
  'int8',
  'numeric',
  'float8',
  'interval',
  'date',
  'timestamp',
  'timestamptz',
]

function checkArithmetic(operator: string, operands: readonly Bound[], at: number): void {
  if (!['+', '-', '*', '/'].includes(operator)) return
  const [left, right] = operands.map(({ type }) => type)
  if (operands.every(({ type }) => arithmeticTypes.includes(type))) return
  throw new SqlError(
    '42883',
    `operator does not exist: ${left} ${operator} ${right}`,
    at,
    'You can convert values by CAST',
  )
}

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>
type Bind = (inner: Expression) => Bound

/** `= ANY (array)` is IN, `<> ALL (array)` is NOT IN. */
function bindAnyOf(binding: Binding, { operator, all, operand, array, at }: Node<'anyOf'>, bind: Bind): Bound {
  if (operator !== (all ? '<>' : '=')) throw unsupported(`${operator} ${all ? 'ALL' : 'ANY'}`, at)
  const items = bind(array)
  if (items.kind === 'array') {
    const { values } = alike([bind(operand), ...items.items], 'ANY')
    const [first, ...rest] = values
    if (!first) throw new Error('ANY has an operand')
    return { kind: 'in', operand: first, items: rest, negated: all, type: 'bool', at }
  }
  if (items.kind === 'constant' && items.value !== null) {
    const texts = readArrayText(items.value, items.at)
    const bound = [bind(operand), ...texts.map((value): Bound => ({ kind: 'constant', type: 'unknown', value, at }))]
    const [first, ...rest] = alike(bound, 'ANY').values
    if (!first) throw new Error('ANY has an operand')
    return { kind: 'in', operand: first, items: rest, negated: all, type: 'bool', at }
  }
  if (items.kind !== 'constant') throw unsupported(`${all ? 'ALL' : 'ANY'} of an array that is no constant`, at)
  const value = bind(operand)
  const { parameter } = items
  // Of null as the array nothing is known.
  if (parameter === undefined || binding.parameters) return { kind: 'constant', type: 'bool', value: null, at }
  const type = isArray(items.type) ? items.type : (arrayOf(value.type) ?? 'text[]')
  return { kind: 'in', operand: value, items: [], negated: all, type: 'bool', at, array: { parameter, type } }
}

/** `{a,b}` as PostgreSQL writes arrays in text. */
function readArrayText(text: string, at: number): readonly (string | null)[] {
  const inner = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1]
  const item = /\s*(?:"((?:[^"\\]|\\.)*)"|([^,"{}]+?))\s*(,|$)/y
  const malformed = () => new SqlError('22P02', `malformed array literal: "${text.slice(0, 100)}"`, at)
  if (inner === undefined) throw malformed()
  const items: (string | null)[] = []
  while (inner.trim() !== '') {
    const found = item.exec(inner)
    if (!found) throw malformed()
    const [, quoted, plain = '', end] = found
    items.push(quoted?.replaceAll(/\\(.)/g, '$1') ?? (plain.toUpperCase() === 'NULL' ? null : plain))
    if (end === '') break
  }
  return items
}

function bindCase({ operand, when, otherwise, at }: Node<'case'>, bind: Bind): Bound {
  const conditions = when.map(({ condition }) =>
    operand ? bindOperator('=', bind(operand), bind(condition), condition.at) : coerce(bind(condition), 'bool'),
  )
  const results = [...when.map(({ result }) => bind(result)), ...(otherwise ? [bind(otherwise)] : [])]
  const { values, type } = alike(results, 'CASE')
  return {
    kind: 'case',
    when: conditions.map((condition, position) => {
      const result = values[position]
      if (!result) throw new Error('each branch has a result')
      return { condition, result }
    }),
    otherwise: otherwise ? (values.at(-1) ?? null) : null,
    type,
    at,
  }
}

/** Bits by which the grammar says of what field an interval is (PostgreSQL, utils/timestamp.h). */
const intervalFields: ReadonlyMap<number, string> = new Map([
  [1 << 1, 'month'],
  [1 << 2, 'year'],
  [1 << 3, 'day'],
  [1 << 10, 'hour'],
  [1 << 11, 'minute'],
  [1 << 12, 'second'],
])

/** `INTERVAL '7' DAY` */
function bindIntervalOf(operand: Bound, [field = 0, ...more]: readonly number[], at: number): Bound {
  const unit = intervalFields.get(field)
  const count = operand.kind === 'constant' ? operand.value : undefined
  if (
    unit === undefined ||
    more.length > 0 ||
    count === undefined ||
    !/^\s*[-+]?\d{1,9}(\.\d{1,6})?\s*$/.test(count ?? '0')
  )
    throw unsupported('An interval with these fields', at, "Write them into the text, as in INTERVAL '1 day 2 hours'")
  return { ...coerce(operand, 'interval'), ...(count === null ? {} : { value: `${count.trim()} ${unit}` }), at }
}

function bindCast(operand: Bound, { name, modifiers, isArray: wantsArray }: TypeName, at: number): Bound {
  const element = typeNamed(name)
  const type = element && wantsArray ? arrayOf(element) : element
  if (!type) throw new SqlError('42704', `type "${name}" does not exist, or is not one that statements may use`, at)
  if (type === 'interval' && modifiers.length > 0) return bindIntervalOf(operand, modifiers, at)
  if (operand.kind === 'constant' && operand.type === 'unknown' && modifiers.length === 0 && !isArray(type)) {
    return { ...coerce(operand, type), at }
  }
  if (operand.type === type && modifiers.length === 0) return operand
  if (isArray(type) && operand.kind === 'constant' && operand.value === null) return { ...operand, type, at }
  if (isArray(type) && operand.kind === 'constant' && operand.value !== null) {
    const items = readArrayText(operand.value, at).map(
      (value): Bound => coerce({ kind: 'constant', type: 'unknown', value, at }, elementOf(type)),
    )
    return { kind: 'array', items, type, at }
  }
  const literal = operand.type === 'unknown' ? coerce(operand, 'text') : operand
  return { kind: 'cast', operand: literal, modifiers, type, at }
}
