import { queryError } from '../messages/query-messages.ts'
import type { ContextReference } from '../shapes/model.ts'
import type { Condition, Expression, Value } from '../shapes/plan.ts'
import type { ExpandColumn } from './filter-params.ts'

type SecurityReference = Extract<ContextReference, { kind: 'securityContext' }>

/**
 * A value of the caller's security context in the model's SQL, or a condition on it. Values are parameters. Those that
 * the author put inside quotes or names, where no parameter can stand, become text there in which nothing can end the
 * quotes or the name: a token's value is never SQL.
 *
 * @throws {QueryError} when a value is required and missing, or is none that can stand there
 */
export function securityExpression(
  { path, use, column, place }: SecurityReference,
  securityContext: Readonly<Record<string, unknown>>,
  expandColumn: ExpandColumn,
): string | Expression {
  const found = valueAt(securityContext, path)
  const name = path.join('.')
  if (use === 'filter' || use === 'requiredFilter') {
    if (!column) throw new Error(`The filter of '${name}' has no column`)
    const isMissing = found === undefined || found === null || found === ''
    if (use === 'requiredFilter' && isMissing) throw queryError('security_required', { column: name })
    if (found === undefined || found === null) return { kind: 'condition', condition: { kind: 'and', conditions: [] } }
    return { kind: 'condition', condition: condition(valuesOf(found, name), column, expandColumn) }
  }
  if (found === undefined || found === null) {
    throw queryError('security_value', { path: name, reason: 'it has no value.' })
  }
  const values = valuesOf(found, name)
  if (place === 'value') return listOf(values)
  const [only] = values
  if (!only || values.length > 1)
    throw queryError('security_value', { path: name, reason: 'a list can not stand there.' })
  return written(only.value, place, name)
}

function valueAt(context: unknown, path: readonly string[]): unknown {
  let current = context
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = Reflect.get(current, name)
  }
  return current
}

function valuesOf(found: unknown, path: string): readonly Value[] {
  return (Array.isArray(found) ? found : [found]).map((value: unknown): Value => {
    if (typeof value === 'string') return { type: 'text', value }
    if (typeof value === 'boolean') return { type: 'boolean', value: String(value) }
    if (typeof value === 'number' && Number.isFinite(value)) return { type: 'number', value: String(value) }
    throw queryError('security_value', {
      path,
      reason: 'it is neither text, a number, true or false, nor a list of them.',
    })
  })
}

function condition(
  values: readonly Value[],
  column: NonNullable<SecurityReference['column']>,
  expandColumn: ExpandColumn,
): Condition {
  if (values.length === 0) return { kind: 'sql', expression: { kind: 'sql', parts: ['1 = 0'] } }
  if (column.takes !== null) return { kind: 'sql', expression: expandColumn(column, [listOf(values)]) }
  return { kind: 'in', expression: expandColumn(column, []), values, negated: false }
}

/** The values one after another, as in `IN (…)`. */
function listOf(values: readonly Value[]): Expression {
  const items = values.map((value): Expression => ({ kind: 'value', value }))
  const [only] = items
  if (only && items.length === 1) return only
  return { kind: 'list', items }
}

/** Letters, digits and underscores end no name; a quote is doubled and a backslash, which some databases read, refused. */
function written(value: string, place: 'text' | 'name', path: string): string {
  const sound = place === 'name' ? /^\w+$/.test(value) : !/[\\\0]/.test(value)
  if (sound) return place === 'name' ? value : value.replaceAll("'", "''")
  throw queryError('security_value', {
    path,
    reason:
      place === 'name'
        ? 'as a part of a name it may have letters, digits and underscores alone.'
        : 'inside quotes it may have no backslash.',
  })
}
