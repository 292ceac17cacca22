import type { ProblemLog } from '../messages/model-messages.ts'
import type { Position } from '../shapes/source.ts'
import type { ColumnSpec, ContextSpec, FilterParamSpec, SqlPartSpec, SqlSpec } from '../shapes/tree.ts'
import type { PythonExpression } from './python-expression.ts'
import { placed } from './sql-places.ts'

/** Where an expression stands, and the text in which its places count. */
export interface ExpressionPlace {
  readonly text: string
  readonly of: string
  readonly at: Position
  readonly log: ProblemLog
}

const contextNames = new Set([
  'FILTER_PARAMS',
  'FILTER_GROUP',
  'SQL_UTILS',
  'COMPILE_CONTEXT',
  'SECURITY_CONTEXT',
  'securityContext',
  'security_context',
  'USER_CONTEXT',
])

/** The names of a path, or of what is called; none for anything else. */
const namesOf = (expression: PythonExpression): readonly string[] =>
  expression.kind === 'path' || expression.kind === 'call' ? expression.names : []

/**
 * One expression in braces as parts of SQL: a reference, text, or one of the context variables (data-model.md, section 9).
 * `parameters` are the names that a lambda around it gives to its values. Empty where a problem was reported.
 */
export function partsOf(
  expression: PythonExpression,
  place: ExpressionPlace,
  parameters: readonly string[] = [],
): readonly SqlPartSpec[] {
  const { at } = place
  if (expression.kind === 'text') return [expression.value]
  if (expression.kind === 'format') {
    return expression.parts.flatMap(part => (typeof part === 'string' ? [part] : partsOf(part, place, parameters)))
  }
  const names = namesOf(expression)
  const [root] = names
  if (root !== undefined && contextNames.has(root)) {
    const context = contextOf(root, expression, place, parameters)
    return context ? [context] : []
  }
  if (expression.kind === 'path') {
    const position = names.length === 1 ? parameters.indexOf(names[0] ?? '') : -1
    if (position !== -1) return [{ kind: 'argument', position, at }]
    return [{ kind: 'reference', path: ownCube(names), call: null, at }]
  }
  if (expression.kind === 'call' && expression.values.length === 0 && names.length > 1 && names.at(-1) === 'sql') {
    return [{ kind: 'reference', path: ownCube(names.slice(0, -1)), call: 'sql', at }]
  }
  return fail(expression, place)
}

/** An older name for the cube itself. */
const ownCube = (path: readonly string[]) => (path[0] === 'TABLE' ? ['CUBE', ...path.slice(1)] : path)

function fail({ start }: PythonExpression, { text, at, log }: ExpressionPlace): [] {
  log.report(at, 'python_expression', { expression: text.slice(start) })
  return []
}

function contextOf(
  root: string,
  expression: PythonExpression,
  place: ExpressionPlace,
  parameters: readonly string[],
): ContextSpec | null {
  const { at, log, of } = place
  switch (root) {
    case 'FILTER_PARAMS': {
      const param = filterParam(expression, place, parameters)
      return param && { kind: 'filterParams', params: [param], at }
    }
    case 'FILTER_GROUP': {
      const values = expression.kind === 'call' ? expression.values : []
      const params = values.map(value => {
        const [first] = namesOf(value)
        if (first === 'FILTER_PARAMS') return filterParam(value, place, parameters)
        log.report(at, 'filter_group', { found: writtenAt(value, place) })
        return null
      })
      if (values.length === 0) log.report(at, 'filter_group', { found: 'nothing' })
      const sound = params.flatMap(param => param ?? [])
      return sound.length === params.length && sound.length > 0 ? { kind: 'filterParams', params: sound, at } : null
    }
    case 'SQL_UTILS': {
      const [, name] = namesOf(expression)
      const [value] = expression.kind === 'call' ? expression.values : []
      if (value && expression.kind === 'call' && expression.values.length === 1) {
        const sql = sqlOf(value, place, parameters)
        if (name === 'convertTz') return { kind: 'localTime', sql, at }
        if (name === 'urlEncode') return { kind: 'urlEncoded', sql, at }
      }
      log.report(at, 'sql_utils', { of })
      return null
    }
    case 'COMPILE_CONTEXT':
      log.report(at, 'compile_context', {})
      return null
    case 'USER_CONTEXT':
      log.report(at, 'user_context', {})
      return null
    default:
      return securityContext(expression, place, parameters)
  }
}

