import { didYouMean } from '@hedron/semantic'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import type { Call } from '../shapes/tree.ts'
import { isMoment, isNumber, type SqlType } from '../shapes/types.ts'
import { visitValue } from '../shapes/walk.ts'
import { bindAtTimeZone } from './at-time-zone.ts'
import { bindWindow } from './bind-window.ts'
import { type Binding, sortKeys } from './binding.ts'
import { alike, coerce } from './coerce.ts'
import { type FunctionSpec, functionOf, functions } from './functions.ts'
import { bindLikeEscape } from './like-escape.ts'
import { matchMeasure } from './measures.ts'
import { readMoment } from './read-moment.ts'
import { createScope, type Scope } from './scope.ts'

/** A call of one of the functions that there are. */
export function bindCall(binding: Binding, call: Call, scope: Scope): Bound {
  const { name, at } = call
  refuseOtherSchema(call)
  const { constants } = binding
  const constant = constants.get(name)
  if (constant !== undefined && call.arguments.length === 0)
    return { kind: 'constant', type: 'text', value: constant, at }
  const moment = momentOf(binding, call)
  if (moment) return moment
  if (name === 'grouping') return bindGrouping(binding, call, scope)
  if (name === 'measure') return bindMeasure(binding, call, scope)
  const read = momentOfText(binding, call, scope)
  if (read) return read
  const special = specials.get(name)
  if (special) {
    refuseAggregation(call)
    return special(
      call.arguments.map(value => binding.expression(value, scope)),
      at,
    )
  }
  const spec = functions.get(name.startsWith('operator ') || name.startsWith('unary ') ? '' : name)
  if (!spec) throw noFunction(name, at)
  if (rowsOnly.has(name)) throw unsupported(`${name} anywhere but in FROM`, at, rowsHint)
  if (spec.kind === 'scalar') return bindScalar(binding, call, spec, scope)
  if (call.over) return windowCall(binding, call, spec, scope)
  if (spec.kind === 'window') throw new SqlError('42809', `window function ${name} requires an OVER clause`, at)
  return aggregateCall(binding, call, spec, scope)
}

/** What the grammar makes of `AT TIME ZONE` and of `LIKE … ESCAPE`. */
const specials: ReadonlyMap<string, (given: readonly Bound[], at: number) => Bound> = new Map([
  ['timezone', bindAtTimeZone],
  ['like_escape', bindLikeEscape],
])

/** As values they would be many rows in PostgreSQL, and one list elsewhere. */
const rowsOnly: ReadonlySet<string> = new Set(['generate_series', 'unnest'])
const rowsHint = 'Write FROM generate_series(1, 10) AS g(n), beside other tables with CROSS JOIN'

/** The call of a function that stands in FROM: it sees no columns. */
export function bindSeriesCall(binding: Binding, call: Call): Bound {
  refuseOtherSchema(call)
  refuseAggregation(call)
  const given = call.arguments.map(value => binding.expression(value, createScope(null, new Map())))
  const isOfMoments = given.some(({ type }) => isMoment(type) || type === 'interval')
  const name = isOfMoments ? 'operator series of moments' : 'generate_series'
  return scalarCall(name, functionOf(name), given, call.at)
}

function refuseOtherSchema({ name, schema, at }: Call): void {
  if (schema !== null && schema !== 'pg_catalog') throw noFunction(`${schema}.${name}`, at)
}

function bindScalar(binding: Binding, call: Call, spec: FunctionSpec, scope: Scope): Bound {
  const { name, at } = call
  refuseAggregation(call)
  const given = call.arguments.map(value => binding.expression(value, scope))
  return scalarCall(name, spec, given, at)
}

function refuseAggregation({ name, star, distinct, filter, over, order, at }: Call): void {
  if (star || distinct || filter || over || order.length > 0)
    throw new SqlError('42809', `${name} is not an aggregate function`, at)
}

const noFunction = (name: string, at: number) =>
  new SqlError('42883', `function ${name} does not exist, or is not one that statements may call`, at, near(name))

function near(name: string): string | null {
  const hint = didYouMean(name, functions.keys()).trim()
  return hint === '' ? null : hint
}

/** PostgreSQL's names of the time at which a statement begins. */
function momentOf({ now }: Binding, { name, arguments: given, at }: Call): Bound | null {
  if (given.length > 0) return null
  if (['now', 'current_timestamp', 'transaction_timestamp', 'statement_timestamp'].includes(name)) {
    return { kind: 'constant', type: 'timestamptz', value: now, at }
  }
  if (name === 'localtimestamp') return { kind: 'constant', type: 'timestamp', value: now, at }
  if (name === 'current_date') return { kind: 'constant', type: 'date', value: now.slice(0, 10), at }
  return null
}

