import type { DimensionSpec } from '../shapes/tree.ts'
import { findMember, type Scope } from './resolve-member.ts'

/** The dimension of the same cube that tells a dimension's values apart; `null` without one. */
export function resolveKey({ name, key }: DimensionSpec, scope: Scope): string | null {
  if (!key) return null
  const { cube, names } = scope
  const found = findMember(key, cube, names)
  if (!found) return null
  const details = { dimension: `${cube}.${name.value}`, key: found.id }
  const [owner, member = ''] = found.id.split('.')
  const target = names.membersOf(cube)?.get(member)
  if (owner !== cube) names.log.report(key.at, 'key_foreign', details)
  else if (target?.kind !== 'dimension') names.log.report(key.at, 'key_dimension', details)
  else if (target.spec.key) names.log.report(key.at, 'key_nested', details)
  else return member
  return null
}