/** The text of an expression, for messages: without the brackets that close what stands around it. */
function writtenAt({ start }: PythonExpression, { text }: ExpressionPlace): string {
  const written = text.slice(start, start + 80)
  let open = 0
  for (const [position, sign] of [...written].entries()) {
    if ('([{'.includes(sign)) open += 1
    if (')]}'.includes(sign)) open -= 1
    if (open < 0 || (open === 0 && sign === ',')) return written.slice(0, position)
  }
  return written
}

function filterParam(
  expression: PythonExpression,
  place: ExpressionPlace,
  parameters: readonly string[],
): FilterParamSpec | null {
  const path = namesOf(expression)
  const [, cube, member, ...rest] = path
  const [value] = expression.kind === 'call' ? expression.values : []
  const isPlain = rest.length === 1 && rest[0] === 'filter'
  const isShifted = rest.length === 3 && /^time_?shifts$/i.test(rest[0] ?? '') && rest[2] === 'filter'
  const isCall = expression.kind === 'call' && expression.values.length === 1
  if (!cube || !member || !value || !isCall || !(isPlain || isShifted)) {
    place.log.report(place.at, 'filter_params', { of: place.of })
    return null
  }
  warnOfTemplate(value, place)
  const target = { value: ownCube([cube, member]), at: place.at }
  return { member: target, column: columnOf(value, place, parameters), isShifted }
}

/** A plain string keeps its braces, so that the database would be asked for a column of that very name. */
function warnOfTemplate(value: PythonExpression, { at, of, log }: ExpressionPlace): void {
  const column = value.kind === 'lambda' ? value.body : value
  if (column.kind !== 'text') return
  const braces = /\{[A-Za-z_][\w.]*\}/.exec(column.value)?.[0]
  if (braces) log.warn(at, 'column_braces', { braces, of, column: column.value, isLambda: value.kind === 'lambda' })
}

function columnOf(value: PythonExpression, place: ExpressionPlace, parameters: readonly string[]): ColumnSpec {
  if (value.kind !== 'lambda') return { takes: null, sql: sqlOf(value, place, parameters) }
  return {
    takes: value.parameters.length,
    sql: sqlOf(value.body, place, value.parameters),
  }
}

const sqlOf = (value: PythonExpression, place: ExpressionPlace, parameters: readonly string[]): SqlSpec => ({
  parts: placed(partsOf(value, place, parameters), place.of, place.log),
  at: place.at,
})

function securityContext(
  expression: PythonExpression,
  place: ExpressionPlace,
  parameters: readonly string[],
): ContextSpec | null {
  const { at, log, of } = place
  const [, ...names] = namesOf(expression)
  log.warn(at, 'security_context', { of })
  if (expression.kind !== 'call') {
    if (names.length > 0)
      return { kind: 'securityContext', path: names, use: 'value', column: null, place: 'value', at }
  } else if (names.length > 1) {
    const use = names.at(-1)
    const path = names.slice(0, -1)
    const [value] = expression.values
    if (use === 'unsafeValue' && !value) return { kind: 'securityContext', path, use, column: null, place: 'value', at }
    if ((use === 'filter' || use === 'requiredFilter') && value && expression.values.length === 1) {
      return { kind: 'securityContext', path, use, column: columnOf(value, place, parameters), place: 'value', at }
    }
  }
  log.report(at, 'security_context_use', { of })
  return null
}
