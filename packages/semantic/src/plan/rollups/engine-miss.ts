import type { SecuredIndex } from '../../access/secured-index.ts'
import { type RollupMiss, rollupMiss } from '../../messages/rollup-misses.ts'
import { filteredMember } from '../../query/find-member.ts'
import type { DimensionMember, Member } from '../../resolve/model-index.ts'
import type { DialectName } from '../../shapes/compiled.ts'
import type { NormalizedQuery } from '../../shapes/query.ts'
import { isCalculation } from '../calculations.ts'
import { filteredMeasures, leafFilters, type QueryMembers } from '../query-members.ts'
import { held } from './places.ts'
import { rollupRules } from './policy-miss.ts'
import type { Rollup } from './rollup.ts'

/** Databases whose usual collations take different texts for the same. */
const foldsText: readonly DialectName[] = ['mysql', 'sqlserver']

/**
 * Tables of rollups keep times to the millisecond and are read by DuckDB, wherever their rows come from. What would be other rows
 * than the source's own database gives is not answered from them: moments, SQL of the author, the order of texts, letters that
 * are compared without their case.
 */
export function engineMiss(
  index: SecuredIndex,
  rollup: Rollup,
  query: NormalizedQuery,
  members: QueryMembers,
  dialect: DialectName,
): RollupMiss | null {
  const filters = members.rowFilters.flatMap(leafFilters)
  const filtered = filters.map(filter => filteredMember(index, filter))
  const used = [...members.dimensions, ...members.times.map(({ member }) => member), ...filtered]
  const raw = [...used, ...members.ranges.map(({ member }) => member)].find(
    member => isOf(member, 'time') && held(rollup.dimensions, member),
  )
  if (raw) return rollupMiss('moment', { member: raw.id })
  if (dialect === 'duckdb') return null
  const calculated = [...members.measures, ...filteredMeasures(index, members.groupFilters)].find(({ definition }) =>
    isCalculation(index, definition),
  )
  if (calculated) return rollupMiss('foreign_sql', { member: calculated.id, dialect })
  if (foldsText.includes(dialect)) {
    const text = used.find(member => isOf(member, 'string'))
    if (text) return rollupMiss('collation', { member: text.id, dialect })
    if (rollupRules(index, rollup, members).length > 0) return rollupMiss('collation_rule', { dialect })
  }
  const ordered = query.order.map(({ id }) => members.dimensions.find(member => member.id === id))
  const text = ordered.find((member): member is DimensionMember => member !== undefined && isOf(member, 'string'))
  if (text) return rollupMiss('collation', { member: text.id, dialect })
  const pattern = filters.find(
    ({ operator, values }) => /contains|With/i.test(operator) && values.some(value => /[^\p{ASCII}]/u.test(`${value}`)),
  )
  return pattern ? rollupMiss('collation', { member: pattern.member, dialect }) : null
}

const isOf = ({ definition }: Member, type: 'string' | 'time') =>
  definition.kind === 'dimension' && definition.type === type