/** A moment that is written as text by a pattern. */
function momentOfText(binding: Binding, call: Call, scope: Scope): Bound | null {
  const { name, arguments: given, at } = call
  if ((name !== 'to_timestamp' && name !== 'to_date') || given.length !== 2) return null
  if (call.star || call.distinct || call.filter || call.over || call.order.length > 0) return null
  return readMoment(
    name,
    given.map(value => binding.expression(value, scope)),
    at,
  )
}

export function scalarCall(name: string, spec: FunctionSpec, given: readonly Bound[], at: number): Bound {
  checkCount(name, spec, given.length, at)
  const values =
    name === 'coalesce' || name === 'greatest' || name === 'least' || name === 'nullif'
      ? alike(given, name.toUpperCase()).values
      : given.map((value, position) => takeAs(name, value, takenAt(spec, position)))
  return { kind: 'call', call: name, arguments: values, type: spec.gives(values.map(({ type }) => type)), at }
}

function takenAt({ takes, variadic }: FunctionSpec, position: number): FunctionSpec['takes'][number] {
  return takes[position] ?? (variadic ? takes.at(-1) : undefined) ?? 'any'
}

function takeAs(name: string, value: Bound, wanted: FunctionSpec['takes'][number]): Bound {
  const refuse = () =>
    new SqlError(
      '42883',
      `${name} does not take a value of type ${value.type} there`,
      value.at,
      'You can convert it by CAST',
    )
  if (wanted === 'any') return value.type === 'unknown' ? coerce(value, 'text') : value
  if (wanted === 'number') {
    if (value.type === 'unknown') return coerce(value, 'numeric')
    if (!isNumber(value.type)) throw refuse()
    return value
  }
  if (wanted === 'moment') {
    if (value.type === 'unknown') return coerce(value, 'timestamp')
    if (!isMoment(value.type) && value.type !== 'interval') throw refuse()
    return value
  }
  if (value.type === 'unknown') return coerce(value, wanted)
  if (wanted === 'int4' ? !isNumber(value.type) : !fits(value.type, wanted)) throw refuse()
  return value
}

const fits = (type: SqlType, wanted: SqlType) =>
  type === wanted || (isNumber(type) && isNumber(wanted)) || (isMoment(type) && isMoment(wanted))

function checkCount(name: string, { takes, optional, variadic }: FunctionSpec, count: number, at: number): void {
  const least = takes.length - optional
  if (count >= least && (variadic || count <= takes.length)) return
  const wanted = variadic ? `${least} or more` : optional > 0 ? `${least} to ${takes.length}` : String(least)
  throw new SqlError('42883', `${name} takes ${wanted} arguments and was given ${count}`, at)
}

/** What is inside an aggregate is about rows. */
function inside<T>(scope: Scope, at: number, work: () => T): T {
  if (scope.place === 'where') throw new SqlError('42803', 'aggregate functions are not allowed in WHERE', at)
  if (scope.place === 'aggregate') throw new SqlError('42803', 'aggregate function calls cannot be nested', at)
  scope.place = 'aggregate'
  scope.hasAggregates = true
  try {
    return work()
  } finally {
    scope.place = 'plain'
  }
}

function aggregateCall(binding: Binding, call: Call, spec: FunctionSpec, scope: Scope): Bound {
  const { name, at, distinct, withinGroup } = call
  return inside(scope, at, () => {
    const given = call.star ? [] : call.arguments.map(value => binding.expression(value, scope))
    if (!call.star || name !== 'count') {
      if (call.star || (name === 'count' && given.length === 0))
        throw new SqlError('42883', `${name} takes an argument`, at)
      checkCount(name, spec, given.length, at)
    }
    const [only] = given
    const measured = scope.isModel && only?.kind === 'column' && only.member?.kind === 'measure' ? only : null
    if (measured) return matchMeasure(measured, call)
    const values = given.map((value, position) => takeAs(name, value, takenAt(spec, position)))
    if (name === 'xirr') checkXirr(values)
    refuseOuter(name, values, scope)
    const order = sortKeys(binding, call.order, scope)
    const filter = call.filter ? coerce(binding.expression(call.filter, scope), 'bool') : null
    if (withinGroup !== name.startsWith('percentile_')) {
      throw new SqlError(
        '42809',
        `${name} is ${withinGroup ? 'not' : ''} called with WITHIN GROUP`.replace('  ', ' '),
        at,
      )
    }
    const type = withinGroup ? (order[0]?.value.type ?? 'numeric') : spec.gives(values.map(value => value.type))
    return { kind: 'aggregate', call: name, arguments: values, distinct, order, withinGroup, filter, type, at }
  })
}

