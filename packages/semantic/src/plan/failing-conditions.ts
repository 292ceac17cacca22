import type { SecuredIndex } from '../access/secured-index.ts'
import { filteredMember } from '../query/find-member.ts'
import type { Member } from '../resolve/model-index.ts'
import type { BoundSql, Dimension } from '../shapes/model.ts'
import type { QueryFilter } from '../shapes/query.ts'
import type { RowFilters } from './row-conditions.ts'

/**
 * Whether what a query asks of rows may fail on one of them, and show its value in the error: all but comparisons of a column, which a
 * database judges by its type before it reads a row. An author's `CAST(code AS integer)` fails on the row that holds no number.
 */
export function conditionsCanFail(index: SecuredIndex, filters: RowFilters): boolean {
  if (filters.segments.length > 0) return true
  for (const { member } of filters.ranges) if (!isColumn(index, member.definition)) return true
  return filters.rowFilters.some(filter => !isOfColumns(index, filter))
}

function isOfColumns(index: SecuredIndex, filter: QueryFilter): boolean {
  if ('and' in filter) return filter.and.every(inner => isOfColumns(index, inner))
  if ('or' in filter) return filter.or.every(inner => isOfColumns(index, inner))
  return isColumnMember(index, filteredMember(index, filter))
}

const isColumnMember = (index: SecuredIndex, { definition }: Member) =>
  definition.kind === 'dimension' && isColumn(index, definition)

function isColumn(index: SecuredIndex, { expression, masking }: Dimension): boolean {
  return masking === undefined && expression.kind === 'sql' && isColumnSql(index, expression.sql)
}

function isColumnSql(index: SecuredIndex, { parts }: BoundSql): boolean {
  const only = parts[0]
  if (parts.length === 1 && typeof only === 'string') return column.test(only)
  const [first, second, ...more] = parts.filter(part => typeof part !== 'string' || part.trim() !== '')
  if (first === undefined || more.length > 0) return false
  if (typeof first === 'string') return second === undefined && column.test(first)
  if (first.kind === 'table') return typeof second === 'string' && columnOfTable.test(second)
  if (first.kind !== 'member' || second !== undefined) return false
  const member = index.cube(first.cube).dimensions.find(({ name }) => name === first.member)
  return member !== undefined && isColumn(index, member)
}

const column = /^\s*(?:[A-Za-z_]\w*|"[^"]+")\s*$/
const columnOfTable = /^\.(?:[A-Za-z_]\w*|"[^"]+")\s*$/
