import type { BoundSql } from '../shapes/model.ts'
import type { Condition } from '../shapes/plan.ts'

type Operator = Extract<Condition, { kind: 'compare' }>['operator']

const turned: Readonly<Record<Operator, Operator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** Comparisons that hold wherever one of this operator with the same value does. */
const implied: Readonly<Record<Operator, readonly Operator[]>> = {
  '<': ['<', '<='],
  '<=': ['<='],
  '>': ['>', '>='],
  '>=': ['>='],
}

const before = /([<>]=?)\s*(?:(?:CAST\s*)?\(\s*)*$/i
const after = /^(?:\s+AS\s+[\w ()]+?)?[\s)]*([<>]=?)/i

/** What turns a comparison around, or makes it one of several answers. */
const turning = /\b(not|case|if|iif|is)\b|!|<>/i

/**
 * Whether SQL compares its one argument as a filter compares its value, so that no row which passes the filter is left out by
 * it: `amount >= {x}` for a filter by `gte` or `gt`, but not for one by `lt`.
 */
export function comparesAlike({ parts }: BoundSql, operator: Operator): boolean {
  if (parts.some(part => typeof part === 'string' && turning.test(part))) return false
  return parts.every((part, position) => {
    if (typeof part === 'string' || part.kind !== 'argument') return true
    const found = comparison(parts[position - 1], parts[position + 1])
    return found !== null && implied[operator].includes(found)
  })
}

/** How the column is compared with what stands between two pieces of SQL. */
function comparison(left: unknown, right: unknown): Operator | null {
  const leading = typeof left === 'string' ? before.exec(left)?.[1] : undefined
  const trailing = typeof right === 'string' ? after.exec(right)?.[1] : undefined
  // `1 < {x} < 2` says more than one thing.
  if ((leading === undefined) === (trailing === undefined)) return null
  if (leading !== undefined) return isOperator(leading) ? leading : null
  return trailing !== undefined && isOperator(trailing) ? turned[trailing] : null
}

const isOperator = (text: string): text is Operator => text in turned