/** The guess and what is given instead of an error are of all rows. */
function checkXirr([, , guess, onError]: readonly Bound[]): void {
  for (const value of [guess, onError]) {
    if (value && value.kind !== 'constant')
      throw unsupported('A guess or alternative of XIRR that is no constant', value.at)
  }
  if (guess?.kind === 'constant' && guess.value !== null && !(Number(guess.value) > -1)) {
    throw new SqlError('22023', `XIRR cannot look for a rate near ${guess.value}, as rates are above -1`, guess.at)
  }
}

/** An aggregate of nothing but columns of the query around belongs to that one by the standard. */
function refuseOuter(name: string, values: readonly Bound[], scope: Scope): void {
  const relations = values.flatMap(value => {
    const found: string[] = []
    visitValue(value, inner => {
      if (inner.kind === 'column') found.push(inner.relation)
      return undefined
    })
    return found
  })
  const [first] = values
  if (!first || relations.length === 0 || relations.some(id => scope.relations.some(own => own.id === id))) return
  throw unsupported(`${name} of columns of the query around`, first.at)
}

function bindMeasure(binding: Binding, call: Call, scope: Scope): Bound {
  const { at } = call
  if (call.distinct || call.filter || call.over || call.order.length > 0 || call.arguments.length !== 1) {
    throw unsupported('MEASURE with anything but one measure', at)
  }
  return inside(scope, at, () => {
    const [given] = call.arguments
    const column = given ? binding.expression(given, scope) : null
    if (column?.kind !== 'column') throw new SqlError('42883', 'MEASURE takes the name of a measure', at)
    if (column.member?.kind !== 'measure') {
      throw new SqlError('42883', `MEASURE takes a measure, and "${column.name}" is none`, column.at)
    }
    if (!scope.isModel) {
      const hint = 'Join cubes by CROSS JOIN or __cubeJoinField, or aggregate in a sub-query of the cube alone'
      throw unsupported('MEASURE over tables that are not joined as the model says', at, hint)
    }
    return { kind: 'measure', relation: column.relation, member: column.member, type: column.type, at }
  })
}

/** Which keys of a group are left out by its set; the SELECT puts numbers in its place. */
function bindGrouping(binding: Binding, call: Call, scope: Scope): Bound {
  const { at } = call
  refuseAggregation(call)
  if (scope.place === 'aggregate') throw new SqlError('42803', 'aggregate function calls cannot contain GROUPING', at)
  if (scope.place === 'where' || scope.relations.length === 0)
    throw new SqlError('42803', 'grouping operations are not allowed here', at)
  if (call.arguments.length === 0 || call.arguments.length > 31)
    throw new SqlError('54023', 'GROUPING must have fewer than 32 arguments', at)
  const given = call.arguments.map(value => binding.expression(value, scope))
  return { kind: 'call', call: 'grouping', arguments: given, type: 'int4', at }
}

function windowCall(binding: Binding, call: Call, spec: FunctionSpec, scope: Scope): Bound {
  const { name, at, over } = call
  if (!over) throw new Error('a window function without a window')
  if (scope.place === 'where') throw new SqlError('42P20', 'window functions are not allowed in WHERE', at)
  if (scope.place === 'aggregate')
    throw new SqlError('42803', 'aggregate function calls cannot contain window functions', at)
  if (call.distinct || call.order.length > 0) throw unsupported('DISTINCT or ORDER BY in a window function', at)
  if (call.star && name !== 'count') throw new SqlError('42883', `${name} takes an argument`, at)
  const given = call.star ? [] : call.arguments.map(value => binding.expression(value, scope))
  if (!call.star) checkCount(name, spec, given.length, at)
  const values = given.map((value, position) => takeAs(name, value, takenAt(spec, position)))
  if (name === 'xirr') checkXirr(values)
  const filter = call.filter ? coerce(binding.expression(call.filter, scope), 'bool') : null
  const type = spec.gives(values.map(value => value.type))
  return {
    kind: 'window',
    call: name,
    arguments: values,
    filter,
    window: bindWindow(binding, over, scope, at),
    type,
    at,
  }
}
