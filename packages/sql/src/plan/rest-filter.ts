import type { Bound, ModelRelation } from '../shapes/bound.ts'
import { isNumber } from '../shapes/types.ts'
import { cutTime, stepBounds } from './step-bounds.ts'

/** A filter as `/v1/load` takes it. */
export type RestFilter =
  | { readonly member: string; readonly operator: string; readonly values?: readonly string[] }
  | { readonly and: readonly RestFilter[] }
  | { readonly or: readonly RestFilter[] }

/**
 * A condition on members in the words of the data API, so that it is the same question there; null where those words mean
 * something else, however little (they find texts whatever their case, and see rows without a value differently).
 */
export function restFilter(
  condition: Bound,
  relations: readonly ModelRelation[],
  measures: boolean,
): RestFilter | null {
  const filter = (inner: Bound) => restFilter(inner, relations, measures)
  switch (condition.kind) {
    case 'logical': {
      const filters = condition.operands.map(filter)
      const known = filters.filter(each => each !== null)
      if (known.length < filters.length) return null
      return condition.operator === 'and' ? { and: known } : { or: known }
    }
    case 'column': {
      const id = dimensionId(condition, relations, 'bool')
      return id === null ? null : { member: id, operator: 'equals', values: ['true'] }
    }
    case 'not': {
      const id = dimensionId(condition.operand, relations, 'bool')
      return id === null ? null : { member: id, operator: 'equals', values: ['false'] }
    }
    case 'isTruth': {
      const { operand, truth, negated } = condition
      const id = dimensionId(operand, relations, 'bool')
      return id === null || negated || truth === 'unknown' ? null : { member: id, operator: 'equals', values: [truth] }
    }
    case 'isNull': {
      const target = targetOf(condition.operand, relations, measures)
      return target && { member: target.id, operator: condition.negated ? 'set' : 'notSet' }
    }
    case 'in':
      return inFilter(condition, relations, measures)
    case 'between': {
      const { operand, low, high, negated } = condition
      if (negated) return null
      const range = measures ? null : rangeFilter(operand, low, high, relations)
      if (range) return range
      const lower = comparison('>=', operand, low, relations, measures)
      const upper = comparison('<=', operand, high, relations, measures)
      return lower && upper && { and: [lower, upper] }
    }
    case 'call':
      return callFilter(condition, relations, measures)
    default:
      return null
  }
}

/** A range of times, which rollups know. */
function rangeFilter(operand: Bound, low: Bound, high: Bound, relations: readonly ModelRelation[]): RestFilter | null {
  const target = targetOf(operand, relations, false)
  const [from, to] = [constantOf(low), constantOf(high)].map(value => (value === null ? null : exactMoment(value)))
  if (target?.type !== 'timestamp' || !from || !to) return null
  return { member: target.id, operator: 'inDateRange', values: [from, to] }
}

interface TargetMember {
  readonly id: string
  readonly type: Bound['type']
}

function targetOf(value: Bound, relations: readonly ModelRelation[], measures: boolean): TargetMember | null {
  if (measures) return value.kind === 'measure' ? { id: value.member.id, type: value.type } : null
  if (value.kind !== 'column' || value.member?.kind !== 'dimension' || value.member.type === 'switch') return null
  return relations.some(({ id }) => id === value.relation) ? { id: value.member.id, type: value.type } : null
}

function dimensionId(value: Bound, relations: readonly ModelRelation[], type: Bound['type']): string | null {
  const target = targetOf(value, relations, false)
  return target?.type === type ? target.id : null
}

function constantOf(value: Bound): string | null {
  return value.kind === 'constant' ? value.value : null
}

function inFilter(
  { operand, items, negated }: Extract<Bound, { kind: 'in' }>,
  relations: readonly ModelRelation[],
  measures: boolean,
): RestFilter | null {
  const target = targetOf(operand, relations, measures)
  const values = items.flatMap(item => constantOf(item) ?? [])
  if (!target || values.length < items.length || values.length === 0 || target.type === 'timestamp') return null
  if (!negated) return { member: target.id, operator: 'equals', values }
  return {
    and: [
      { member: target.id, operator: 'notEquals', values },
      { member: target.id, operator: 'set' },
    ],
  }
}

const flipped: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=', '<>': '<>' }

function callFilter(
  { call, arguments: [left, right] }: Extract<Bound, { kind: 'call' }>,
  relations: readonly ModelRelation[],
  measures: boolean,
): RestFilter | null {
  if (!left || !right || !call.startsWith('operator ')) return null
  const operator = call.slice('operator '.length)
  if (operator === '~~*') return likeFilter(left, right, relations)
  const turned = flipped[operator]
  if (turned === undefined) return null
  return comparison(operator, left, right, relations, measures) ?? comparison(turned, right, left, relations, measures)
}

const numberOperators: Readonly<Record<string, string>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' }
const dateOperators: Readonly<Record<string, string>> = {
  '<': 'beforeDate',
  '<=': 'beforeOrOnDate',
  '>': 'afterDate',
  '>=': 'afterOrOnDate',
}

function comparison(
  operator: string,
  left: Bound,
  right: Bound,
  relations: readonly ModelRelation[],
  measures: boolean,
): RestFilter | null {
  const target = targetOf(left, relations, measures)
  const value = constantOf(right)
  if (value !== null && !measures && !target) return stepFilter(operator, left, value, relations)
  if (!target || value === null) return null
  if (target.type === 'timestamp') {
    const moment = exactMoment(value)
    const name = dateOperators[operator]
    return measures || moment === null || name === undefined
      ? null
      : { member: target.id, operator: name, values: [moment] }
  }
  if (operator === '=') return { member: target.id, operator: 'equals', values: [value] }
  if (operator === '<>') {
    return {
      and: [
        { member: target.id, operator: 'notEquals', values: [value] },
        { member: target.id, operator: 'set' },
      ],
    }
  }
  const name = numberOperators[operator]
  return name === undefined || !isNumber(target.type) ? null : { member: target.id, operator: name, values: [value] }
}

/** A comparison of steps of time is a range of times, which rollups and indexes know. */
function stepFilter(
  operator: string,
  left: Bound,
  value: string,
  relations: readonly ModelRelation[],
): RestFilter | null {
  const cut = cutTime(left)
  const member = cut && dimensionId(cut.time, relations, 'timestamp')
  const moment = exactMoment(value)
  const bounds = cut && member && moment ? stepBounds(cut.unit, operator, moment) : null
  if (!bounds || !member) return null
  const { from, before } = bounds
  const filters = [
    ...(from === null ? [] : [{ member, operator: 'afterOrOnDate', values: [from] }]),
    ...(before === null ? [] : [{ member, operator: 'beforeDate', values: [before] }]),
  ]
  const [only] = filters
  return filters.length === 1 && only ? only : { and: filters }
}

/** To the millisecond, as filters take it; null where more is written. */
function exactMoment(value: string): string | null {
  const [, date, time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?)?$/.exec(value) ?? []
  if (date === undefined || /[1-9]/.test(fraction.slice(3))) return null
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

function likeFilter(left: Bound, right: Bound, relations: readonly ModelRelation[]): RestFilter | null {
  const id = dimensionId(left, relations, 'text')
  const [, begins, text = '', ends] = /^(%?)([^%_\\]+)(%?)$/.exec(constantOf(right) ?? '') ?? []
  if (id === null || text === '' || (begins === '' && ends === '')) return null
  return { member: id, operator: begins === '' ? 'startsWith' : ends === '' ? 'endsWith' : 'contains', values: [text] }
}
